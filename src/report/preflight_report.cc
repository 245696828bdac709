#include "report/preflight_report.h"

#include <algorithm>

namespace bindery {

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

Json PreflightReport(const std::vector<PreflightCheck>& checks) {
  const auto count = [&checks](CheckState state) {
    return std::count_if(checks.begin(), checks.end(),
                         [state](const PreflightCheck& check) { return check.state == state; });
  };
  Json list = Json::array();
  for (const PreflightCheck& check : checks) {
    list.push_back({{"check", check.check},
                    {"subject", check.subject},
                    {"state", ToString(check.state)},
                    {"message", check.message},
                    {"action", check.action}});
  }
  Json report = Json::object();
  report["ok"] = count(CheckState::kFailed) == 0;
  report["summary"] = {{"ok", count(CheckState::kOk)},
                       {"warnings", count(CheckState::kWarning)},
                       {"failed", count(CheckState::kFailed)}};
  report["checks"] = std::move(list);
  return report;
}

}  // namespace bindery
