#pragma once

#include <set>
#include <string>
#include <vector>

#include "reconcilers/policy_diff.h"

namespace bindery {

// A policy keeps the grants of a deleted principal as "deleted:TYPE:ADDRESS?uid=N": tombstones. A
// tombstone grants nothing, unless the principal is restored. An account that is created anew under
// the same address is another principal: its tombstones stay, and the service refuses a policy that
// holds a tombstone and the plain form of one address ("Inconsistent representation of deleted
// member"). While no such account exists, the service refuses the plain form.
//
// All functions are pure.

[[nodiscard]] bool IsTombstone(const Grant& grant, const PrincipalRules& principals);

/// The grants without the tombstones, and the tombstones alone.
[[nodiscard]] std::vector<Grant> LivingOf(std::vector<Grant> grants,
                                          const PrincipalRules& principals);
[[nodiscard]] std::vector<Grant> TombstonesOf(std::vector<Grant> grants,
                                              const PrincipalRules& principals);

/// The tombstones that a write of `plan` takes along: of principals that hold something in plain
/// form afterwards, and those of roles that the write changes and that the manifests declare as a
/// whole. Those of principals to whom `plan` does not give that role back yet stay.
[[nodiscard]] std::vector<Grant> TombstonesTakenBy(const TargetPlan& plan, const Desired& desired,
                                                   const std::vector<Grant>& seen,
                                                   const PrincipalRules& principals);

/// A note for each tombstone in a role that is declared or judged, but for those of principals that
/// a manifest declares in the role: these are differences.
[[nodiscard]] std::vector<DriftItem> NotesOfTombstones(const Desired& desired,
                                                       const std::vector<Grant>& seen,
                                                       const PrincipalRules& principals);

}  // namespace bindery
