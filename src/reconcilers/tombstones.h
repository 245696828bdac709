#pragma once

#include <set>
#include <string>
#include <vector>

#include "reconcilers/policy_diff.h"

namespace bindery::reconcilers {

// A policy keeps the grants of a deleted principal as "deleted:TYPE:ADDRESS?uid=N": tombstones. A
// tombstone grants nothing, unless the principal is restored. An account that is created anew under
// the same address is another principal: its tombstones stay, and the service refuses a policy that
// holds a tombstone and the plain form of one address ("Inconsistent representation of deleted
// member"). While no such account exists, the service refuses the plain form.
//
// All functions are pure.

[[nodiscard]] bool IsTombstone(const Grant& grant, const PrincipalRules& principals);

/// The grants without the tombstones, and the tombstones alone.
[[nodiscard]] std::vector<Grant> ListLiving(std::vector<Grant> grants,
                                            const PrincipalRules& principals);
[[nodiscard]] std::vector<Grant> ListTombstones(std::vector<Grant> grants,
                                                const PrincipalRules& principals);

/// The tombstones that a write of `plan` removes: of principals that hold something in plain form
/// afterwards, and of roles that the write changes and that the manifests declare as a whole.
/// Tombstones of principals to whom `plan` does not give the role back yet stay.
[[nodiscard]] std::vector<Grant> TombstonesTakenBy(const TargetPlan& plan, const Desired& desired,
                                                   const std::vector<Grant>& seen,
                                                   const PrincipalRules& principals);

/// A note for each tombstone in a declared or judged role, except for principals that a manifest
/// declares in the role: these are differences.
[[nodiscard]] std::vector<DriftItem> NotesOfTombstones(const Desired& desired,
                                                       const std::vector<Grant>& seen,
                                                       const PrincipalRules& principals);

}  // namespace bindery::reconcilers
