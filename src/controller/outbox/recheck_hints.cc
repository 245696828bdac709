#include "controller/outbox/recheck_hints.h"

#include <algorithm>

#include "core/access/claim_part.h"

namespace bindery::controller {

using std::chrono::milliseconds;

namespace {

bool IsOver(const Now& until, const Now& now) {
  return now.mono >= until.mono || now.wall >= until.wall;
}

/// An index shows grants only.
bool ClaimsSettings(const TargetEntry& target) {
  return std::ranges::any_of(target.resources, [](const ResourceEntry* entry) {
    const std::string_view role = entry->place.role.str();
    return role == kPolicyAndSettings || IsSetting(role);
  });
}

/// The last check found everything as declared, and nothing is to be done since.
bool IsInOrder(const TargetEntry& target) {
  return !target.last_synced_digest.empty() && target.unresolved == nullptr &&
         target.calls.checked && target.calls.failures == 0 && target.drift.open->empty() &&
         target.habit.level == 0;
}

/// A hint may stand for reads of the target.
bool MayBeWatched(const TargetEntry& target) {
  return IsInOrder(target) && !target.is_lookup() && !target.OwnInterval() &&
         !ClaimsSettings(target);
}

}  // namespace

bool RecheckHints::Set(const HintedTargets& hinted, const Claims::Targets& targets) {
  const auto former = providers_.find(hinted.provider);
  if (former == providers_.end() && hinted.targets == nullptr) return false;
  if (former != providers_.end() && hinted.targets != nullptr &&
      former->second.made_of == hinted.targets) {
    former->second.until = hinted.until;
    return false;
  }
  Hints hints;
  hints.until = hinted.until;
  hints.made_of = hinted.targets;
  static const TargetPolicies kNone;
  for (const auto& [target, policy] : hinted.targets != nullptr ? *hinted.targets : kNone) {
    const auto found = targets.find(target);
    if (found == targets.end() || found->second.provider.str() != hinted.provider) continue;
    Hint hint{policy, std::nullopt};
    if (former != providers_.end()) {
      const auto known = former->second.targets.find(target);
      if (known != former->second.targets.end()) hint.read = known->second.read;
    }
    // A target that two resources of the index stand for has one policy.
    hints.targets.insert_or_assign(found->second.target, hint);
  }
  if (former != providers_.end()) providers_.erase(former);
  if (!hints.targets.empty()) providers_.emplace(hinted.provider, std::move(hints));
  return true;
}

RecheckHints::Hint* RecheckHints::HintOn(const TargetEntry& target) {
  const auto hints = providers_.find(target.provider.str());
  if (hints == providers_.end()) return nullptr;
  const auto found = hints->second.targets.find(target.target);
  return found == hints->second.targets.end() ? nullptr : &found->second;
}

void RecheckHints::Drop(const TargetEntry& target) {
  const auto hints = providers_.find(target.provider.str());
  if (hints == providers_.end()) return;
  if (hints->second.targets.erase(target.target) > 0) hints->second.made_of.reset();
  if (hints->second.targets.empty()) providers_.erase(hints);
}

void RecheckHints::NoteSeen(const TargetEntry& target, const Sha256Digest& policy) {
  const Hint* hint = HintOn(target);
  if (hint != nullptr && hint->policy != policy) Drop(target);
}

void RecheckHints::NoteRead(const TargetEntry& target, MonoTime now, milliseconds phase) {
  if (Hint* hint = HintOn(target)) hint->read = hint->read ? now : now - phase;
}

void RecheckHints::DropOld(const Now& now) {
  std::erase_if(providers_, [&](const auto& entry) { return IsOver(entry.second.until, now); });
}

bool RecheckHints::AnyOld(const Now& now) const {
  return std::ranges::any_of(providers_,
                             [&](const auto& entry) { return IsOver(entry.second.until, now); });
}

const RecheckHints::Hint* RecheckHints::Find(const TargetEntry& target, const Now& now) const {
  if (exact_.count() == 0 || providers_.empty()) return nullptr;
  const auto hints = providers_.find(target.provider.str());
  if (hints == providers_.end() || IsOver(hints->second.until, now)) return nullptr;
  const auto found = hints->second.targets.find(target.target);
  if (found == hints->second.targets.end()) return nullptr;
  return found->second.policy == target.reading.policy_digest ? &found->second : nullptr;
}

RecheckHints::Watch RecheckHints::Judge(const TargetEntry& target, const Now& now) const {
  const Hint* hint = Find(target, now);
  if (hint == nullptr || !MayBeWatched(target)) return Watch::kNot;
  return hint->read ? Watch::kRead : Watch::kUnread;
}

std::optional<MonoTime> RecheckHints::PutsOff(const TargetEntry& target, milliseconds next,
                                              const Now& now) const {
  const Hint* hint = Find(target, now);
  if (hint == nullptr || !hint->read) return std::nullopt;
  const MonoTime latest = *hint->read + exact_ - next;
  if (now.mono > latest || !MayBeWatched(target)) return std::nullopt;
  return latest;
}

}  // namespace bindery::controller
