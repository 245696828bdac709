#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "report/codec/json_codec.h"

namespace bindery::report {

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
inline constexpr auto kFields<PreflightCheck> =
    std::tuple{Field{"check", &PreflightCheck::check}, Field{"subject", &PreflightCheck::subject},
               Field{"state", &PreflightCheck::state}, Field{"message", &PreflightCheck::message},
               Field{"action", &PreflightCheck::action}};

template <>
inline constexpr auto kFields<PreflightCounts> =
    std::tuple{Field{"ok", &PreflightCounts::ok}, Field{"warnings", &PreflightCounts::warnings},
               Field{"failed", &PreflightCounts::failed}};

template <>
inline constexpr auto kFields<PreflightResult> =
    std::tuple{Field{"ok", &PreflightResult::ok}, Field{"summary", &PreflightResult::summary},
               Field{"checks", &PreflightResult::checks}};

}  // namespace bindery::report
