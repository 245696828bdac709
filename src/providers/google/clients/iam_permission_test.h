#pragma once

#include "providers/google/rows/iam_rows.h"

namespace bindery::google {

/// Whether the permissions to test are parameters of the query: where the method is a GET, and in
/// services whose POST methods have no body but that of setIamPolicy. They state the requested
/// version in the query of a POST and know no update mask.
[[nodiscard]] constexpr bool TestsInQuery(const IamRow& row) {
  const bool without_body = row.get == IamVerb::kPost &&
                            row.version_place == IamVersionPlace::kDottedQuery && !row.update_mask;
  return row.test == IamVerb::kGet || without_body;
}

}  // namespace bindery::google
