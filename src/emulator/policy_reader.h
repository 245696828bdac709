#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "emulator/google_error.h"
#include "emulator/iam_policy.h"

namespace bindery::emulator {

/// A setIamPolicy request, well formed but not yet judged.
struct PolicyWrite {
  int version = 0;
  std::optional<EtagMicros> etag;  ///< Absent: whatever is there is overwritten.
  bool writes_bindings = true;
  bool writes_audit_configs = false;
  std::vector<Binding> bindings;
  Json audit_configs = Json::array();
};

[[nodiscard]] GoogleResult<PolicyWrite> ReadPolicyWrite(const Json& body);

/// A testIamPermissions request: the permissions asked for, each once.
[[nodiscard]] GoogleResult<std::vector<std::string>> ReadPermissionTest(const Json& body);

}  // namespace bindery::emulator
