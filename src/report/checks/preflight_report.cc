#include "report/checks/preflight_report.h"

#include <algorithm>
#include <utility>

namespace bindery::report {

std::string_view ToString(CheckState state) {
  switch (state) {
    case CheckState::kOk:
      return "ok";
    case CheckState::kWarning:
      return "warning";
    case CheckState::kFailed:
      break;
  }
  return "failed";
}

PreflightResult PreflightReport(std::vector<PreflightCheck> checks) {
  const auto count = [&checks](CheckState state) {
    return static_cast<std::size_t>(std::ranges::count(checks, state, &PreflightCheck::state));
  };
  PreflightResult result;
  result.summary = {count(CheckState::kOk), count(CheckState::kWarning),
                    count(CheckState::kFailed)};
  result.ok = result.summary.failed == 0;
  result.checks = std::move(checks);
  return result;
}

}  // namespace bindery::report
