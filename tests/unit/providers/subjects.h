#pragma once

#include "providers/google/rows/iam_rows.h"

namespace bindery::testing {

// What tests of several files are about.
inline constexpr const char* kPolicyName = "projects/p/locations/l/authorizationPolicies/a";
inline constexpr const char* kBoardId = "dashboard:abc-def-ghi";
inline const google::IamRow& Project() {
  return *google::FindIamRow("cloudresourcemanager/v3:Project");
}

}  // namespace bindery::testing
