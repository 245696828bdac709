#pragma once

#include <string>
#include <string_view>

#include "providers/google/rows/iam_rows.h"

namespace bindery::google {

// Names in a row's form that are second names of their resource. Pure.

/// A second name of a resource, not derivable from the first: a compute resource by its number, or
/// an account whose address does not contain the project.
[[nodiscard]] bool IsSecondName(const IamRow& row, std::string_view name);

/// The name in its service's spelling: the address of a service account contains its project, and
/// case is irrelevant, also in the id of a billing account.
[[nodiscard]] std::string InOneSpelling(const IamRow& row, std::string name);

}  // namespace bindery::google
