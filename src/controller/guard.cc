// What waits, was approved or was denied. Judging is in guard_judge.cc.

#include "controller/guard.h"

#include <algorithm>
#include <utility>

#include "core/canonical_json.h"
#include "core/digest.h"
#include "providers/kinds.h"

namespace bindery {
namespace {

std::set<std::string> KeysOf(const Removals& removals) {
  std::set<std::string> keys;
  for (const Removal& removal : removals.grants) keys.insert(CanonicalGrant(removal.grant));
  return keys;
}

/// Only what is among `keys` stays. True when some went.
bool KeepOnly(std::vector<Removal>& grants, const std::set<std::string>& keys) {
  return std::erase_if(grants, [&keys](const Removal& removal) {
           return !keys.contains(CanonicalGrant(removal.grant));
         }) > 0;
}

std::string DigestOf(const std::map<std::string, std::set<std::string>>& grants) {
  std::string text;
  for (const auto& [target, keys] : grants) {
    text += target + "\n";
    for (const std::string& key : keys) text += key + "\n";
  }
  // Twelve digits are enough to tell holds apart and short enough to type.
  return Sha256Hex(text).substr(0, 12);
}

Json ItemOf(const Removals& removals, const std::string& reason) {
  const GrantWords& words = TraitsOf(removals.target).words;
  Json grants = Json::array();
  for (const Removal& removal : removals.grants) {
    Json grant = ToJson(removal.grant, words);
    grant["severity"] = ToString(removal.severity);
    grant["cause"] = ToString(removal.cause);
    grants.push_back(std::move(grant));
  }
  return {{"target", removals.target.name},  {"kind", removals.target.kind},
          {"scope", removals.target.scope},  {"provider", removals.provider},
          {"resources", removals.resources}, {"reason", reason},
          {"removes", std::move(grants)}};
}

RemovalWindow::Amount AmountOf(const Target& target, const std::string& provider,
                               std::int64_t count) {
  return {target.Key(), provider, count};
}

}  // namespace

void Guard::SetLimits(const GuardLimits& limits) {
  limits_changed_ = limits_changed_ || (!held_.empty() && !(limits == limits_));
  limits_ = limits;
  declared_.SetLength(limits.window);
  adopted_.SetLength(limits.window);
  held_before_.SetLength(limits.window);
  foreign_.SetLength(limits.foreign_window);
}

void Guard::PassTime(const Now& now) {
  now_ = now;
  for (RemovalWindow* window : {&declared_, &adopted_, &foreign_}) window->PassTime(now);
}

void Guard::BeginRun(std::int64_t held) {
  held_before_.Note(held + declared_.Total(), now_.mono);
  JudgedAnew();
}

void Guard::BeginPass(std::int64_t held_before) { held_before_.Note(held_before, now_.mono); }

bool Guard::IsApproved(const std::string& key, const Grant& grant) const {
  const auto approved = approved_.find(key);
  return approved != approved_.end() && approved->second.contains(CanonicalGrant(grant));
}

bool Guard::IsApproved(const Removals& removals) const {
  const std::string key = removals.target.Key();
  return std::all_of(removals.grants.begin(), removals.grants.end(),
                     [&](const Removal& removal) { return IsApproved(key, removal.grant); });
}

bool Guard::HasApproval(const Target& target) const { return approved_.contains(target.Key()); }

bool Guard::IsDenied(const std::string& key, const Grant& grant) const {
  const auto [begin, end] = denied_.equal_range(key);
  return std::any_of(begin, end, [&](const auto& entry) {
    const auto& grants = entry.second.held.removals.grants;
    return std::any_of(grants.begin(), grants.end(),
                       [&](const Removal& removal) { return removal.grant == grant; });
  });
}

Guard::Counted Guard::CountedOf(const Removals& removals) const {
  const std::string key = removals.target.Key();
  Counted counted;
  for (const Removal& removal : removals.grants) {
    if (removal.cause == RemovalCause::kForeign || IsApproved(key, removal.grant)) continue;
    ++(WasDeclared(removal.cause) ? counted.declared : counted.adopted);
  }
  return counted;
}

void Guard::LetGo(const Removals& removals) {
  const std::string key = removals.target.Key();
  const Counted counted = CountedOf(removals);
  const auto foreign =
      std::count_if(removals.grants.begin(), removals.grants.end(), [&](const Removal& removal) {
        return removal.cause == RemovalCause::kForeign && !IsApproved(key, removal.grant);
      });
  declared_.Reserve(AmountOf(removals.target, removals.provider, counted.declared));
  adopted_.Reserve(AmountOf(removals.target, removals.provider, counted.adopted));
  foreign_.Reserve(AmountOf(removals.target, removals.provider, foreign));
  const auto held = held_.find(key);
  if (held == held_.end()) return;
  const std::set<std::string> going = KeysOf(removals);
  std::erase_if(held->second.removals.grants, [&](const Removal& removal) {
    return going.contains(CanonicalGrant(removal.grant));
  });
  if (held->second.removals.grants.empty()) held_.erase(held);
}

void Guard::TakeBack(const Target& target) {
  for (RemovalWindow* window : {&declared_, &adopted_, &foreign_}) window->Release(target.Key());
}

void Guard::Sent(const Target& target) {
  for (RemovalWindow* window : {&declared_, &adopted_, &foreign_}) window->Sent(target.Key());
}

void Guard::Answered(const Target& target, Outcome outcome) {
  if (outcome == Outcome::kMayHaveHappened) return;
  for (RemovalWindow* window : {&declared_, &adopted_, &foreign_}) {
    if (outcome == Outcome::kHappened) {
      window->Landed(target.Key());
    } else {
      window->Refused(target.Key());
    }
  }
}

void Guard::CarriedOut(const Target& target, const std::vector<Grant>& grants) {
  const auto approved = approved_.find(target.Key());
  if (approved == approved_.end()) return;
  for (const Grant& grant : grants) approved->second.erase(CanonicalGrant(grant));
  if (approved->second.empty()) approved_.erase(approved);
}

void Guard::Refresh(const Removals& wanted) {
  const std::string key = wanted.target.Key();
  const auto approved = approved_.find(key);
  const auto held = held_.find(key);
  if (approved == approved_.end() && held == held_.end() && !denied_.contains(key)) return;
  const std::set<std::string> keys = KeysOf(wanted);
  if (held != held_.end()) {
    KeepOnly(held->second.removals.grants, keys);
    if (held->second.removals.grants.empty()) held_.erase(held);
  }
  if (approved != approved_.end()) {
    std::erase_if(approved->second,
                  [&](const std::string& grant) { return !keys.contains(grant); });
    if (approved->second.empty()) approved_.erase(approved);
  }
  const auto [begin, end] = denied_.equal_range(key);
  for (auto denied = begin; denied != end;) {
    std::vector<Removal>& grants = denied->second.held.removals.grants;
    KeepOnly(grants, keys);
    denied = grants.empty() ? denied_.erase(denied) : std::next(denied);
  }
}

void Guard::Hold(Removals removals, const std::string& reason, const std::string& of_all) {
  const std::string key = removals.target.Key();
  if (!of_all.empty()) {
    for (auto& [other, held] : held_) {
      if (held.of_all.empty()) continue;
      if (held.of_all == of_all) break;  // All are told by one count.
      Retell(held.reason, held.of_all, of_all);
    }
  }
  held_[key] = {std::move(removals), reason, of_all};
  most_held_ = std::max(most_held_, HeldGrants());
}

bool Guard::Withdraw(const Target& target) {
  const std::string key = target.Key();
  approved_.erase(key);
  const bool denied = !denied_.empty() && denied_.erase(key) > 0;
  const bool held = !held_.empty() && held_.erase(key) > 0;
  return denied || held;
}

bool Guard::MayRelease() const {
  return !held_.empty() && (limits_changed_ || HeldGrants() < most_held_);
}

void Guard::JudgedAnew() {
  limits_changed_ = false;
  most_held_ = HeldGrants();
}

std::vector<Removals> Guard::Held() const {
  std::vector<Removals> all;
  for (const auto& [key, held] : held_) all.push_back(held.removals);
  return all;
}

std::int64_t Guard::HeldGrants() const {
  std::int64_t count = 0;
  for (const auto& [key, held] : held_) {
    count += static_cast<std::int64_t>(held.removals.grants.size());
  }
  return count;
}

std::int64_t Guard::DeniedGrants() const {
  std::int64_t count = 0;
  for (const auto& [key, denied] : denied_) {
    count += static_cast<std::int64_t>(denied.held.removals.grants.size());
  }
  return count;
}

std::string Guard::Digest() const {
  if (held_.empty()) return "";
  std::map<std::string, std::set<std::string>> grants;
  for (const auto& [key, held] : held_) grants[key] = KeysOf(held.removals);
  return DigestOf(grants);
}

std::string Guard::ReasonOf(const Target& target) const {
  const auto held = held_.find(target.Key());
  return held == held_.end() ? "" : held->second.reason;
}

std::string Guard::Reason() const {
  std::vector<std::string> reasons;
  for (const auto& [key, held] : held_) {
    if (std::find(reasons.begin(), reasons.end(), held.reason) == reasons.end()) {
      reasons.push_back(held.reason);
    }
  }
  constexpr std::size_t kTold = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kTold, reasons.size()); ++i) {
    text += (text.empty() ? "" : "; ") + reasons[i];
  }
  if (reasons.size() > kTold) text += "; …";
  return text;
}

