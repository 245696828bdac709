#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/settings/accepted_drift.h"
#include "providers/google/rows/iam_rows.h"
#include "reconcilers/kind.h"

namespace bindery::google {

/// Removals that a write must not carry out, whatever the manifests declare.
struct RefusedRemovals {
  std::vector<Grant> grants;
  reconcilers::ReasonCode reason = reconcilers::ReasonCode::kSelfLockout;  ///< That, or kLastOwner.
  std::string message;
};

/// How sure it is that a role holds the permission to set the policies of a row.
enum class SetsPolicy { kNo, kMaybe, kYes };

/// By the tables of roles (basic_roles.inc, policy_setters.inc). kMaybe: custom roles and roles
/// that are newer than the tables, whose permissions are not known here, and predefined roles of
/// which the table does not know all types.
[[nodiscard]] SetsPolicy JudgeSetsPolicy(std::string_view role, const IamRow& row);

/// As Kind::Refuse, for policies of the row.
///
/// SelfLockout: the plan removes grants of `own`, and with them the surest grant to set this
/// policy. A grant without a condition in a role that surely holds the permission is surer than
/// a grant with a condition or in a custom role. All removals of `own` are refused then. If the
/// grant behind bindery's permission is unknown, the last grants with the permission stay: in a
/// container when `own` is empty, and in an organization when `own` has no such grant.
/// Elsewhere a principal without a separate grant is assumed to have its access from the
/// parent.
///
/// LastOwner: the policy of a container keeps no holder of a governing role (for roles/admin an
/// owner is as good). A deleted principal is no holder, and a grant under a condition does not
/// count beside grants without. For both rules, a grant that is not in force at `time` does not
/// count; a grant with a false condition at `time` is no holder that could stay, whatever comes
/// later.
[[nodiscard]] std::vector<RefusedRemovals> RefuseLockout(const IamRow& row,
                                                         const reconcilers::TargetPlan& planned,
                                                         const reconcilers::Observation& seen,
                                                         const std::string& own,
                                                         const TimeSpan& time);

}  // namespace bindery::google
