#include "providers/datadog/clients/rate_limit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace bindery::datadog {
namespace {

/// Longer periods than a day are no rate limits of the kind.
constexpr double kLongestSeconds = 86'400;

std::optional<double> NumberIn(const cloud::HttpResponse& response, std::string_view header) {
  const std::optional<std::string> text = response.Header(header);
  if (!text) return std::nullopt;
  double number = 0;
  const char* const end = text->data() + text->size();
  const auto [stopped, status] = std::from_chars(text->data(), end, number);
  if (status != std::errc() || stopped != end || !(number >= 0)) return std::nullopt;
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

std::chrono::seconds Seconds(double number) {
  return std::chrono::seconds(static_cast<std::int64_t>(std::min(number, kLongestSeconds)));
}

}  // namespace

std::optional<cloud::RateLimitReading> ReadRateLimit(const cloud::HttpResponse& response) {
  const auto limit = NumberIn(response, "x-ratelimit-limit");
  if (!limit) return std::nullopt;  // Most services say nothing of it.
  const auto period = NumberIn(response, "x-ratelimit-period");
  const auto remaining = NumberIn(response, "x-ratelimit-remaining");
  const auto reset = NumberIn(response, "x-ratelimit-reset");
  if (!period || !remaining || !reset || *limit < 1 || *period < 1) return std::nullopt;
  cloud::RateLimitReading reading;
  reading.bucket = response.Header("x-ratelimit-name").value_or("");
  reading.limit = *limit;
  reading.period = Seconds(*period);
  reading.remaining = *remaining;
  reading.reset = Seconds(*reset);
  return reading;
}

}  // namespace bindery::datadog
