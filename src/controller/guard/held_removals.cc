#include "controller/guard/held_removals.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "controller/guard/guard_record.h"
#include "core/access/canonical_json.h"
#include "core/text/digest.h"

namespace bindery::controller {

void HeldRemovals::Hold(Removals removals, std::vector<GuardReason> reasons) {
  const std::string key = removals.target.Key();
  const auto of_all = std::ranges::find_if(reasons, CountsAll);
  if (of_all != reasons.end()) {
    for (auto& [other, held] : entries_) {
      if (std::ranges::find(held.reasons, *of_all) != held.reasons.end()) break;
      CountAnew(held.reasons, *of_all);
    }
  }
  entries_[key] = {std::move(removals), std::move(reasons)};
  most_ = std::max(most_, Grants());
}

bool HeldRemovals::Unhold(const Target& target) {
  return !entries_.empty() && entries_.erase(target.Key()) > 0;
}

void HeldRemovals::LetGo(const Removals& removals) {
  KeepOnly(removals.target, [going = MakeGrantKeys(removals)](const Grant& grant) {
    return !going.contains(CanonicalGrant(grant));
  });
}

void HeldRemovals::KeepOnly(const Target& target, const std::function<bool(const Grant&)>& wanted) {
  const auto held = entries_.find(target.Key());
  if (held == entries_.end()) return;
  controller::KeepOnly(held->second.removals.grants, wanted);
  if (held->second.removals.grants.empty()) entries_.erase(held);
}

std::map<std::string, HeldRemovals::Entry> HeldRemovals::TakeAll() {
  most_ = 0;
  return std::exchange(entries_, {});
}

void HeldRemovals::NoteOtherLimits() { limits_changed_ = limits_changed_ || !entries_.empty(); }

bool HeldRemovals::MayRelease() const {
  return !entries_.empty() && (limits_changed_ || Grants() < most_);
}

void HeldRemovals::JudgedAnew() {
  limits_changed_ = false;
  most_ = Grants();
}

const HeldRemovals::Entry* HeldRemovals::Find(const std::string& key) const {
  const auto held = entries_.find(key);
  return held == entries_.end() ? nullptr : &held->second;
}

std::int64_t HeldRemovals::Grants() const {
  std::int64_t count = 0;
  for (const auto& [key, held] : entries_) count += std::ssize(held.removals.grants);
  return count;
}

std::string HeldRemovals::Digest() const {
  if (entries_.empty()) return "";
  std::string text;
  for (const auto& [target, held] : entries_) {
    text += target + "\n";
    for (const std::string& grant : MakeGrantKeys(held.removals)) text += grant + "\n";
  }
  // Twelve digits are enough to tell holds apart and short enough to type.
  return Sha256Hex(text).substr(0, 12);
}

std::string HeldRemovals::GetReason(const Target& target) const {
  const Entry* held = Find(target.Key());
  return held == nullptr ? "" : InWords(held->reasons);
}

std::string HeldRemovals::Reason() const {
  std::vector<std::string> reasons;
  for (const auto& [key, held] : entries_) {
    for (const GuardReason& one : held.reasons) {
      std::string reason = InWords(one);
      if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(std::move(reason));
    }
  }
  constexpr std::size_t kTold = 3;
  if (reasons.size() > kTold) {
    reasons.resize(kTold);
    reasons.emplace_back("…");
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

Json HeldRemovals::Items() const {
  Json items = Json::array();
  for (const auto& [key, held] : entries_) items.push_back(HeldItem(held.removals, held.reasons));
  return items;
}

}  // namespace bindery::controller
