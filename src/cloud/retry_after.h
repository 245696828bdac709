#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "cloud/transport.h"
#include "core/base/clock.h"

namespace bindery::cloud {

/// How long an answer may put off what is asked next, whatever it says: somebody before the service
/// may have said it, in error or in bad faith.
inline constexpr std::chrono::minutes kLongestRequestedWait{5};

/// How long the response asks to wait, by HTTP alone: see RetryAfter.
[[nodiscard]] std::optional<std::chrono::milliseconds> RequestedWait(const HttpResponse& response,
                                                                     WallTime now);

/// How long the service asks to wait: the longest of `Retry-After` (seconds, or a date, which
/// counts from `now`), `X-RateLimit-Reset` (seconds, on 429) and what its body says; up to a year.
/// Nothing when it asks for nothing.
[[nodiscard]] std::optional<std::chrono::milliseconds> AskedToWait(
    const HttpResponse& response, std::optional<std::chrono::milliseconds> by_body, WallTime now);

/// The same, at most kLongestRequestedWait: what is kept to.
[[nodiscard]] std::optional<std::chrono::milliseconds> RetryAfter(
    const HttpResponse& response, std::optional<std::chrono::milliseconds> by_body, WallTime now);

/// A number of seconds, rounded up to milliseconds; nothing for any other text and for less than 0.
[[nodiscard]] std::optional<std::chrono::milliseconds> ParseSeconds(std::string_view text);

/// "Wed, 21 Oct 2026 07:28:00 GMT"; nothing for any other form, and for years before 1970 or after
/// 2200.
[[nodiscard]] std::optional<WallTime> ParseHttpDate(const std::string& text);

}  // namespace bindery::cloud
