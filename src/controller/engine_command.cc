// What people ask for: check now, suspend, forget. Rolling back is in engine_rollback.cc, approving
// in engine_pass.cc.

#include <fmt/format.h>

#include <utility>

#include "controller/engine.h"
#include "controller/no_resource.h"

namespace bindery {

Expected<void> Engine::Reconcile(const std::vector<std::string>& names, const Now& now,
                                 const Reply& reply) {
  for (const std::string& name : names) {
    const ResourceEntry* entry = catalog_.FindResource(name);
    if (entry == nullptr) return Fail(NoResource(catalog_, name));
    if (!entry->accepted) {
      return Fail(Code::kFailedPrecondition,
                  "\"" + name + "\" is not in force: " + entry->status->message);
    }
  }
  for (const std::string& name : names) {
    const TargetKey key = catalog_.FindResource(name)->target;
    if (reply) waiting_replies_.emplace(key, reply);
    NoteCaller(key);
    Enqueue(key, Priority::kChange, now.mono);
  }
  return {};
}

void Engine::CheckRequested(const std::vector<std::string>& names, const std::string& actor,
                            const Now& now) {
  Event event{now.wall, EventType::kNormal, "CheckRequested", "", "", "to be checked now", actor};
  if (names.size() == 1) {
    const ResourceEntry& entry = *catalog_.FindResource(names.front());
    event.resource = names.front();
    if (!entry.target.empty()) event.target = entry.target->name;
  } else {
    event.message = fmt::format("{} resources are to be checked now", names.size());
  }
  StoreChange change;
  Emit(change, std::move(event));
  actions_.changes.push_back(std::move(change));
}

void Engine::SuspendClaim(const ResourceEntry& entry, bool suspend, StoreChange& change,
                          const Now& now) {
  // Enforcing again ends a rollback that still waits.
  const auto rollback = rollbacks_.find(entry.target);
  if (!suspend && rollback != rollbacks_.end()) {
    EndRollback(entry.target, rollback->second.revision, change);
  }
  if (!entry.accepted) return;
  catalog_.FindTarget(entry.target)->confirmed_body = {};
  Enqueue(entry.target, Priority::kChange, now.mono);
}

Expected<void> Engine::Suspend(const std::vector<std::string>& names, bool suspend,
                               const std::string& actor, const Now& now) {
  for (const std::string& name : names) {
    if (catalog_.FindResource(name) == nullptr) return Fail(NoResource(catalog_, name));
  }
  StoreChange change;
  SetSuspended(names, suspend, actor, change, now);
  if (!change.empty()) actions_.changes.push_back(std::move(change));
  return {};
}

/// With the claims they had before. Names that nobody has are passed over.
void Engine::SetSuspended(const std::vector<std::string>& names, bool suspend,
                          const std::string& actor, StoreChange& change, const Now& now) {
  for (const std::string& name : names) {
    std::vector<std::string> claims = catalog_.FormerClaimsOf(name);
    claims.insert(claims.begin(), name);
    for (const std::string& claim : claims) {
      ResourceEntry* entry = catalog_.FindResource(claim);
      if (entry == nullptr || entry->suspended_by_operator == suspend) continue;
      entry->suspended_by_operator = suspend;
      change.upsert_resources.push_back(catalog_.RecordOf(*entry));
      Emit(change, {now.wall, EventType::kNormal, suspend ? "Suspended" : "Resumed", claim,
                    entry->target.empty() ? std::string() : entry->target->name,
                    suspend ? "no longer checked or written" : "checked and written again", actor});
      SuspendClaim(*entry, suspend, change, now);
    }
  }
}

Expected<void> Engine::MayForget(const std::string& name, const std::set<std::string>& all) {
  const ResourceEntry* entry = catalog_.FindResource(name);
  if (entry == nullptr) return Fail(NoResource(catalog_, name));
  if (!entry->leaving()) {
    return Fail(Code::kFailedPrecondition, "the manifest of \"" + name + "\" is still there (" +
                                               entry->source().Text() + "): remove it first");
  }
  const ResourceEntry* remover = catalog_.RemoverOf(*entry, all);
  if (remover == nullptr) return {};
  return Fail(Code::kFailedPrecondition,
              "to forget \"" + name + "\" would take away what it granted: \"" + remover->name +
                  "\" (" + remover->source().Text() + ") declares other roles on " +
                  entry->target->name +
                  ", where what nobody declares is removed (reconcile.undeclaredRoles: remove); "
                  "declare it again, or set undeclaredRoles to keep");
}

Expected<void> Engine::Forget(const std::vector<std::string>& names, const std::string& actor,
                              const Now& now) {
  std::set<std::string> all(names.begin(), names.end());
  for (const std::string& name : names) {
    for (std::string& former : catalog_.FormerClaimsOf(name)) all.insert(std::move(former));
  }
  for (const std::string& name : all) {
    if (auto may = MayForget(name, all); !may) return may;
  }
  StoreChange change;
  for (const std::string& name : all) {
    const ResourceEntry* entry = catalog_.FindResource(name);
    if (entry == nullptr) continue;  // gone with the one before
    const TargetKey target = entry->target;
    Emit(change, {now.wall, EventType::kNormal, "Forgotten", name, target->name,
                  "no longer watched over; what it granted was left as it is", actor});
    catalog_.Forget(name, change);
    // Who was kept from what it held may have it now.
    resolve_due_ = resolve_due_ || catalog_.awaits_forget();
    if (catalog_.FindTarget(target) != nullptr) {
      Enqueue(target, Priority::kChange, now.mono);
    } else {
      Unqueue(target);
      LeavePass(target);
      DropHold(*target, now);
    }
  }
  if (!change.empty()) actions_.changes.push_back(std::move(change));
  return {};
}

}  // namespace bindery
