#include "controller/catalog/suspend.h"

#include "controller/claims/resource_record.h"

namespace bindery::controller {
namespace {

/// True when the state changes.
bool SetOne(const Catalog& catalog, ResourceEntry& entry, const SuspendOrder& order,
            store::StoreChange& change, const Now& now) {
  if (entry.suspended_by_operator == order.suspend) return false;
  entry.suspended_by_operator = order.suspend;
  change.upsert_resources.push_back(MakeRecord(catalog.claims(), entry));
  change.events.push_back(
      {now.wall, EventType::kNormal, order.suspend ? "Suspended" : "Resumed", entry.name,
       entry.place.target.empty() ? std::string() : entry.place.target->name,
       order.suspend ? "no longer checked or written" : "checked and written again", order.actor});
  return true;
}

}  // namespace

std::vector<TargetKey> SetSuspended(Catalog& catalog, Rollbacks& rollbacks,
                                    const SuspendOrder& order, store::StoreChange& change,
                                    const Now& now) {
  std::vector<TargetKey> check;
  for (const std::string& name : order.names) {
    std::vector<std::string> claims = catalog.claims().former().Of(name);
    claims.insert(claims.begin(), name);
    for (const std::string& claim : claims) {
      ResourceEntry* entry = catalog.claims().FindResource(claim);
      if (entry == nullptr || !SetOne(catalog, *entry, order, change, now)) continue;
      const PendingRollback* rollback = rollbacks.Find(entry->place.target);
      if (!order.suspend && rollback != nullptr) {
        rollbacks.End(entry->place.target, rollback->revision, change);
      }
      if (entry->accepted) check.push_back(entry->place.target);
    }
  }
  return check;
}

}  // namespace bindery::controller
