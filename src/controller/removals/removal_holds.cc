#include "controller/removals/removal_holds.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "controller/claims/claim_status.h"
#include "controller/claims/status_code.h"
#include "controller/guard/guard_record.h"
#include "core/text/count.h"
#include "core/text/shortened.h"

namespace bindery::controller {
namespace {

/// A hold can be named by a prefix of at least this many digits.
constexpr std::size_t kShortestBeginning = 6;

/// The first few principals with a loss, and the loss of each.
std::string LossesIn(const HeldRemovals& all) {
  constexpr std::size_t kTold = 3;
  std::string text;
  std::size_t count = 0;
  for (const auto& [key, held] : all.by_target()) {
    for (const Removal& removal : held.removals.grants) {
      if (++count > kTold) continue;
      text += fmt::format("{}{} would lose {} on {}", text.empty() ? "" : ", ",
                          Shortened(removal.grant.principal), Shortened(RoleText(removal.grant)),
                          held.removals.target.name);
    }
  }
  if (count > kTold) text += fmt::format(" and {} more", count - kTold);
  return text;
}

RemovalHolds::Decided MakeDecided(const store::HoldRecord& hold, std::vector<Target> targets) {
  RemovalHolds::Decided decided{hold.digest, std::move(targets)};
  for (const HeldRemovals::Entry& held : HeldOnRecordIn(hold)) {
    decided.grants += held.removals.grants.size();
    for (const Removal& removal : held.removals.grants) {
      decided.roles.emplace(held.removals.target, removal.grant.role);
    }
  }
  return decided;
}

/// All waiting removals are reported by one count, also removals that were reported before the last
/// removal came.
void RetellHeld(const Guard& guard, const Catalog& catalog, store::StoreChange& change,
                const Now& now) {
  for (const auto& [key, held] : guard.held().by_target()) {
    const TargetEntry* target = catalog.claims().FindTarget(held.removals.target);
    if (target == nullptr) continue;
    for (ResourceEntry* entry : target->resources) {
      if (GetCode(*entry->standing.status) != StatusCode::kGuardHeld) continue;
      std::ignore =
          SetStatus(catalog.claims(), *entry,
                    {ResourceStatus{ResourceState::kStalled, std::string(reason::kGuardHeld),
                                    GuardHeldText(InWords(held.reasons))}},
                    now, change);
    }
  }
}

}  // namespace

bool RemovalHolds::Drop(const Target& target, store::StoreChange& change) {
  const bool waited = guard_.Withdraw(target);
  if (!approvals_.empty()) SettleApproval(target, change);
  return waited;
}

void RemovalHolds::SettleApproval(const Target& target, store::StoreChange& change) {
  if (guard_.answers().HasApproval(target)) return;
  for (Approval& approval : approvals_) {
    if (approval.targets.erase(target) == 0 || !approval.targets.empty()) continue;
    approval.hold.state = HoldState::kReleased;
    change.upsert_holds.push_back(approval.hold);
  }
  std::erase_if(approvals_, [](const Approval& approval) { return approval.targets.empty(); });
}

void RemovalHolds::Restore(const StoredState& stored, store::StoreChange& change) {
  for (const store::HoldRecord& hold : stored.holds) RestoreHold(hold, change);
  for (const store::RemovalRecord& removal : stored.removals) guard_.recent().Restore(removal);
  guard_.BeginRun(catalog_.claims().DeclaredGrants());
}

void RemovalHolds::RestoreHold(const store::HoldRecord& hold, store::StoreChange& change) {
  if (hold.state == HoldState::kWithdrawn || hold.state == HoldState::kReleased) return;
  Approval approval{hold, {}};
  for (HeldRemovals::Entry& held : HeldOnRecordIn(hold)) {
    const TargetEntry* target = catalog_.claims().FindTarget(held.removals.target);
    if (target == nullptr) continue;
    held.removals.resources = target->Names();
    approval.targets.insert(held.removals.target);
    guard_.Restore(std::move(held), hold);
  }
  if (hold.state == HoldState::kDenied) {
    denials_.push_back(hold);
  } else if (hold.state == HoldState::kOpen) {
    hold_ = hold;
  } else if (!approval.targets.empty()) {
    approvals_.push_back(std::move(approval));
  } else {
    approval.hold.state = HoldState::kReleased;
    change.upsert_holds.push_back(std::move(approval.hold));
  }
}

void RemovalHolds::Sync(store::StoreChange& change, const Now& now) {
  SyncDenials(change, now);
  const std::string digest = guard_.held().Digest();
  if (digest == hold_.digest) return;
  if (!hold_.digest.empty() && hold_.state == HoldState::kOpen) {
    hold_.state = HoldState::kWithdrawn;
    change.upsert_holds.push_back(hold_);
  }
  hold_ = {};
  if (digest.empty()) return;
  Open(digest, change, now);
  RetellHeld(guard_, catalog_, change, now);
}

/// Requires: no hold is on record.
void RemovalHolds::Open(const std::string& digest, store::StoreChange& change, const Now& now) {
  hold_.digest = digest;
  hold_.created = now.wall;
  hold_.reason = guard_.held().Reason();
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
                   hold_.reason, LossesIn(guard_.held()), digest, digest),
       "bindery"});
}

