#pragma once

#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"

namespace bindery::report {

/// Reads a time as people write it, in UTC: "now", "today" and "yesterday" (their first moment), a
/// day (2026-11-21), a moment ("2026-11-21T10:20:30Z", or without zone or seconds, also with a
/// blank for the T), or how long ago (24h, 7d). One of these for every time a command or the API is
/// given.
[[nodiscard]] Expected<WallTime> ParseMoment(const std::string& text, WallTime now);

/// For the help of such an option.
inline constexpr const char* kMomentForms =
    "a day, yesterday, an RFC 3339 time, or how long ago (24h)";

}  // namespace bindery::report
