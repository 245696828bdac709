#include "controller/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/canonical_json.h"
#include "core/digest.h"

namespace bindery {

void Guard::BeginPass(std::int64_t held_before) {
  BeginInterval();
  held_before_ = held_before;
}

void Guard::BeginInterval() {
  removed_ = 0;
  under_way_.clear();
}

std::string Guard::GrantKey(const Grant& grant) { return CanonicalGrant(grant); }

bool Guard::IsApproved(const Removals& removals) const {
  const auto approved = approved_.find(removals.target.Key());
  if (approved == approved_.end()) return false;
  return std::all_of(removals.grants.begin(), removals.grants.end(), [&](const Grant& grant) {
    return approved->second.contains(GrantKey(grant));
  });
}

/// What counts so far, without what earlier attempts at the same removals spent.
std::int64_t Guard::RemovedElsewhere(const std::vector<Removals>& than) const {
  std::int64_t count = removed_;
  for (const Removals& removals : than) {
    const auto attempt = under_way_.find(removals.target.Key());
    if (attempt != under_way_.end()) count -= attempt->second;
  }
  return count;
}

std::string Guard::TooMany(std::int64_t count) const {
  return fmt::format("{} grants would be removed, more than guard.maxRemovedGrants ({})", count,
                     limits_.max_removed_grants);
}

std::string Guard::ReasonNow() const {
  const std::int64_t held = HeldGrants();
  return held > limits_.max_removed_grants ? TooMany(held) : reason_;
}

Guard::Verdict Guard::Judge(const std::vector<Removals>& together) const {
  const std::int64_t elsewhere = RemovedElsewhere(together);
  std::int64_t count = elsewhere;
  for (const Removals& removals : together) {
    if (!IsApproved(removals)) count += static_cast<std::int64_t>(removals.grants.size());
  }
  if (count == elsewhere) return {};
  if (count > limits_.max_removed_grants) {
    return {false, TooMany(count)};
  }
  if (count < kFractionFrom || held_before_ <= 0) return {};
  const double fraction = static_cast<double>(count) / static_cast<double>(held_before_);
  if (fraction > limits_.max_removed_fraction) {
    return {false, fmt::format("{} grants would be removed of the {} the directory held, more than "
                               "guard.maxRemovedFraction ({})",
                               count, held_before_, limits_.max_removed_fraction)};
  }
  return {};
}

Guard::Verdict Guard::JudgeLater(const Removals& removals) const {
  if (IsApproved(removals)) return {};
  if (IsHeld(removals.target)) return {false, reason_};
  return Judge({removals});
}

void Guard::Spend(const Removals& removals) {
  const std::string key = removals.target.Key();
  removed_ = RemovedElsewhere({removals});
  under_way_.erase(key);
  held_.erase(key);
  if (IsApproved(removals)) return;
  const auto count = static_cast<std::int64_t>(removals.grants.size());
  removed_ += count;
  under_way_[key] = count;
}

void Guard::CarriedOut(const Target& target) {
  if (under_way_.empty() && approved_.empty()) return;
  const std::string key = target.Key();
  under_way_.erase(key);
  approved_.erase(key);
}

void Guard::Hold(Removals removals, const std::string& reason) {
  reason_ = reason;
  const std::string key = removals.target.Key();
  held_[key] = std::move(removals);
}

bool Guard::Withdraw(const Target& target) {
  CarriedOut(target);
  return !held_.empty() && held_.erase(target.Key()) > 0;
}

std::vector<Removals> Guard::Held() const {
  std::vector<Removals> all;
  for (const auto& [key, removals] : held_) all.push_back(removals);
  return all;
}

std::int64_t Guard::HeldGrants() const {
  std::int64_t count = 0;
  for (const auto& [key, removals] : held_) {
    count += static_cast<std::int64_t>(removals.grants.size());
  }
  return count;
}

std::string Guard::Digest() const {
  if (held_.empty()) return "";
  std::string text;
  for (const auto& [key, removals] : held_) {
    std::vector<std::string> grants;
    for (const Grant& grant : removals.grants) grants.push_back(GrantKey(grant));
    std::sort(grants.begin(), grants.end());
    text += key + "\n";
    for (const std::string& grant : grants) text += grant + "\n";
  }
  // Twelve digits are enough to tell holds apart and short enough to type.
  return Sha256Hex(text).substr(0, 12);
}

Json Guard::Items() const {
  Json items = Json::array();
  for (const auto& [key, removals] : held_) {
    const GrantWords& words = removals.target.scope.empty() ? kIamWords : kRestrictionWords;
    Json grants = Json::array();
    for (const Grant& grant : removals.grants) grants.push_back(ToJson(grant, words));
    items.push_back({{"target", removals.target.name},
                     {"kind", removals.target.kind},
                     {"scope", removals.target.scope},
                     {"resources", removals.resources},
                     {"removes", std::move(grants)}});
  }
  return items;
}

std::vector<Target> Guard::Approve(const std::string& digest) {
  if (digest.empty() || digest != Digest()) return {};
  std::vector<Target> released;
  for (const auto& [key, removals] : held_) {
    for (const Grant& grant : removals.grants) approved_[key].insert(GrantKey(grant));
    released.push_back(removals.target);
  }
  held_.clear();
  return released;
}

void Guard::RestoreApproval(const Target& target, const std::vector<Grant>& grants) {
  for (const Grant& grant : grants) approved_[target.Key()].insert(GrantKey(grant));
}

}  // namespace bindery
