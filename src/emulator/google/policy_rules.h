#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/google/error.h"
#include "emulator/google/iam_policy.h"
#include "emulator/google/policy_reader.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::emulator {

/// What a seed may change about the service's judgement.
struct IamRules {
  bool preserve_member_case = true;       ///< Else e-mails and domains are kept in lower case.
  bool accept_conditions = true;          ///< Else every conditional binding is refused.
  bool conditions_on_basic_roles = true;  ///< Else owner, editor and viewer take none, anywhere.
  std::set<std::string> unsupported_roles;
  /// Of members that are added: as constraints/iam.allowedPolicyMemberDomains. Empty: any.
  std::set<std::string> allowed_member_domains;
};

/// The general refusals of the resource's type: grants to everybody on projects and containers,
/// foreign custom roles, conditions on basic roles. `name`: of the resource.
[[nodiscard]] std::optional<GoogleError> RefuseOnResource(const google::IamRow& row,
                                                          std::string_view name,
                                                          const std::vector<Binding>& bindings);

/// The policy after the write, with `etag` as its new etag; or the refusal. In this order: etag,
/// version, roles, members, conditions, limits.
[[nodiscard]] GoogleResult<Policy> ApplyWrite(const Policy& current, const PolicyWrite& write,
                                              const Principals& principals, const IamRules& rules,
                                              EtagMicros etag);

}  // namespace bindery::emulator
