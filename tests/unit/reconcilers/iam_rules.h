#pragma once

#include <string>

#include "providers/google/roles/members.h"
#include "providers/google/roles/severities.h"
#include "reconcilers/bindings.h"
#include "reconcilers/policy_diff.h"

namespace bindery::testing {

// The rules of IAM bindings.
inline constexpr BindingWords kWords{"role", "members"};
inline bool Same(const std::string& a, const std::string& b) {
  return NormalMember(a) == NormalMember(b);
}
inline DiffRules Rules() {
  return {MemberRules(), "AuthorizationPolicyIamBinding", &IamSeverities(GrantPlace::kGuarding)};
}

}  // namespace bindery::testing
