#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/expected.h"

namespace bindery {

/// "2026-11-21T10:20:30.123Z": UTC, always three fractional digits.
[[nodiscard]] std::string FormatRfc3339(WallTime time);

/// Reads RFC 3339 with 0 to 9 fractional digits and `Z` or a numeric offset. kInvalidArgument
/// otherwise. A time outside of WallTime's range becomes the last, or first, WallTime.
[[nodiscard]] Expected<WallTime> ParseRfc3339(std::string_view text);

/// The same, or a day, "2026-11-21", from 00:00 UTC.
[[nodiscard]] Expected<WallTime> ParseDayOrTime(std::string_view text);

/// Reads "200ms", "30s", "5m", "1h", "90d": one whole, non-negative number and one unit.
[[nodiscard]] Expected<std::chrono::milliseconds> ParseDuration(std::string_view text);

/// The shortest exact form ParseDuration reads: "5m", "90s", "200ms".
[[nodiscard]] std::string FormatDuration(std::chrono::milliseconds duration);

/// For people: "3s", "4m10s", "2h5m", "6d3h"; two units at most.
[[nodiscard]] std::string FormatAge(std::chrono::milliseconds duration);

}  // namespace bindery
