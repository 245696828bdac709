#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "report/codec/json_codec.h"

namespace bindery {

enum class CheckState { kOk, kWarning, kFailed };
[[nodiscard]] std::string_view ToString(CheckState state);  ///< "ok", "warning", "failed".

/// One check before the daemon is trusted.
struct PreflightCheck {
  std::string check;    ///< What was looked at: "credentials".
  std::string subject;  ///< Of what: "cloudnative".
  CheckState state = CheckState::kOk;
  std::string message;  ///< What was found, in one line.
  std::string action;   ///< What to do about it; empty when it is fine.
};

struct PreflightCounts {
  std::size_t ok = 0;
  std::size_t warnings = 0;
  std::size_t failed = 0;
};

/// All checks.
struct PreflightResult {
  bool ok = true;  ///< Nothing failed.
  PreflightCounts summary;
  std::vector<PreflightCheck> checks;
};

/// The checks in the order given.
[[nodiscard]] PreflightResult PreflightReport(std::vector<PreflightCheck> checks);

template <>
inline constexpr auto report::kFields<PreflightCheck> =
    std::tuple{report::Field{"check", &PreflightCheck::check},
               report::Field{"subject", &PreflightCheck::subject},
               report::Field{"state", &PreflightCheck::state},
               report::Field{"message", &PreflightCheck::message},
               report::Field{"action", &PreflightCheck::action}};

template <>
inline constexpr auto report::kFields<PreflightCounts> =
    std::tuple{report::Field{"ok", &PreflightCounts::ok},
               report::Field{"warnings", &PreflightCounts::warnings},
               report::Field{"failed", &PreflightCounts::failed}};

template <>
inline constexpr auto report::kFields<PreflightResult> = std::tuple{
    report::Field{"ok", &PreflightResult::ok}, report::Field{"summary", &PreflightResult::summary},
    report::Field{"checks", &PreflightResult::checks}};

}  // namespace bindery