/// What was denied and is not wanted any more is not denied any more either.
void RemovalHolds::SyncDenials(store::StoreChange& change, const Now& now) {
  for (store::HoldRecord& denial : denials_) {
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
                [](const store::HoldRecord& denial) { return denial.state != HoldState::kDenied; });
}

const store::HoldRecord* RemovalHolds::FindDenial(const Target& target) const {
  for (const store::HoldRecord& denial : denials_) {
    for (const HeldRemovals::Entry& held : HeldOnRecordIn(denial)) {
      if (held.removals.target == target) return &denial;
    }
  }
  return nullptr;
}

/// The hold, open or denied, with the digest or its beginning.
Expected<store::HoldRecord> RemovalHolds::Find(const std::string& digest) const {
  const auto named = [&](const store::HoldRecord& hold) {
    return !hold.digest.empty() && digest.size() >= kShortestBeginning &&
           hold.digest.starts_with(digest);
  };
  if (named(hold_)) return hold_;
  const auto denial = std::find_if(denials_.begin(), denials_.end(), named);
  if (denial != denials_.end()) return *denial;
  if (hold_.digest.empty() && denials_.empty()) return Fail(Code::kNotFound, "nothing is held");
  std::string others;
  if (!hold_.digest.empty()) others = "what is held now is \"" + hold_.digest + "\"";
  for (const store::HoldRecord& denied : denials_) {
    others += (others.empty() ? "\"" : ", \"") + denied.digest + "\" was denied";
  }
  return Fail(Code::kNotFound, "nothing is held under \"" + digest + "\"; " + others);
}

Expected<RemovalHolds::Decided> RemovalHolds::Approve(const std::string& digest,
                                                      const std::string& actor,
                                                      store::StoreChange& change, const Now& now) {
  Expected<store::HoldRecord> hold = Find(digest);
  if (!hold) return Fail(hold.error());
  const std::vector<Target> released = guard_.Approve(hold->digest);
  std::erase_if(denials_,
                [&](const store::HoldRecord& denial) { return denial.digest == hold->digest; });
  if (hold_.digest == hold->digest) hold_ = {};
  hold->state = HoldState::kApproved;
  hold->actor = actor;
  change.upsert_holds.push_back(*hold);
  change.events.push_back({now.wall, EventType::kNormal, "GuardApproved", "", "",
                           fmt::format("removals on {} under {} may go on",
                                       Count(released.size(), "target"), hold->digest),
                           actor});
  Decided decided = MakeDecided(*hold, released);
  approvals_.push_back({std::move(*hold), {released.begin(), released.end()}});
  return decided;
}

Expected<RemovalHolds::Decided> RemovalHolds::Deny(const std::string& digest,
                                                   const std::string& actor,
                                                   store::StoreChange& change, const Now& now) {
  Expected<store::HoldRecord> hold = Find(digest);
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
                   Count(kept.size(), "target"), hold->digest, hold->digest),
       actor});
  Decided decided = MakeDecided(*hold, kept);
  denials_.push_back(std::move(*hold));
  return decided;
}

}  // namespace bindery::controller
