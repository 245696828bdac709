// What people ask for: check now, suspend, forget, roll back. Approving is in engine_pass.cc.

#include <utility>

#include "controller/engine.h"

namespace bindery {

Expected<void> Engine::Reconcile(const std::vector<std::string>& names, const Now& now,
                                 const Reply& reply) {
  for (const std::string& name : names) {
    const ResourceEntry* entry = catalog_.FindResource(name);
    if (entry == nullptr) return Fail(Code::kNotFound, "no resource \"" + name + "\"");
    if (!entry->record.accepted) {
      return Fail(Code::kFailedPrecondition,
                  "\"" + name + "\" is not in force: " + entry->record.status.message);
    }
  }
  for (const std::string& name : names) {
    const std::string key = catalog_.FindResource(name)->record.target.Key();
    if (reply) waiting_replies_.emplace(key, reply);
    Enqueue(key, Priority::kChange, now.mono);
  }
  return {};
}

void Engine::SuspendClaim(const ResourceEntry& entry, bool suspend, const Now& now) {
  // Enforcing again ends a rollback that still waits for the guard.
  if (!suspend) rollbacks_.erase(entry.record.target.Key());
  if (entry.record.accepted) Enqueue(entry.record.target.Key(), Priority::kChange, now.mono);
}

Expected<void> Engine::Suspend(const std::vector<std::string>& names, bool suspend,
                               const std::string& actor, const Now& now) {
  for (const std::string& name : names) {
    if (catalog_.FindResource(name) == nullptr) {
      return Fail(Code::kNotFound, "no resource \"" + name + "\"");
    }
  }
  StoreChange change;
  for (const std::string& name : names) {
    ResourceEntry& entry = *catalog_.FindResource(name);
    if (entry.record.suspended == suspend) continue;
    entry.record.suspended = suspend;
    change.upsert_resources.push_back(entry.record);
    Emit(change, {now.wall, EventType::kNormal, suspend ? "Suspended" : "Resumed", name,
                  entry.record.target.name,
                  suspend ? "no longer checked or written" : "checked and written again", actor});
    SuspendClaim(entry, suspend, now);
    for (const std::string& former : catalog_.FormerClaimsOf(name)) {
      ResourceEntry& claim = *catalog_.FindResource(former);
      claim.record.suspended = suspend;
      change.upsert_resources.push_back(claim.record);
      SuspendClaim(claim, suspend, now);
    }
  }
  if (!change.empty()) actions_.changes.push_back(std::move(change));
  return {};
}

Expected<void> Engine::Forget(const std::vector<std::string>& names, const std::string& actor,
                              const Now& now) {
  for (const std::string& name : names) {
    const ResourceEntry* entry = catalog_.FindResource(name);
    if (entry == nullptr) return Fail(Code::kNotFound, "no resource \"" + name + "\"");
    if (!entry->leaving()) {
      return Fail(Code::kFailedPrecondition,
                  "the manifest of \"" + name + "\" is still there (" + entry->record.source_file +
                      ":" + std::to_string(entry->record.source_line) + "): remove it first");
    }
  }
  StoreChange change;
  for (const std::string& name : names) {
    const ResourceEntry* entry = catalog_.FindResource(name);
    if (entry == nullptr) continue;  // named twice, or gone with the one before
    const Target target = entry->record.target;
    Emit(change, {now.wall, EventType::kNormal, "Forgotten", name, target.name,
                  "no longer watched over; what it granted was left as it is", actor});
    catalog_.Forget(name, change);
    if (catalog_.FindTarget(target.Key()) != nullptr) {
      Enqueue(target.Key(), Priority::kChange, now.mono);
    } else {
      queue_.Remove(target.Key());
      LeavePass(target.Key());
      DropHold(target, now);
    }
  }
  if (!change.empty()) actions_.changes.push_back(std::move(change));
  return {};
}

Expected<void> Engine::Rollback(const std::string& name, const RevisionRecord& revision,
                                const std::string& actor, const Now& now, Reply reply) {
  const ResourceEntry* entry = catalog_.FindResource(name);
  if (entry == nullptr || !entry->record.accepted) {
    return Fail(Code::kNotFound, "no resource \"" + name + "\" is in force");
  }
  if (!(revision.target == entry->record.target)) {
    return Fail(Code::kInvalidArgument, "revision " + std::to_string(revision.id) +
                                            " is of another target (" + revision.target.name + ")");
  }
  Expected<Json> policy = ParseJson(revision.policy);
  if (!policy) return Fail(policy.error().Wrap("revision " + std::to_string(revision.id)));
  const std::string key = entry->record.target.Key();
  const std::set<std::string> siblings = catalog_.FindTarget(key)->resources;
  // Otherwise the next check would undo what is brought back now.
  if (auto suspended = Suspend({siblings.begin(), siblings.end()}, true, actor, now); !suspended) {
    return suspended;
  }
  rollbacks_[key] = {revision.id, std::move(*policy), actor};
  if (reply) waiting_replies_.emplace(key, std::move(reply));
  Enqueue(key, Priority::kChange, now.mono);
  return {};
}

}  // namespace bindery
