#pragma once

#include <vector>

#include "controller/engine_work.h"
#include "controller/target_work.h"
#include "reconcilers/grant_comparison.h"

namespace bindery {

// A service that knows no conditions may leave them out instead of refusing them: such a grant
// gives more than is declared. What a write gave so is taken back at once; the write's intent keeps
// what to look for, so that it is taken back after a crash too. What the principal held without a
// condition before stays unchanged: to take it away would end an access that somebody relies on.
//
// All functions are pure; any thread.

/// `seen` holds the grant without its condition, and not as it was asked for.
[[nodiscard]] bool IsDropped(const GrantComparison& compare, const Observation& seen,
                             const Grant& grant);

/// The grants of the plan of `job` that `after` holds without their condition.
[[nodiscard]] std::vector<DroppedCondition> DroppedConditionsIn(const WriteJob& job,
                                                                const Observation& after);

/// The grants that the write of `job` brings with a condition to a policy that does not hold them
/// without one, and those of an earlier write that are still too wide.
[[nodiscard]] std::vector<ConditionalGrant> ConditionalIn(const WriteJob& job);

/// Those of `conditional` that `seen` holds without their condition, and that its service was seen
/// to leave out, or must have: nobody else changed the policy. The declaration of a manifest
/// without a condition is none.
[[nodiscard]] std::vector<Grant> TooWideIn(const CheckJob& job, const Desired& desired,
                                           const Observation& seen,
                                           const std::vector<ConditionalGrant>& conditional);

/// What of `seen` goes for the grants. Nothing that is only observed or waits, or whose loss would
/// lock out somebody who must not be.
[[nodiscard]] std::vector<Grant> TakeBacksOf(const CheckJob& job, const Desired& desired,
                                             const Observation& seen,
                                             const std::vector<Grant>& too_wide);

/// The job, knowing these too.
[[nodiscard]] CheckJob WithDropped(const CheckJob& job,
                                   const std::vector<DroppedCondition>& dropped);
/// As what a write was seen to give.
[[nodiscard]] std::vector<DroppedCondition> AsDropped(const std::vector<Grant>& too_wide);
[[nodiscard]] std::vector<ConditionalGrant> AsSeen(const std::vector<Grant>& too_wide);

/// The grants of each target whose condition its service drops. They are not known any more after a
/// restart: each is tried once then.
/// Belongs to the loop thread.
class DroppedConditions {
 public:
  void Note(const TargetKey& key, const std::vector<DroppedCondition>& dropped);
  /// Who does not hold a role without a condition any more did not hold it before.
  void NoteSeen(const TargetKey& key, const Kind& kind, const Observation& seen);
  [[nodiscard]] std::vector<DroppedCondition> Of(const TargetKey& key) const;
  /// Nobody declares anything on the target any more.
  void Forget(const TargetKey& key) { dropped_.erase(key); }

 private:
  ByTarget<std::vector<DroppedCondition>> dropped_;
};

}  // namespace bindery
