#include "inventory/unmanaged_tally.h"

#include <algorithm>

namespace bindery::inventory {

void UnmanagedTally::BeginScan(WallTime started) {
  as_of_ = std::min(as_of_.value_or(started), started);
}

void UnmanagedTally::Add(const CoveragePlace& place,
                         const std::vector<report::ClassedGrant>& grants) {
  for (const report::ClassedGrant& grant : grants) {
    if (grant.grant_class != report::GrantClass::kUnmanaged) continue;
    targets_.emplace(place.kind, place.target);
    ++by_severity_.Of(grant.severity);
    Count& count = roles_[{place.kind, place.target, grant.grant.role}];
    ++count.grants;
    count.severity = std::max(count.severity, grant.severity);
  }
}

report::UnmanagedGrants UnmanagedTally::Counted() && {
  report::UnmanagedGrants unmanaged;
  unmanaged.as_of = as_of_.value_or(WallTime());
  unmanaged.targets = static_cast<std::int64_t>(targets_.size());
  unmanaged.by_severity = by_severity_;
  for (const auto& [place, count] : roles_) {
    const auto& [kind, target, role] = place;
    unmanaged.grants += count.grants;
    unmanaged.roles.push_back({target, kind, role, count.grants, count.severity});
  }
  std::ranges::stable_sort(
      unmanaged.roles, [](const report::UnmanagedRole& a, const report::UnmanagedRole& b) {
        return std::tuple(b.severity, b.grants) < std::tuple(a.severity, a.grants);
      });
  if (unmanaged.roles.size() > kMostRoles) {
    unmanaged.more_roles = static_cast<std::int64_t>(unmanaged.roles.size() - kMostRoles);
    unmanaged.roles.resize(kMostRoles);
  }
  return unmanaged;
}

}  // namespace bindery::inventory
