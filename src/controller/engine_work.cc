#include "controller/engine_work.h"

#include <algorithm>

namespace bindery {

const Claim* TargetUnderWork::ClaimOf(const std::string& resource) const {
  const auto found = std::find_if(reading.desired.claims.begin(), reading.desired.claims.end(),
                                  [&](const Claim& claim) { return claim.resource == resource; });
  return found == reading.desired.claims.end() ? nullptr : &*found;
}

ManagementPolicy TargetUnderWork::ManagementPolicyOf(const std::string& resource) const {
  const Claim* claim = ClaimOf(resource);
  return claim == nullptr ? ManagementPolicy::kPause : claim->treatment;
}

std::size_t TargetUnderWork::DifferencesOf(const std::string& resource) const {
  return static_cast<std::size_t>(
      std::count_if(plan.drift.begin(), plan.drift.end(),
                    [&](const DriftItem& item) { return item.resource == resource; }));
}

bool TargetUnderWork::Concerns(const std::string& resource) const {
  return DifferencesOf(resource) > 0 || DifferencesOf("") > 0;
}

bool TargetUnderWork::IsJudgedInFull(const TargetEntry& target) const {
  return std::all_of(reading.desired.claims.begin(), reading.desired.claims.end(), IsCarriedOut) &&
         plan.unjudged.empty() && !target.AwaitsLook();
}

}  // namespace bindery