Json Guard::Items() const {
  Json items = Json::array();
  for (const auto& [key, held] : held_) items.push_back(ItemOf(held.removals, held.reason));
  return items;
}

Json Guard::DeniedItems(const std::string& digest) const {
  Json items = Json::array();
  for (const auto& [key, denied] : denied_) {
    if (denied.digest != digest) continue;
    items.push_back(ItemOf(denied.held.removals, denied.held.reason));
  }
  return items;
}

std::vector<Target> Guard::Approve(const std::string& digest) {
  std::vector<Target> released;
  if (digest.empty()) return released;
  const auto approve = [&](const Removals& removals) {
    RestoreApproval(removals);
    released.push_back(removals.target);
  };
  if (digest == Digest()) {
    for (const auto& [key, held] : held_) approve(held.removals);
    held_.clear();
    most_held_ = 0;
    return released;
  }
  std::erase_if(denied_, [&](const auto& entry) {
    if (entry.second.digest != digest) return false;
    approve(entry.second.held.removals);
    return true;
  });
  return released;
}

std::vector<Target> Guard::Deny(const std::string& digest) {
  std::vector<Target> concerned;
  if (digest.empty() || digest != Digest()) return concerned;
  for (auto& [key, held] : held_) {
    concerned.push_back(held.removals.target);
    denied_.emplace(key, DeniedRemovals{std::move(held), digest});
  }
  held_.clear();
  most_held_ = 0;
  return concerned;
}

void Guard::Restore(HeldOnRecord held, const HoldRecord& hold) {
  if (hold.state == "approved") {
    RestoreApproval(held.removals);
  } else if (hold.state == "denied") {
    const std::string key = held.removals.target.Key();
    denied_.emplace(key, DeniedRemovals{{std::move(held.removals), held.reason}, hold.digest});
  } else if (hold.state == "open") {
    Hold(std::move(held.removals), held.reason);
  }
}

void Guard::RestoreApproval(const Removals& removals) {
  for (const Removal& removal : removals.grants) {
    approved_[removals.target.Key()].insert(CanonicalGrant(removal.grant));
  }
}

void Guard::RestoreRemoved(const RemovalRecord& removal) {
  const auto restore = [&removal](RemovalWindow& window, std::int64_t count) {
    window.Restore(AmountOf(removal.target, removal.provider, count), removal.started,
                   removal.open);
  };
  restore(declared_, removal.declared);
  restore(adopted_, removal.adopted);
}

}  // namespace bindery
