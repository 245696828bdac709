#include "report/values/target_values.h"

namespace bindery::report {

std::string_view ToString(GrantPresence presence) {
  switch (presence) {
    case GrantPresence::kDeclared:
      return "declared";
    case GrantPresence::kUndeclared:
      return "undeclared";
    case GrantPresence::kMissing:
      break;
    case GrantPresence::kJustInTime:
      return "just-in-time";
    case GrantPresence::kDeleted:
      return "deleted principal";
    case GrantPresence::kServiceAgent:
      return "service agent";
    case GrantPresence::kAccepted:
      return "accepted";
  }
  return "missing";
}

}  // namespace bindery::report
