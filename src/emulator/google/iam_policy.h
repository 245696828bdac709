#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "emulator/google/etag.h"
#include "emulator/google/members.h"

namespace bindery::emulator {

/// google.type.Expr
struct Expr {
  std::string expression;
  std::string title;
  std::string description;
  std::string location;
  bool operator==(const Expr&) const = default;
};

struct Binding {
  std::string role;
  std::vector<std::string> members;
  std::optional<Expr> condition;
};

/// The version of a policy with conditions.
inline constexpr int kConditionalVersion = 3;

/// One allow policy in storage.
struct Policy {
  EtagMicros etag = 0;
  std::vector<Binding> bindings;
  Json audit_configs = Json::array();
};

[[nodiscard]] bool HasConditions(const Policy& policy);

/// The policy for a client. Version 3 and its conditions only for clients that ask for 3 and
/// policies with conditions; clients that ask for less get version 1 with conditional roles renamed
/// to ROLE_withcond_HASH. An emptied policy keeps its version, a policy that was never written has
/// none. Deleted principals show as "deleted:…".
[[nodiscard]] Json ShownPolicy(const Policy& policy, int requested_version,
                               const Principals& principals);

/// Whether a policy shown to clients of version 1 has a conditional role.
[[nodiscard]] bool NamesConditionalRole(const Json& shown);

/// The kept form and back: bindings and audit configurations verbatim, the etag as a number.
[[nodiscard]] Json ToJson(const Policy& policy);
[[nodiscard]] Policy PolicyFromJson(const Json& value);

}  // namespace bindery::emulator
