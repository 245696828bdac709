#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/expected.h"

namespace bindery::cel {

/// A moment from year 1 to year 9999, to the nanosecond.
struct Timestamp {
  std::int64_t seconds = 0;  ///< Since 1970, rounded down.
  std::int32_t nanos = 0;    ///< 0 to 999,999,999, forward in time.
  auto operator<=>(const Timestamp&) const = default;
};

/// A span of time of at most some 292 years either way.
struct Duration {
  std::int64_t nanos = 0;
  auto operator<=>(const Duration&) const = default;
};

inline constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

/// kInvalidArgument outside years 1 to 9999.
[[nodiscard]] Expected<Timestamp> MakeTimestamp(std::int64_t seconds, std::int64_t nanos);

/// RFC 3339, "2026-11-21T10:20:30.123456789+01:00"; digits beyond nanoseconds are cut off.
[[nodiscard]] Expected<Timestamp> ParseTimestamp(std::string_view text);

/// A day, "2026-11-21": its first moment in UTC.
[[nodiscard]] Expected<Timestamp> ParseDate(std::string_view text);

/// In UTC, with as many fractional digits as there are: "2026-11-21T10:20:30.5Z".
[[nodiscard]] std::string ToString(Timestamp time);

/// "1h30m", "-1.5s", "250ms", "1us2ns" and so on, or "0".
[[nodiscard]] Expected<Duration> ParseDuration(std::string_view text);

/// In seconds: "5400s", "-1.5s".
[[nodiscard]] std::string ToString(Duration duration);

[[nodiscard]] Expected<Timestamp> Add(Timestamp time, Duration duration);
[[nodiscard]] Expected<Timestamp> Subtract(Timestamp time, Duration duration);
[[nodiscard]] Expected<Duration> Subtract(Timestamp left, Timestamp right);
[[nodiscard]] Expected<Duration> Add(Duration left, Duration right);
[[nodiscard]] Expected<Duration> Subtract(Duration left, Duration right);

/// The fields of a calendar and a clock.
struct CivilTime {
  int year = 0;
  int month = 0;  ///< 0 to 11.
  int day = 0;    ///< 0 to 30.
  int hour = 0;
  int minute = 0;
  int second = 0;
  int weekday = 0;      ///< 0 is Sunday.
  int day_of_year = 0;  ///< 0 to 365.
};

/// Where the clocks are `offset` seconds ahead of UTC.
[[nodiscard]] CivilTime ToCivil(Timestamp time, std::int64_t offset);

}  // namespace bindery::cel
