#pragma once

#include <string>
#include <string_view>

#include "providers/google/rows/iam_rows.h"

namespace bindery::google {

// What the name of a role says. All pure.

/// "roles/compute.admin" of "roles/compute.admin_withcond_0123456789abcdef0123": what a policy read
/// in version 1 calls a role under a condition. Empty of any other role.
[[nodiscard]] std::string StripConditionSuffix(std::string_view role);

/// Whether the name is that of a permission behind "roles/", and no role is known by it. By the
/// form alone real roles look like that ("roles/cloudbuild.builds.editor").
[[nodiscard]] bool IsNamedLikePermission(std::string_view role);

/// Whether the role is a custom one that cannot be granted on the resource: of another project or
/// organization, or of a project on what holds projects. False where the names do not tell. `name`:
/// canonical, of the row.
[[nodiscard]] bool IsCustomRoleOfOthers(std::string_view role, const IamRow& row,
                                        std::string_view name);

}  // namespace bindery::google
