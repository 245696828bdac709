#pragma once

#include <string_view>

namespace bindery {

/// What a person may do at the daemon's listener. Each role includes the roles before.
enum class Role {
  kNone,      ///< Nothing.
  kViewer,    ///< Reads.
  kOperator,  ///< Also checks, suspends and resumes resources, and has an uploaded folder planned.
  kApprover,  ///< Also decides about held removals, waives settling, rolls back and forgets.
};

/// "viewer" and so on, as in the web configuration; "none" for kNone.
[[nodiscard]] constexpr std::string_view ToString(Role role) {
  switch (role) {
    case Role::kNone:
      break;
    case Role::kViewer:
      return "viewer";
    case Role::kOperator:
      return "operator";
    case Role::kApprover:
      return "approver";
  }
  return "none";
}

}  // namespace bindery
