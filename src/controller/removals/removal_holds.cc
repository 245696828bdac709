#include "controller/removals/removal_holds.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "controller/claims/claim_status.h"
#include "controller/claims/status_code.h"
#include "controller/guard/guard_record.h"

namespace bindery {
namespace {

/// A hold can be named by a prefix of at least this many digits.
constexpr std::size_t kShortestBeginning = 6;

std::string TargetsText(std::size_t count) {
  return fmt::format("{} target{}", count, count == 1 ? "" : "s");
}

std::size_t GrantsIn(const HoldRecord& hold) {
  std::size_t count = 0;
  for (const HeldRemovals::Entry& held : HeldOnRecordIn(hold)) count += held.removals.grants.size();
  return count;
}

/// The first few principals with a loss, and the loss of each.
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

std::set<std::pair<Target, std::string>> RolesIn(const HoldRecord& hold) {
  std::set<std::pair<Target, std::string>> roles;
  for (const HeldRemovals::Entry& held : HeldOnRecordIn(hold)) {
    for (const Removal& removal : held.removals.grants) {
      roles.emplace(held.removals.target, removal.grant.role);
    }
  }
  return roles;
}

/// All waiting removals are reported by one count, also removals that were reported before the last
/// removal came.
void RetellHeld(const Guard& guard, const Catalog& catalog, StoreChange& change, const Now& now) {
  for (const Removals& held : guard.held().All()) {
    const auto target = catalog.claims().targets().find(held.target);
    if (target == catalog.claims().targets().end()) continue;
    for (ResourceEntry* entry : target->second.resources) {
      if (CodeOf(*entry->standing.status) != StatusCode::kGuardHeld) continue;
      std::ignore =
          SetStatus(catalog.claims(), *entry,
                    {ResourceStatus{ResourceState::kStalled, std::string(reason::kGuardHeld),
                                    GuardHeldText(guard.held().ReasonOf(held.target))}},
                    now, change);
    }
  }
}

}  // namespace

bool RemovalHolds::Drop(const Target& target, StoreChange& change) {
  const bool waited = guard_.Withdraw(target);
  if (!approvals_.empty()) SettleApproval(target, change);
  return waited;
}

void RemovalHolds::SettleApproval(const Target& target, StoreChange& change) {
  if (guard_.answers().HasApproval(target)) return;
  for (Approval& approval : approvals_) {
    if (approval.targets.erase(target) == 0 || !approval.targets.empty()) continue;
    approval.hold.state = HoldState::kReleased;
    change.upsert_holds.push_back(approval.hold);
  }
  std::erase_if(approvals_, [](const Approval& approval) { return approval.targets.empty(); });
}

void RemovalHolds::Restore(const StoredState& stored, StoreChange& change) {
  for (const HoldRecord& hold : stored.holds) RestoreHold(hold, change);
  for (const RemovalRecord& removal : stored.removals) guard_.recent().Restore(removal);
  guard_.BeginRun(catalog_.claims().DeclaredGrants());
}

void RemovalHolds::RestoreHold(const HoldRecord& hold, StoreChange& change) {
  const bool approved = hold.state == HoldState::kApproved;
  const bool denied = hold.state == HoldState::kDenied;
  if (!approved && !denied && hold.state != HoldState::kOpen) return;
  Approval approval{hold, {}};
  for (HeldRemovals::Entry& held : HeldOnRecordIn(hold)) {
    const auto target = catalog_.claims().targets().find(held.removals.target);
    if (target == catalog_.claims().targets().end()) continue;
    held.removals.resources = target->second.Names();
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
    approval.hold.state = HoldState::kReleased;
    change.upsert_holds.push_back(std::move(approval.hold));
  }
}

void RemovalHolds::Sync(StoreChange& change, const Now& now) {
  SyncDenials(change, now);
  const std::string digest = guard_.held().Digest();
  if (digest != hold_.digest) {
    if (!hold_.digest.empty() && hold_.state == HoldState::kOpen) {
      hold_.state = HoldState::kWithdrawn;
      change.upsert_holds.push_back(hold_);
    }
    hold_ = {};
    if (!digest.empty()) {
      Open(digest, change, now);
      RetellHeld(guard_, catalog_, change, now);
    }
  }
}

void RemovalHolds::Open(const std::string& digest, StoreChange& change, const Now& now) {
  hold_.digest = digest;
  hold_.created = now.wall;
  hold_.state = HoldState::kOpen;
  hold_.reason = guard_.held().Reason();
  hold_.purpose = {};
  for (const auto& [key, rollback] : rollbacks_.all()) {
    if (!catalog_.claims().targets().contains(key) || !guard_.held().Has(*key)) continue;
    hold_.purpose = {rollback.revision};
  }
  hold_.items = guard_.held().Items().dump();
  change.upsert_holds.push_back(hold_);
  change.events.push_back(
      {now.wall, EventType::kWarning, std::string(reason::kGuardHeld), "", "",
       fmt::format("{}: {}. bindery guard approve {} lets exactly this through, bindery guard deny "
                   "{} keeps it as it is",
                   hold_.reason, LossesIn(guard_.held().All()), digest, digest),
       "bindery"});
}

/// What was denied and is not wanted any more is not denied any more either.
void RemovalHolds::SyncDenials(StoreChange& change, const Now& now) {
  for (HoldRecord& denial : denials_) {
    const Json items = guard_.answers().DeniedItems(denial.digest);
    std::string text = items.dump();
    if (text == denial.items) continue;
    denial.items = std::move(text);
    if (items.empty()) {
      denial.state = HoldState::kWithdrawn;
      change.events.push_back({now.wall, EventType::kNormal, "GuardDenialEnded", "", "",
                               "what was denied under " + denial.digest + " is not wanted any more",
                               "bindery"});
    }
    change.upsert_holds.push_back(denial);
  }
  std::erase_if(denials_,
                [](const HoldRecord& denial) { return denial.state != HoldState::kDenied; });
}

const HoldRecord* RemovalHolds::DenialOf(const Target& target) const {
  const auto denial =
      std::find_if(denials_.begin(), denials_.end(), [&](const HoldRecord& candidate) {
        const auto held = HeldOnRecordIn(candidate);
        return std::any_of(held.begin(), held.end(), [&](const HeldRemovals::Entry& one) {
          return one.removals.target == target;
        });
      });
  return denial == denials_.end() ? nullptr : &*denial;
}

/// The hold, open or denied, with the digest or its beginning.
Expected<HoldRecord> RemovalHolds::Find(const std::string& digest) const {
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

Expected<RemovalHolds::Decided> RemovalHolds::Approve(const std::string& digest,
                                                      const std::string& actor, StoreChange& change,
                                                      const Now& now) {
  Expected<HoldRecord> hold = Find(digest);
  if (!hold) return Fail(hold.error());
  const std::vector<Target> released = guard_.Approve(hold->digest);
  std::erase_if(denials_, [&](const HoldRecord& denial) { return denial.digest == hold->digest; });
  if (hold_.digest == hold->digest) hold_ = {};
  hold->state = HoldState::kApproved;
  hold->actor = actor;
  change.upsert_holds.push_back(*hold);
  change.events.push_back(
      {now.wall, EventType::kNormal, "GuardApproved", "", "",
       fmt::format("removals on {} under {} may go on", TargetsText(released.size()), hold->digest),
       actor});
  Decided decided{hold->digest, released.size(), GrantsIn(*hold), released, RolesIn(*hold)};
  approvals_.push_back({std::move(*hold), {released.begin(), released.end()}});
  return decided;
}

Expected<RemovalHolds::Decided> RemovalHolds::Deny(const std::string& digest,
                                                   const std::string& actor, StoreChange& change,
                                                   const Now& now) {
  Expected<HoldRecord> hold = Find(digest);
  if (!hold) return Fail(hold.error());
  if (hold->state == HoldState::kDenied) {
    return Fail(Code::kFailedPrecondition, "\"" + hold->digest + "\" was denied already, by " +
                                               hold->actor + "; bindery guard approve " +
                                               hold->digest + " still lets it through");
  }
  const std::vector<Target> kept = guard_.Deny(hold->digest);
  hold_ = {};
  hold->state = HoldState::kDenied;
  hold->actor = actor;
  hold->items = guard_.answers().DeniedItems(hold->digest).dump();
  change.upsert_holds.push_back(*hold);
  change.events.push_back(
      {now.wall, EventType::kNormal, "GuardDenied", "", "",
       fmt::format("removals on {} under {} were denied: they stay as they are until the "
                   "manifests say something else there, or bindery guard approve {}",
                   TargetsText(kept.size()), hold->digest, hold->digest),
       actor});
  Decided decided{hold->digest, kept.size(), GrantsIn(*hold), kept};
  denials_.push_back(std::move(*hold));
  return decided;
}

}  // namespace bindery
