#pragma once

#include <string>
#include <string_view>

#include "providers/google/iam_rows.h"

namespace bindery {

// Names that are of a row's form, and of which the same resource has a different one. Pure.

/// A second name of a resource that cannot be told from the first: a compute resource by its
/// number, or an account whose address does not tell the project without that.
[[nodiscard]] bool IsSecondName(const IamRow& row, std::string_view name);

/// The name as its service spells it: the address of a service account tells its project, and case
/// is no part of it, nor of the id of a billing account.
[[nodiscard]] std::string InOneSpelling(const IamRow& row, std::string name);

}  // namespace bindery
