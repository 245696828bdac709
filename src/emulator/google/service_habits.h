#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "providers/google/rows/iam_rows.h"

namespace bindery::emulator {

/// Differences between a service and its type's row, shown by recorded exchanges.
struct ServiceHabits {
  /// Reads that do not ask for version 3 are given conditions, too.
  bool shows_conditions_to_all = false;
  /// Writes of any version may have conditions.
  bool takes_conditions_of_all = false;
  /// A write may repeat the name of its path in the member `resource` of its body.
  bool takes_resource = false;
};

/// Pure.
[[nodiscard]] ServiceHabits GetHabits(const google::IamRow& row);

/// The name of a resource as the row has it, of a path in a version of the API that gcloud speaks
/// and no discovery document describes: "locations/global/" of Cloud DNS's version 2 is left out.
/// `name`: what follows the version in the path. Nothing: gcloud does not speak that version. Pure.
[[nodiscard]] std::optional<std::string> NameInVersionOfGcloud(const google::IamRow& row,
                                                               std::string_view version,
                                                               std::string_view name);

}  // namespace bindery::emulator
