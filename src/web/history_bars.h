#pragma once

#include <cstdint>
#include <string>

#include "report/values/work_history.h"
#include "web/html.h"

namespace bindery::web {

/// The range in words: "30 days".
[[nodiscard]] std::string MakeWords(const report::WorkHistory& history);

/// "2026-11-21", or "2026-11-21 13:00" where a span is an hour.
[[nodiscard]] std::string SpanName(const report::WorkHistory& history, WallTime begin);

/// A chart of bars for each number of a history.
[[nodiscard]] Html HistoryBars(const report::WorkHistory& history);

/// How many undeclared grants there are more or fewer than in the first span with a record, such as
/// "3 more than on 2026-10-23"; empty without an earlier record, and where the number is the same.
[[nodiscard]] std::string UndeclaredTrend(const report::WorkHistory& history, std::int64_t now);

}  // namespace bindery::web
