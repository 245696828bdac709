#pragma once

#include <string>

#include "providers/google/roles/members.h"
#include "providers/google/roles/severities.h"
#include "reconcilers/bindings.h"
#include "reconcilers/policy_diff.h"

namespace bindery::testing {

// The rules of IAM bindings.
inline constexpr reconcilers::BindingWords kWords{"role", "members"};
inline bool Same(const std::string& a, const std::string& b) {
  return google::NormalMember(a) == google::NormalMember(b);
}
inline reconcilers::DiffRules Rules() {
  return {google::MemberRules(), "AuthorizationPolicyIamBinding",
          &google::IamSeverities(google::GrantPlace::kGuarding)};
}

}  // namespace bindery::testing
