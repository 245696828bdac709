#include "report/values/drift_values.h"

namespace bindery::report {

std::string_view ToString(DriftChange change) {
  switch (change) {
    case DriftChange::kNew:
      return "new";
    case DriftChange::kGone:
      return "gone";
    case DriftChange::kStill:
      break;
  }
  return "still";
}

}  // namespace bindery::report
