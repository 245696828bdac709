#pragma once

#include <vector>

#include "controller/gates/engine_work.h"
#include "controller/gates/target_work.h"
#include "reconcilers/grant_comparison.h"

namespace bindery::controller {

// A service without conditions may drop a condition instead of refusing the grant: the grant then
// gives more than declared. Such a grant of a write is taken back at once; the intent of the write
// keeps the grants to look for, so that the grant is taken back after a crash too. A grant that the
// principal held without a condition before stays: a removal would end an access that somebody
// relies on.
//
// All functions are pure; any thread.

/// `seen` holds the grant without the requested condition.
[[nodiscard]] bool IsDropped(const reconcilers::GrantComparison& compare,
                             const reconcilers::Observation& seen, const Grant& grant);

/// The grants of the plan of `job` that `after` holds without a condition.
[[nodiscard]] std::vector<DroppedCondition> DroppedConditionsIn(
    const WriteJob& job, const reconcilers::Observation& after);

/// The grants that the write of `job` adds with a condition, where the policy does not hold the
/// grant without a condition, and the grants of an earlier write that are still too wide.
[[nodiscard]] std::vector<store::ConditionalGrant> ConditionalIn(const WriteJob& job);

/// The members of `conditional` that `seen` holds without a condition, if the service was seen to
/// drop the condition, or must have: nobody else changed the policy. A grant that a manifest
/// declares without a condition is never included.
[[nodiscard]] std::vector<store::ConditionalGrant> TooWideIn(
    const CheckJob& job, const reconcilers::Desired& desired, const reconcilers::Observation& seen,
    const std::vector<store::ConditionalGrant>& conditional);

/// The grants of `seen` to take back. Never a grant that is only observed or waits, or whose loss
/// would lock out a principal that must keep access.
[[nodiscard]] std::vector<Grant> ListTakeBacks(
    const CheckJob& job, const reconcilers::Desired& desired, const reconcilers::Observation& seen,
    const std::vector<store::ConditionalGrant>& too_wide);

/// The job, with the dropped conditions added.
[[nodiscard]] CheckJob WithDropped(const CheckJob& job,
                                   const std::vector<DroppedCondition>& dropped);
/// As what a write was seen to give.
[[nodiscard]] std::vector<DroppedCondition> AsDropped(
    const std::vector<store::ConditionalGrant>& too_wide);

/// The grants of each target whose condition the service drops. Forgotten at a restart: each grant
/// is then tried once more. Belongs to the loop thread.
class DroppedConditions {
 public:
  void Note(const TargetKey& key, const std::vector<DroppedCondition>& dropped);
  /// Who does not hold a role without a condition any more did not hold it before.
  void NoteSeen(const TargetKey& key, const reconcilers::Kind& kind,
                const reconcilers::Observation& seen);
  [[nodiscard]] std::vector<DroppedCondition> Of(const TargetKey& key) const;
  /// Nobody declares anything on the target any more.
  void Forget(const TargetKey& key) { dropped_.erase(key); }

 private:
  ByTarget<std::vector<DroppedCondition>> dropped_;
};

}  // namespace bindery::controller
