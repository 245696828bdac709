#include "report/values/plan_values.h"

namespace bindery::report {

std::string_view ToString(PlanAction action) {
  switch (action) {
    case PlanAction::kCreate:
      return "create";
    case PlanAction::kUpdate:
      return "update";
    case PlanAction::kDelete:
      return "delete";
    case PlanAction::kNone:
      return "none";
    case PlanAction::kHeld:
      return "held";
  }
  return "none";
}

std::string_view ToString(PlanStanding standing) {
  switch (standing) {
    case PlanStanding::kDeclared:
      return "declared";
    case PlanStanding::kObserved:
      return "observed";
    case PlanStanding::kReported:
      return "reported";
    case PlanStanding::kSuspended:
      return "suspended";
    case PlanStanding::kStalled:
      return "stalled";
  }
  return "declared";
}

}  // namespace bindery::report
