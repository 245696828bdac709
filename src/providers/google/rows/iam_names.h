#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "manifests/schema/schema.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::google {

// Names of the resources of one row, by the row's templates. All pure.

/// The name as requests have it, or nothing where it is none of the row's. Takes also full resource
/// names ("//pubsub.googleapis.com/projects/p/topics/t"), names whose project the default
/// completes, "projects/_/buckets/b" (under any project), "gs://b", URLs of any version of the API
/// ("https://www.googleapis.com/compute/beta/projects/p/zones/z/instances/i"), BigQuery's "p:d.t"
/// and "p.d.t", and service accounts under "projects/-" whose e-mail address tells the project.
/// Hosts of a location are those of names there alone.
[[nodiscard]] std::optional<std::string> CanonicalIamName(const IamRow& row, std::string_view text,
                                                          std::string_view default_project);

/// The same for what a manifest or a command names. kInvalidArgument: the error, and the forms that
/// are accepted.
[[nodiscard]] Expected<std::string> ReadIamName(const IamRow& row, const std::string& text,
                                                const std::string& default_project);

/// For the field `name` of a manifest: nothing when some project could complete it.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckIamName(const IamRow& row,
                                                                  std::string_view text);

/// The name of the resource in the row with its policy (GetPolicyRow); unchanged for the same row.
/// Requires: CanonicalIamName(row, …) == name.
[[nodiscard]] std::string PolicyName(const IamRow& row, std::string name);

/// What `{variable}` stands for in a canonical name; empty where the name has none.
[[nodiscard]] std::string_view GetVariable(const IamRow& row, std::string_view name,
                                           std::string_view variable);

/// The host of a canonical name: the host of its location if the row has such hosts, else the row's
/// host.
[[nodiscard]] std::string GetHost(const IamRow& row, std::string_view name);

/// Whether the row's policies can hold "projectOwner:P" and the like: Cloud Storage and BigQuery.
[[nodiscard]] bool TakesProjectMembers(const IamRow& row);

/// "topic": the last variable of the first template.
[[nodiscard]] std::string_view GetLastVariable(const IamRow& row);

/// Whether the provider's default project can complete such a name.
[[nodiscard]] bool TakesDefaultProject(const IamRow& row);

/// "projects/PROJECT/topics/ID, or the part from topics/ on": for messages.
[[nodiscard]] std::string WantedIamName(const IamRow& row);

/// The row's first template as a regular expression for editors (ECMA-262), default project
/// included.
[[nodiscard]] std::string PatternOfIamNames(const IamRow& row);

/// For documentation: "projects/acme/topics/payments", and without its project if the default
/// project completes the name.
[[nodiscard]] std::vector<std::string> ExamplesOfIamName(const IamRow& row);

}  // namespace bindery::google
