#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "providers/google/rows/iam_rows.h"

namespace bindery::google {

/// A name without its host, in the spelling of the row's templates, perhaps without the project.
struct PlainIamName {
  std::string text;
  /// The location that the host serves: "us-east1" of "us-east1-aiplatform.googleapis.com". A name
  /// of another location is none. Empty: the host serves all.
  std::string location = {};
};

/// Reads a full resource name, a URL, or the form of the tools of Cloud Storage and BigQuery; any
/// other text stays unchanged. Nothing for a host of a different service. Pure.
[[nodiscard]] std::optional<PlainIamName> ReadSpelling(const IamRow& row, std::string_view text);

}  // namespace bindery::google
