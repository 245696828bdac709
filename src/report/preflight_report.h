#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace bindery {

enum class CheckState { kOk, kWarning, kFailed };
[[nodiscard]] std::string_view ToString(CheckState state);  ///< "ok", "warning", "failed".

/// One thing that was looked at before anything is entrusted to the daemon.
struct PreflightCheck {
  std::string check;    ///< What was looked at: "credentials".
  std::string subject;  ///< Of what: "cloudnative".
  CheckState state = CheckState::kOk;
  std::string message;  ///< What was found, in one line.
  std::string action;   ///< What to do about it; empty when it is fine.
};

/// {"ok": bool, "summary": {"ok", "warnings", "failed"}, "checks": [{"check", "subject", "state",
/// "message", "action"}]}, in the order given.
[[nodiscard]] Json PreflightReport(const std::vector<PreflightCheck>& checks);

}  // namespace bindery
