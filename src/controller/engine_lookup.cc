// Lookups: results that are kept up to date, and never written.

#include <fmt/format.h>

#include <utility>

#include "controller/engine.h"
#include "reconcilers/secrets.h"

namespace bindery {
namespace {

/// "state from CREATING to ACTIVE, uploadFileInfo.uriExpirationTime from empty to …"
std::string InWords(const std::vector<OutputChange>& changes) {
  std::string text;
  for (const OutputChange& change : changes) {
    text += fmt::format("{}{} from {} to {}", text.empty() ? "" : ", ", change.path, change.before,
                        change.now);
  }
  return text;
}

DriftItem ItemOf(const OutputChange& change, const std::string& resource) {
  DriftItem item;
  item.drift_class = DriftClass::kLookupChanged;
  // There is nothing to repair: it is noted, and that is all.
  item.state = DriftState::kCorrected;
  item.cause = DriftCause::kForeign;
  item.resource = resource;
  item.grant.role = change.path;
  item.desired = change.before;
  item.observed = change.now;
  return item;
}

}  // namespace

/// Only whether it is there is kept of it: no policy, no revision. Its results go with the
/// resources.
void Engine::RecordSighting(TargetEntry& target, const Work& work, StoreChange& change,
                            const Now& now) {
  target.observed_at = now.wall;
  if (target.observed && target.exists == work.seen.exists) {
    Touch(target, now);
    return;
  }
  target.observed = true;
  target.exists = work.seen.exists;
  change.upsert_targets.push_back(target.Record());
}

/// Tells how the result differs from the one before. The first result is no change. Requires: the
/// target still has the outputs of its last reading.
void Engine::RecordResult(TargetEntry& target, const Work& work, StoreChange& change,
                          const Now& now) {
  const KindSchema& schema = target.kind->schema();
  const Json outputs = target.kind->Outputs(target.target->name, work.seen);
  std::vector<OutputChange> changes;
  if (const Expected<Json> before = ParseJson(target.Outputs()); before) {
    changes = ChangesOf(*before, outputs, schema.outputs);
  }
  std::vector<DriftItem> items;
  for (const ResourceEntry* entry : target.resources) {
    if (changes.empty() || entry->suspended()) continue;
    Emit(change, {now.wall, EventType::kNormal, "LookupChanged", entry->name, target.target->name,
                  InWords(changes), "bindery"});
    for (const OutputChange& one : changes) {
      items.push_back(ItemOf(one, entry->name));
      DriftItem& item = items.back();
      item.severity = SeverityOf({item.drift_class, target.target->kind.str(), item.grant},
                                 settings_.catalog.severities.get());
    }
  }
  for (const DriftItem& item : items) {
    observer_.DriftFound(*target.target, item);
    observer_.DriftCorrected(*target.target, item);
  }
  if (!items.empty() || !target.open_drift->empty()) {
    change.drift.push_back({*target.target, now.wall, std::move(items), /*corrected=*/false});
  }
  target.open_drift.Set({});
}

ResourceStatus Engine::StatusOfResult(const Observation& seen) {
  return {ResourceState::kReady, std::string(reason::kReconciled),
          seen.note.empty() ? "found" : "found; " + seen.note};
}

Expected<void> Engine::MayRollBack(const std::string& name) const {
  const auto found = catalog_.resources().find(name);
  if (found == catalog_.resources().end() || !found->second.accepted) {
    return Fail(Code::kNotFound, "no resource \"" + name + "\" is in force");
  }
  if (!found->second.is_lookup()) return {};
  return Fail(Code::kFailedPrecondition,
              "\"" + name +
                  "\" is a lookup: nothing is ever written for it, so there is nothing "
                  "to roll back");
}

}  // namespace bindery
