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

namespace bindery::report {

/// What the daemons saw and did within a day, or an hour, of UTC.
struct HistorySpan {
  WallTime time{};        ///< Its begin.
  store::HourRange open;  ///< Open and held differences.
  store::HourRange undeclared;
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
void Widen(store::HourRange& range, const store::HourRange& hour);

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
[[nodiscard]] Expected<WorkHistory> ReadWorkHistory(const store::HourStore& store,
                                                    const HistoryRange& range, WallTime now);

enum class HistoryOrder {
  kTime,
  kOpen,  ///< The greatest first, by the most within the span; the same of the others.
  kUndeclared,
  kFound,
  kWrites,
  kErrors,
  kCalls,
};

/// Puts the spans into the order; equal figures with the newest first.
void SortSpans(WorkHistory& history, HistoryOrder order, bool descending);

template <>
inline constexpr auto kFields<store::HourRange> =
    std::tuple{Field{"least", &store::HourRange::least}, Field{"most", &store::HourRange::most},
               Field{"last", &store::HourRange::last}};

template <>
inline constexpr auto kFields<HistorySpan> =
    std::tuple{Field{"time", &HistorySpan::time},
               Field{"open", &HistorySpan::open},
               Field{"undeclared", &HistorySpan::undeclared},
               Field{"found", &HistorySpan::found},
               Field{"writes", &HistorySpan::writes},
               Field{"errors", &HistorySpan::errors},
               Field{"calls", &HistorySpan::calls}};

template <>
inline constexpr auto kFields<WorkHistory> =
    std::tuple{Field{"generatedAt", &WorkHistory::generated_at},
               Field{"range", &WorkHistory::range},
               Field{"from", &WorkHistory::from},
               Field{"stepSeconds", &WorkHistory::step_seconds},
               Field{"count", &WorkHistory::count},
               Field{"spans", &WorkHistory::spans}};

}  // namespace bindery::report
