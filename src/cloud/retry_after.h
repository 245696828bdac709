#pragma once

#include <chrono>
#include <optional>

#include "cloud/transport.h"
#include "core/clock.h"
#include "core/json.h"

namespace bindery::cloud_internal {

/// How long the service asks to wait: the longest of `Retry-After` (seconds, or a date, which
/// counts from `now`), `X-RateLimit-Reset` (seconds, on 429) and RetryInfo.retryDelay of a Google
/// error's details; at most an hour. Nothing when it asks for nothing.
[[nodiscard]] std::optional<std::chrono::milliseconds> RetryAfter(const HttpResponse& response,
                                                                  const Json* google_error,
                                                                  WallTime now);

}  // namespace bindery::cloud_internal
