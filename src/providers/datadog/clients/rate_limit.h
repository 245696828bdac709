#pragma once

#include <optional>

#include "cloud/rate_limits.h"

namespace bindery::datadog {

/// The headers X-RateLimit-Limit, -Period (seconds, aligned to the calendar), -Remaining, -Reset
/// (seconds until then) and -Name, which come with every answer. Nothing when an answer does not
/// carry all, or not in numbers.
[[nodiscard]] std::optional<cloud::RateLimitReading> ReadRateLimit(
    const cloud::HttpResponse& response);

}  // namespace bindery::datadog
