#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "manifests/schema/schema.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::google {

// The common fields of kinds on allow policies, and checks over several fields.

/// "a topic", "an organization".
[[nodiscard]] std::string WithArticle(std::string_view noun);

/// Paths within `spec`, with the errors.
using IamFailures = std::vector<std::pair<std::string, manifests::CheckFailure>>;

/// Duplicates, and what a policy cannot hold. `at_list`: the path of the list.
void CheckMembers(const Json& members, const std::string& at_list, const IamRow& row,
                  IamFailures& failures);
/// The same for a single member, at "member".
void CheckOneMember(const Json& spec, const IamRow& row, IamFailures& failures);

/// Custom roles that cannot be granted on the resource. `at`: the path of the binding, "."
/// included.
void CheckCustomRole(const Json& holder, const std::string& at, const Json& spec, const IamRow& row,
                     IamFailures& failures);

/// The condition of a binding, whose role it takes into account. `at`: the path of the binding, "."
/// included; empty for the spec itself.
void CheckCondition(const Json& holder, const std::string& at, const Json& spec, const IamRow& row,
                    IamFailures& failures);

[[nodiscard]] manifests::Field NameField(const IamRow& row);
/// The field for the shared shape of rows.
[[nodiscard]] manifests::Field AnyNameField();
[[nodiscard]] manifests::Field RoleField(std::string description);
[[nodiscard]] manifests::Field ConditionField();
[[nodiscard]] manifests::Field MembersField();
[[nodiscard]] manifests::Field MemberField();
[[nodiscard]] manifests::Field AuditServiceField();
[[nodiscard]] manifests::Field AuditLogConfigsField();
[[nodiscard]] const manifests::FieldList& IamOutputs();

}  // namespace bindery::google
