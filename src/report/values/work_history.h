#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/codec/json_codec.h"
#include "store/ports/hour_store.h"

namespace bindery {

/// What the daemons saw and did within a day, or an hour, of UTC.
struct HistorySpan {
  WallTime time{};  ///< Its begin.
  HourRange open;   ///< Open and held differences.
  HourRange undeclared;
  std::int64_t found = 0;   ///< Differences that no edit of a manifest brought.
  std::int64_t writes = 0;  ///< Policies written.
  std::int64_t errors = 0;  ///< Work on targets that ended in an error.
  std::int64_t calls = 0;   ///< Calls to clouds.
};

/// The history of a range of time. A span without a record, as no daemon was at work, is missing.
struct WorkHistory {
  WallTime generated_at{};
  std::string range;               ///< "30d", "7d", "24h"
  WallTime from{};                 ///< The begin of the first span.
  std::int64_t step_seconds = 0;   ///< The length of a span.
  std::int64_t count = 0;          ///< Spans in the range, the one of now as the last.
  std::vector<HistorySpan> spans;  ///< Oldest first.

  /// The spans are days; else hours.
  [[nodiscard]] bool ByDays() const { return std::chrono::seconds(step_seconds) >= kDay; }

  static constexpr std::chrono::hours kDay{24};
};

/// Covers `hour` too, which comes after all that `range` already covers.
void Widen(HourRange& range, const HourRange& hour);

/// A range of history: how many spans of which length end with the present one.
struct HistoryRange {
  std::string_view name;
  std::string_view words;  ///< "30 days"
  std::chrono::hours step;
  int count = 0;
};
inline constexpr std::array kHistoryRanges = {
    HistoryRange{"30d", "30 days", std::chrono::hours(24), 30},
    HistoryRange{"7d", "7 days", std::chrono::hours(1), 7 * 24},
    HistoryRange{"24h", "24 hours", std::chrono::hours(1), 24}};

/// The history until `now`.
[[nodiscard]] Expected<WorkHistory> ReadWorkHistory(const HourStore& store,
                                                    const HistoryRange& range, WallTime now);

template <>
inline constexpr auto report::kFields<HourRange> =
    std::tuple{report::Field{"least", &HourRange::least}, report::Field{"most", &HourRange::most},
               report::Field{"last", &HourRange::last}};

template <>
inline constexpr auto report::kFields<HistorySpan> =
    std::tuple{report::Field{"time", &HistorySpan::time},
               report::Field{"open", &HistorySpan::open},
               report::Field{"undeclared", &HistorySpan::undeclared},
               report::Field{"found", &HistorySpan::found},
               report::Field{"writes", &HistorySpan::writes},
               report::Field{"errors", &HistorySpan::errors},
               report::Field{"calls", &HistorySpan::calls}};

template <>
inline constexpr auto report::kFields<WorkHistory> =
    std::tuple{report::Field{"generatedAt", &WorkHistory::generated_at},
               report::Field{"range", &WorkHistory::range},
               report::Field{"from", &WorkHistory::from},
               report::Field{"stepSeconds", &WorkHistory::step_seconds},
               report::Field{"count", &WorkHistory::count},
               report::Field{"spans", &WorkHistory::spans}};

}  // namespace bindery
