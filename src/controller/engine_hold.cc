// What waits for an operator, and what one decided on.

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "controller/engine.h"
#include "controller/guard_record.h"

namespace bindery {
namespace {

/// A beginning of so many digits names a hold.
constexpr std::size_t kShortestBeginning = 6;

std::string TargetsText(std::size_t count) {
  return fmt::format("{} target{}", count, count == 1 ? "" : "s");
}

std::size_t GrantsIn(const HoldRecord& hold) {
  std::size_t count = 0;
  for (const HeldOnRecord& held : HeldOnRecordIn(hold)) count += held.removals.grants.size();
  return count;
}

/// The first few of those who would lose something, and what.
std::string LossesIn(const std::vector<Removals>& held) {
  constexpr std::size_t kTold = 3;
  std::string text;
  std::size_t count = 0;
  for (const Removals& removals : held) {
    for (const Removal& removal : removals.grants) {
      if (++count > kTold) continue;
      text += fmt::format("{}{} would lose {} on {}", text.empty() ? "" : ", ",
                          removal.grant.principal, RoleText(removal.grant), removals.target.name);
    }
  }
  if (count > kTold) text += fmt::format(" and {} more", count - kTold);
  return text;
}

/// All that waits is told by one count, also where it was told of before the last of it came.
void RetellHeld(const Guard& guard, Catalog& catalog, StoreChange& change, const Now& now) {
  for (const Removals& held : guard.Held()) {
    const TargetEntry* target = catalog.FindTarget(held.target);
    if (target == nullptr) continue;
    for (ResourceEntry* entry : target->resources) {
      if (entry->status->reason != reason::kGuardHeld) continue;
      std::ignore =
          catalog.SetStatus(*entry,
                            ResourceStatus{ResourceState::kStalled, std::string(reason::kGuardHeld),
                                           GuardHeldText(guard.ReasonOf(held.target))},
                            now, change);
    }
  }
}

}  // namespace

/// There is nothing to remove on that target any more, so nothing waits and nothing is approved.
void Engine::DropHold(const Target& target, const Now& now) {
  const bool waited = guard_.Withdraw(target);
  if (!approvals_.empty()) {
    StoreChange change;
    SettleApproval(target, change);
    if (!change.empty()) actions_.changes.push_back(std::move(change));
  }
  // While a pass is read the hold shrinks and grows; it is put on record when the pass was judged.
  if (waited && !pass_deadline_) SyncHold(now);
}

/// That target has what an operator let through behind it.
void Engine::SettleApproval(const Target& target, StoreChange& change) {
  if (guard_.HasApproval(target)) return;
  for (Approval& approval : approvals_) {
    if (approval.targets.erase(target) == 0 || !approval.targets.empty()) continue;
    approval.hold.state = "released";
    change.upsert_holds.push_back(approval.hold);
  }
  std::erase_if(approvals_, [](const Approval& approval) { return approval.targets.empty(); });
}

/// Takes over what the last run held, was allowed to remove, must not remove, and has removed of
/// late.
void Engine::RestoreGuard(const StoredState& stored, StoreChange& change) {
  for (const HoldRecord& hold : stored.holds) RestoreHold(hold, change);
  for (const RemovalRecord& removal : stored.removals) guard_.RestoreRemoved(removal);
  guard_.BeginRun(catalog_.DeclaredGrants());
}

void Engine::RestoreHold(const HoldRecord& hold, StoreChange& change) {
  const bool approved = hold.state == "approved";
  const bool denied = hold.state == "denied";
  if (!approved && !denied && hold.state != "open") return;
  Approval approval{hold, {}};
  for (HeldOnRecord& held : HeldOnRecordIn(hold)) {
    const TargetEntry* target = catalog_.FindTarget(held.removals.target);
    if (target == nullptr) continue;
    held.removals.resources = target->Names();
    approval.targets.insert(held.removals.target);
    guard_.Restore(std::move(held), hold);
  }
  if (denied) {
    denials_.push_back(hold);
  } else if (!approved) {
    hold_ = hold;
  } else if (!approval.targets.empty()) {
    approvals_.push_back(std::move(approval));
  } else {
    approval.hold.state = "released";
    change.upsert_holds.push_back(std::move(approval.hold));
  }
}

/// Keeps what is on record equal to what the guard withholds.
void Engine::SyncHold(const Now& now) {
  StoreChange change;
  SyncDenials(change, now);
  const std::string digest = guard_.Digest();
  if (digest != hold_.digest) {
    if (!hold_.digest.empty() && hold_.state == "open") {
      hold_.state = "withdrawn";
      change.upsert_holds.push_back(hold_);
    }
    hold_ = {};
    if (!digest.empty()) {
      OpenHold(digest, change, now);
      RetellHeld(guard_, catalog_, change, now);
    }
  }
  if (!change.empty()) actions_.changes.push_back(std::move(change));
}

void Engine::OpenHold(const std::string& digest, StoreChange& change, const Now& now) {
  hold_.digest = digest;
  hold_.created = now.wall;
  hold_.state = "open";
  hold_.reason = guard_.Reason();
  hold_.purpose = "pass";
  for (const auto& [key, rollback] : rollbacks_) {
    const TargetEntry* target = catalog_.FindTarget(key);
    if (target == nullptr || !guard_.IsHeld(*target->target)) continue;
    hold_.purpose = "rollback:" + std::to_string(rollback.revision);
  }
  hold_.items = guard_.Items().dump();
  change.upsert_holds.push_back(hold_);
  Emit(
      change,
      {now.wall, EventType::kWarning, std::string(reason::kGuardHeld), "", "",
       fmt::format("{}: {}. bindery guard approve {} lets exactly this through, bindery guard deny "
                   "{} keeps it as it is",
                   hold_.reason, LossesIn(guard_.Held()), digest, digest),
       "bindery"});
}

/// What was denied and is not wanted any more is not denied any more either.
void Engine::SyncDenials(StoreChange& change, const Now& now) {
  for (HoldRecord& denial : denials_) {
    const Json items = guard_.DeniedItems(denial.digest);
    std::string text = items.dump();
    if (text == denial.items) continue;
    denial.items = std::move(text);
    if (items.empty()) {
      denial.state = "withdrawn";
      Emit(change,
           {now.wall, EventType::kNormal, "GuardDenialEnded", "", "",
            "what was denied under " + denial.digest + " is not wanted any more", "bindery"});
    }
    change.upsert_holds.push_back(denial);
  }
  std::erase_if(denials_, [](const HoldRecord& denial) { return denial.state != "denied"; });
}

const HoldRecord* Engine::DenialOf(const Target& target) const {
  const auto denial =
      std::find_if(denials_.begin(), denials_.end(), [&](const HoldRecord& candidate) {
        const auto held = HeldOnRecordIn(candidate);
        return std::any_of(held.begin(), held.end(),
                           [&](const HeldOnRecord& one) { return one.removals.target == target; });
      });
  return denial == denials_.end() ? nullptr : &*denial;
}

/// The hold, open or denied, that the digest or its beginning names.
Expected<HoldRecord> Engine::FindHold(const std::string& digest) const {
  const auto named = [&](const HoldRecord& hold) {
    return !hold.digest.empty() && digest.size() >= kShortestBeginning &&
           hold.digest.starts_with(digest);
  };
  if (named(hold_)) return hold_;
  const auto denial = std::find_if(denials_.begin(), denials_.end(), named);
  if (denial != denials_.end()) return *denial;
  if (hold_.digest.empty() && denials_.empty()) return Fail(Code::kNotFound, "nothing is held");
  std::string others;
  if (!hold_.digest.empty()) others = "what is held now is \"" + hold_.digest + "\"";
  for (const HoldRecord& denied : denials_) {
    others += (others.empty() ? "\"" : ", \"") + denied.digest + "\" was denied";
  }
  return Fail(Code::kNotFound, "nothing is held under \"" + digest + "\"; " + others);
}

/// Its targets are looked at again, and say how they stand now.
Engine::Decided Engine::DecidedOn(const HoldRecord& hold, const std::vector<Target>& targets,
                                  const Now& now) {
  for (const Target& target : targets) {
    Enqueue(catalog_.KeyOf(target), Priority::kChange, now.mono);
  }
  return {hold.digest, targets.size(), GrantsIn(hold)};
}

Expected<Engine::Decided> Engine::Approve(const std::string& digest, const std::string& actor,
                                          const Now& now) {
  SyncHold(now);
  Expected<HoldRecord> hold = FindHold(digest);
  if (!hold) return Fail(hold.error());
  const std::vector<Target> released = guard_.Approve(hold->digest);
  std::erase_if(denials_, [&](const HoldRecord& denial) { return denial.digest == hold->digest; });
  if (hold_.digest == hold->digest) hold_ = {};
  hold->state = "approved";
  hold->actor = actor;
  StoreChange change;
  change.upsert_holds.push_back(*hold);
  Emit(change, {now.wall, EventType::kNormal, "GuardApproved", "", "",
                fmt::format("removals on {} under {} may go on", TargetsText(released.size()),
                            hold->digest),
                actor});
  AnswerQuestionFor(*hold);
  const Decided decided = DecidedOn(*hold, released, now);
  approvals_.push_back({std::move(*hold), {released.begin(), released.end()}});
  actions_.changes.push_back(std::move(change));
  return decided;
}

Expected<Engine::Decided> Engine::Deny(const std::string& digest, const std::string& actor,
                                       const Now& now) {
  SyncHold(now);
  Expected<HoldRecord> hold = FindHold(digest);
  if (!hold) return Fail(hold.error());
  if (hold->state == "denied") {
    return Fail(Code::kFailedPrecondition, "\"" + hold->digest + "\" was denied already, by " +
                                               hold->actor + "; bindery guard approve " +
                                               hold->digest + " still lets it through");
  }
  const std::vector<Target> kept = guard_.Deny(hold->digest);
  hold_ = {};
  hold->state = "denied";
  hold->actor = actor;
  hold->items = guard_.DeniedItems(hold->digest).dump();
  StoreChange change;
  change.upsert_holds.push_back(*hold);
  Emit(change, {now.wall, EventType::kNormal, "GuardDenied", "", "",
                fmt::format("removals on {} under {} were denied: they stay as they are until the "
                            "manifests say something else there, or bindery guard approve {}",
                            TargetsText(kept.size()), hold->digest, hold->digest),
                actor});
  const Decided decided = DecidedOn(*hold, kept, now);
  denials_.push_back(std::move(*hold));
  actions_.changes.push_back(std::move(change));
  return decided;
}

}  // namespace bindery
