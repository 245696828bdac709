#pragma once

#include <string>
#include <vector>

#include "core/expected.h"
#include "core/grant.h"
#include "core/json.h"
#include "providers/google/iam_rows.h"
#include "reconcilers/kind.h"

namespace bindery {

/// "projects/P/locations/…" of a full name or of the part from locations/ on. kInvalidArgument when
/// neither the name nor the provider tells the project.
[[nodiscard]] Expected<std::string> WithProject(const std::string& name,
                                                const std::string& default_project);

/// "projects/PROJECT/locations/…": its PROJECT.
[[nodiscard]] std::string ProjectOf(const std::string& full_name);

/// Reads "TARGET", "TARGET ROLE", or "TARGET ROLE TITLE" as Terraform writes the id of a binding
/// under a condition.
[[nodiscard]] Expected<ResourceId> ParseIamId(const std::string& id,
                                              const std::string& default_project,
                                              const IamRow& row);

/// Each role that somebody holds, once, in the order of the policy.
[[nodiscard]] std::vector<std::string> RolesIn(const std::vector<Grant>& grants);

/// The spec of an IAM binding that declares the holders of one role exactly as they are. Errors as
/// Kind::Inputs.
[[nodiscard]] Expected<Json> IamSpec(const std::string& target, const std::string& role,
                                     const std::vector<Grant>& grants);

}  // namespace bindery
