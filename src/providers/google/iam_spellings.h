#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "providers/google/iam_rows.h"

namespace bindery {

/// A name without its host, as the row's templates spell it, perhaps without the project.
struct PlainIamName {
  std::string text;
  /// The location that the host serves: "us-east1" of "us-east1-aiplatform.googleapis.com". A name
  /// of another location is none. Empty: the host serves all.
  std::string location = {};
};

/// Reads a full resource name, a URL, or what the tools of Cloud Storage and BigQuery write; any
/// other text is as it is. Nothing where the host is another service's. Pure.
[[nodiscard]] std::optional<PlainIamName> ReadSpelling(const IamRow& row, std::string_view text);

}  // namespace bindery
