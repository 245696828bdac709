#include "report/values/explain_values.h"

namespace bindery::report {

std::string_view ToString(GrantState state) {
  switch (state) {
    case GrantState::kInForce:
      return "in force";
    case GrantState::kNotYet:
      return "not yet";
    case GrantState::kExpired:
      return "expired";
    case GrantState::kNever:
      return "never";
    case GrantState::kMissing:
      return "missing";
    case GrantState::kConditionDiffers:
      return "condition differs";
    case GrantState::kPrincipalDeleted:
      return "principal deleted";
    case GrantState::kUndeclared:
      return "undeclared";
    case GrantState::kJustInTime:
      return "just-in-time";
    case GrantState::kDeclared:
      return "declared";
    case GrantState::kNotInForce:
      return "not in force";
    case GrantState::kLeaving:
      return "leaving";
    case GrantState::kStays:
      return "stays";
    case GrantState::kGone:
      return "gone";
    case GrantState::kUnknown:
      break;
  }
  return "unknown";
}

}  // namespace bindery::report
