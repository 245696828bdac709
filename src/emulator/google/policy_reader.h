#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "emulator/google/error.h"
#include "emulator/google/iam_policy.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::emulator {

/// A setIamPolicy request, well formed but not yet judged.
struct PolicyWrite {
  int version = 0;
  std::optional<EtagMicros> etag;  ///< Absent: whatever is there is overwritten.
  bool writes_bindings = true;
  bool writes_audit_configs = false;
  bool takes_project_members = false;  ///< "projectOwner:P" and the like may be members.
  bool any_version = false;            ///< Conditions do not need version 3.
  std::vector<Binding> bindings;
  Json audit_configs = Json::array();
};

/// The request of a row's service: with or without an update mask, audit configurations and a
/// message around the policy.
[[nodiscard]] GoogleResult<PolicyWrite> ReadPolicyWrite(const Json& body,
                                                        const google::IamRow& row);

/// The policy of a seed, which may hold whatever some service has.
[[nodiscard]] GoogleResult<PolicyWrite> ReadSeededPolicy(const Json& policy);

/// A testIamPermissions request: the permissions asked for, each once.
[[nodiscard]] GoogleResult<std::vector<std::string>> ReadPermissionTest(const Json& body);

}  // namespace bindery::emulator
