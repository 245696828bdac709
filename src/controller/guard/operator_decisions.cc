#include "controller/guard/operator_decisions.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "controller/guard/guard_record.h"
#include "core/access/canonical_json.h"

namespace bindery::controller {

void OperatorDecisions::Approve(const Removals& removals) {
  for (const Removal& removal : removals.grants) {
    approved_[removals.target.Key()].emplace(CanonicalGrant(removal.grant), removal.grant);
  }
}

void OperatorDecisions::Deny(HeldRemovals::Entry held, const std::string& digest) {
  const std::string key = held.removals.target.Key();
  denied_.emplace(key, Denied{std::move(held), digest});
}

std::vector<Removals> OperatorDecisions::TakeDenied(const std::string& digest) {
  std::vector<Removals> taken;
  std::erase_if(denied_, [&](const auto& entry) {
    if (entry.second.digest != digest) return false;
    taken.push_back(entry.second.held.removals);
    return true;
  });
  return taken;
}

void OperatorDecisions::CarriedOut(const Target& target, const std::vector<Grant>& grants) {
  const auto approved = approved_.find(target.Key());
  if (approved == approved_.end()) return;
  for (const Grant& grant : grants) approved->second.erase(CanonicalGrant(grant));
  if (approved->second.empty()) approved_.erase(approved);
}

void OperatorDecisions::KeepOnly(const Target& target,
                                 const std::function<bool(const Grant&)>& wanted) {
  const std::string key = target.Key();
  if (const auto approved = approved_.find(key); approved != approved_.end()) {
    std::erase_if(approved->second, [&wanted](const auto& item) { return !wanted(item.second); });
    if (approved->second.empty()) approved_.erase(approved);
  }
  const auto [begin, end] = denied_.equal_range(key);
  for (auto denied = begin; denied != end;) {
    std::vector<Removal>& grants = denied->second.held.removals.grants;
    controller::KeepOnly(grants, wanted);
    denied = grants.empty() ? denied_.erase(denied) : std::next(denied);
  }
}

bool OperatorDecisions::Forget(const Target& target) {
  const std::string key = target.Key();
  approved_.erase(key);
  return denied_.erase(key) > 0;
}

std::vector<Grant> OperatorDecisions::GrantsOn(const Target& target) const {
  const std::string key = target.Key();
  std::vector<Grant> grants;
  if (const auto approved = approved_.find(key); approved != approved_.end()) {
    for (const auto& [text, grant] : approved->second) grants.push_back(grant);
  }
  const auto [begin, end] = denied_.equal_range(key);
  for (auto denied = begin; denied != end; ++denied) {
    for (const Removal& removal : denied->second.held.removals.grants) {
      grants.push_back(removal.grant);
    }
  }
  return grants;
}

bool OperatorDecisions::HasApproval(const Target& target) const {
  return approved_.contains(target.Key());
}

bool OperatorDecisions::IsApproved(const Removals& removals) const {
  const std::string key = removals.target.Key();
  return std::all_of(removals.grants.begin(), removals.grants.end(),
                     [&](const Removal& removal) { return IsApproved(key, removal.grant); });
}

bool OperatorDecisions::IsApproved(const std::string& key, const Grant& grant) const {
  const auto approved = approved_.find(key);
  return approved != approved_.end() && approved->second.contains(CanonicalGrant(grant));
}

bool OperatorDecisions::IsDenied(const std::string& key, const Grant& grant) const {
  const auto [begin, end] = denied_.equal_range(key);
  return std::any_of(begin, end, [&grant](const auto& entry) {
    const auto& grants = entry.second.held.removals.grants;
    return std::any_of(grants.begin(), grants.end(),
                       [&grant](const Removal& removal) { return removal.grant == grant; });
  });
}

std::int64_t OperatorDecisions::DeniedGrants() const {
  std::int64_t count = 0;
  for (const auto& [key, denied] : denied_) {
    count += static_cast<std::int64_t>(denied.held.removals.grants.size());
  }
  return count;
}

Json OperatorDecisions::DeniedItems(const std::string& digest) const {
  Json items = Json::array();
  for (const auto& [key, denied] : denied_) {
    if (denied.digest != digest) continue;
    items.push_back(HeldItem(denied.held.removals, denied.held.reasons));
  }
  return items;
}

}  // namespace bindery::controller
