#pragma once

#include <string>
#include <vector>

#include "core/access/grant.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "providers/google/rows/iam_rows.h"
#include "reconcilers/kind.h"

namespace bindery::google {

/// "projects/P/locations/…" of a full name or of the part from locations/ on. kInvalidArgument when
/// neither the name nor the provider tells the project.
[[nodiscard]] Expected<std::string> WithProject(const std::string& name,
                                                const std::string& default_project);

/// "projects/PROJECT/locations/…": its PROJECT.
[[nodiscard]] std::string GetProject(const std::string& full_name);

/// The parts of an id as the command line and Terraform write it: "TARGET ROLE MEMBER TITLE".
struct IamId {
  std::string target;
  std::string role;  ///< Empty: all there is on the target.
  std::string rest;  ///< What follows: a member, the title of a condition.
};

/// kInvalidArgument with the expected form.
[[nodiscard]] Expected<IamId> ParseIamId(const std::string& id, const std::string& default_project,
                                         const IamRow& row);

/// Each role that somebody holds, once, in the order of the policy.
[[nodiscard]] std::vector<std::string> RolesIn(const std::vector<Grant>& grants);

/// Each service with an audit configuration, as parts of the policy.
[[nodiscard]] std::vector<std::string> SettingsIn(const std::vector<Grant>& grants);

// Specs that declare exactly the present state. Errors as Kind::Inputs.

/// `part`: one role.
[[nodiscard]] Expected<Json> IamBindingSpec(const std::string& target, const std::string& part,
                                            const std::vector<Grant>& grants);
/// `part`: one member of a role.
[[nodiscard]] Expected<Json> IamMemberSpec(const std::string& target, const std::string& part,
                                           const std::vector<Grant>& grants);
[[nodiscard]] Expected<Json> IamPolicySpec(const std::string& target,
                                           const std::vector<Grant>& grants);
/// `part`: the audit configuration of one service.
[[nodiscard]] Expected<Json> IamAuditConfigSpec(const std::string& target, const std::string& part,
                                                const std::vector<Grant>& grants);

}  // namespace bindery::google
