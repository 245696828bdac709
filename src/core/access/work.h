#pragma once

#include <array>
#include <string_view>

namespace bindery {

/// The reason for work on a target: changes by people go before retries and restarts, and both
/// before re-checks.
enum class Priority { kChange = 0, kRetry = 1, kPeriodic = 2 };

/// How the work on a target ended, in controller-runtime's words.
enum class WorkResult {
  kSuccess,
  kError,
  kRequeue,       ///< To be done again immediately.
  kRequeueAfter,  ///< To be done again after a time it asked for.
};
inline constexpr std::array kAllWorkResults = {WorkResult::kSuccess, WorkResult::kError,
                                               WorkResult::kRequeue, WorkResult::kRequeueAfter};

/// The action of the work on a target.
enum class WorkAction {
  kUnchanged,
  kWritten,
  kObserved,  ///< It differs, and is only observed.
  kHeld,      ///< Removals wait for an operator.
  kFailed,
};

[[nodiscard]] std::string_view ToString(Priority value);    ///< "change", "retry", "periodic"
[[nodiscard]] std::string_view ToString(WorkResult value);  ///< "success" … "requeue_after"
[[nodiscard]] std::string_view ToString(WorkAction value);  ///< "unchanged" … "failed"

}  // namespace bindery
