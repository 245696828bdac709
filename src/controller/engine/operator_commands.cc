#include "controller/engine/operator_commands.h"

#include <fmt/format.h>

#include <utility>

#include "controller/catalog/resource_not_found.h"
#include "controller/catalog/suspend.h"
#include "controller/outbox/requesters.h"

namespace bindery::controller {

Expected<void> OperatorCommands::Reconcile(const std::vector<std::string>& names, const Now& now,
                                           const Reply& reply) {
  for (const std::string& name : names) {
    const ResourceEntry* entry = parts_.catalog.claims().FindResource(name);
    if (entry == nullptr) return Fail(ResourceNotFound(parts_.catalog, name));
    if (!entry->accepted) {
      return Fail(Code::kFailedPrecondition,
                  "\"" + name + "\" is not in force: " + entry->standing.status->message);
    }
  }
  for (const std::string& name : names) {
    const TargetKey key = parts_.catalog.claims().FindResource(name)->place.target;
    parts_.schedule.requesters().Add(key, reply);
    parts_.schedule.Enqueue(key, Priority::kChange, now.mono);
  }
  return {};
}

void OperatorCommands::CheckRequested(const std::vector<std::string>& names,
                                      const std::string& actor, const Now& now) {
  Event event{now.wall, EventType::kNormal, "CheckRequested", "", "", "to be checked now", actor};
  if (names.size() == 1) {
    const ResourceEntry& entry = *parts_.catalog.claims().FindResource(names.front());
    event.resource = names.front();
    if (!entry.place.target.empty()) event.target = entry.place.target->name;
  } else {
    event.message = fmt::format("{} resources are to be checked now", names.size());
  }
  parts_.outbox.Record(std::move(event));
}

Expected<void> OperatorCommands::MakeUrgent(const std::vector<std::string>& names,
                                            const std::string& actor, const Now& now) {
  for (const std::string& name : names) {
    if (parts_.catalog.claims().FindResource(name) == nullptr)
      return Fail(ResourceNotFound(parts_.catalog, name));
  }
  store::StoreChange change;
  for (const std::string& name : names) {
    parts_.catalog.ages().WaiveSettling(name);
    const ResourceEntry& entry = *parts_.catalog.claims().FindResource(name);
    parts_.schedule.requesters().AskForRetry(entry.place.target);
    change.events.push_back({now.wall, EventType::kNormal, "SettlingWaived", name,
                             entry.place.target.empty() ? std::string() : entry.place.target->name,
                             "removals do not wait for the manifests directory to settle", actor});
  }
  parts_.outbox.Record(std::move(change));
  parts_.scans.CheckWithheld(now);
  return {};
}

Expected<void> OperatorCommands::Suspend(const std::vector<std::string>& names, bool suspend,
                                         const std::string& actor, const Now& now) {
  for (const std::string& name : names) {
    if (parts_.catalog.claims().FindResource(name) == nullptr)
      return Fail(ResourceNotFound(parts_.catalog, name));
  }
  store::StoreChange change;
  SetSuspended(names, suspend, actor, change, now);
  parts_.outbox.Record(std::move(change));
  return {};
}

void OperatorCommands::SetSuspended(const std::vector<std::string>& names, bool suspend,
                                    const std::string& actor, store::StoreChange& change,
                                    const Now& now) {
  const auto check = controller::SetSuspended(parts_.catalog, parts_.rollbacks,
                                              {names, suspend, actor}, change, now);
  for (const TargetKey& key : check) parts_.schedule.CheckAnew(key, now);
}

Expected<void> OperatorCommands::MayRollBack(const std::string& name) const {
  const auto found = parts_.catalog.claims().resources().find(name);
  if (found == parts_.catalog.claims().resources().end() || !found->second.accepted) {
    return Fail(Code::kNotFound, "no resource \"" + name + "\" is in force");
  }
  if (!found->second.is_lookup()) return {};
  return Fail(Code::kFailedPrecondition,
              "\"" + name +
                  "\" is a lookup: nothing is ever written for it, so there is nothing "
                  "to roll back");
}

Expected<void> OperatorCommands::Rollback(const std::string& name,
                                          const store::RevisionRecord& revision,
                                          const std::string& actor, const Now& now, Reply reply) {
  if (auto may = MayRollBack(name); !may) return may;
  const ResourceEntry* entry = parts_.catalog.claims().FindResource(name);
  if (!(revision.target == *entry->place.target)) {
    return Fail(Code::kInvalidArgument, "revision " + std::to_string(revision.id) +
                                            " is of another target (" + revision.target.name + ")");
  }
  Expected<Json> policy = ParseJson(revision.policy);
  if (!policy) return Fail(policy.error().Wrap("revision " + std::to_string(revision.id)));
  const TargetKey key = entry->place.target;
  std::vector<std::string> enforced;
  for (const ResourceEntry* sibling : parts_.catalog.claims().FindTarget(key)->resources) {
    if (!sibling->suspended_by_operator) enforced.push_back(sibling->name);
  }
  store::StoreChange change;
  // Otherwise the next check would undo what is brought back now.
  SetSuspended(enforced, true, actor, change, now);
  parts_.rollbacks.Begin(key, {revision.id, std::move(*policy), actor, std::move(enforced)},
                         change);
  parts_.outbox.Record(std::move(change));
  parts_.schedule.requesters().Add(key, std::move(reply));
  parts_.schedule.Enqueue(key, Priority::kChange, now.mono);
  return {};
}

Expected<void> OperatorCommands::MayForget(const std::string& name,
                                           const std::set<std::string>& all) const {
  const ResourceEntry* entry = parts_.catalog.claims().FindResource(name);
  if (entry == nullptr) return Fail(ResourceNotFound(parts_.catalog, name));
  if (!entry->leaving()) {
    return Fail(Code::kFailedPrecondition, "the manifest of \"" + name + "\" is still there (" +
                                               entry->source().Text() + "): remove it first");
  }
  const ResourceEntry* remover = parts_.catalog.treatments().FindRemover(*entry, all);
  if (remover == nullptr) return {};
  return Fail(Code::kFailedPrecondition,
              "to forget \"" + name + "\" would take away what it granted: \"" + remover->name +
                  "\" (" + remover->source().Text() + ") declares other roles on " +
                  entry->place.target->name +
                  ", where undeclared roles are removed (undeclaredRoles: remove); "
                  "declare it again, or set undeclaredRoles to keep");
}

Expected<void> OperatorCommands::Forget(const std::vector<std::string>& names,
                                        const std::string& actor, const Now& now) {
  std::set<std::string> all(names.begin(), names.end());
  for (const std::string& name : names) {
    for (std::string& former : parts_.catalog.claims().former().Of(name))
      all.insert(std::move(former));
  }
  for (const std::string& name : all) {
    if (auto may = MayForget(name, all); !may) return may;
  }
  store::StoreChange change;
  for (const std::string& name : all) {
    const ResourceEntry* entry = parts_.catalog.claims().FindResource(name);
    if (entry == nullptr) continue;  // gone with the one before
    const TargetKey target = entry->place.target;
    change.events.push_back({now.wall, EventType::kNormal, "Forgotten", name, target->name,
                             "no longer watched over; what it granted was left as it is", actor});
    parts_.catalog.Forget(name, change);
    if (parts_.catalog.claims().FindTarget(target) != nullptr) {
      parts_.schedule.Enqueue(target, Priority::kChange, now.mono);
    } else {
      parts_.scans.ReleaseTarget(target, now);
    }
  }
  parts_.outbox.Record(std::move(change));
  return {};
}

/// The status follows from the next reading.
void OperatorCommands::CheckAll(const std::vector<Target>& targets, const Now& now) {
  for (const Target& target : targets) {
    parts_.schedule.Enqueue(parts_.catalog.claims().MakeKey(target), Priority::kChange, now.mono);
  }
}

Expected<OperatorCommands::Decided> OperatorCommands::Approve(const std::string& digest,
                                                              const std::string& actor,
                                                              const Now& now) {
  parts_.removals.Sync(now);
  store::StoreChange change;
  Expected<Decided> decided = parts_.removals.holds().Approve(digest, actor, change, now);
  if (!decided) return decided;
  parts_.removals.awaiting().Approved(decided->roles);
  CheckAll(decided->targets, now);
  parts_.outbox.Record(std::move(change));
  return decided;
}

Expected<OperatorCommands::Decided> OperatorCommands::Deny(const std::string& digest,
                                                           const std::string& actor,
                                                           const Now& now) {
  parts_.removals.Sync(now);
  store::StoreChange change;
  Expected<Decided> decided = parts_.removals.holds().Deny(digest, actor, change, now);
  if (!decided) return decided;
  CheckAll(decided->targets, now);
  parts_.outbox.Record(std::move(change));
  return decided;
}

}  // namespace bindery::controller
