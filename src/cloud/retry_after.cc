#include "cloud/retry_after.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iomanip>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>

namespace bindery::cloud {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestAsked = std::chrono::hours(365 * 24);

std::optional<milliseconds> FromRetryAfter(const HttpResponse& response, WallTime now) {
  const auto text = response.Header("retry-after");
  if (!text) return std::nullopt;
  if (const auto seconds = ParseSeconds(*text)) return seconds;
  const auto date = ParseHttpDate(*text);
  if (!date) return std::nullopt;
  return std::max(std::chrono::ceil<milliseconds>(*date - now), milliseconds::zero());
}

std::optional<milliseconds> FromRateLimit(const HttpResponse& response) {
  constexpr int kTooMany = 429;
  const auto text = response.Header("x-ratelimit-reset");
  if (!text || response.status != kTooMany) return std::nullopt;
  return ParseSeconds(*text);
}

}  // namespace

std::optional<milliseconds> ParseSeconds(std::string_view text) {
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, status] = std::from_chars(text.data(), end, seconds);
  if (text.empty() || status != std::errc() || stopped != end) return std::nullopt;
  if (!std::isfinite(seconds) || seconds < 0) return std::nullopt;
  constexpr double kLongestMillis{kLongestAsked.count()};
  return milliseconds(
      static_cast<std::int64_t>(std::ceil(std::min(seconds * 1'000, kLongestMillis))));
}

std::optional<WallTime> ParseHttpDate(const std::string& text) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  std::string weekday;
  std::string month_name;
  std::string zone;
  unsigned day = 0;
  int year = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  char colon = ' ';
  char second_colon = ' ';
  in >> weekday >> day >> month_name >> year >> hour >> colon >> minute >> second_colon >> second >>
      zone;
  const auto* const month = std::ranges::find(kMonths, std::string_view(month_name));
  if (in.fail() || month == kMonths.end() || colon != ':' || second_colon != ':' || zone != "GMT") {
    return std::nullopt;
  }
  const auto month_number = static_cast<unsigned>(month - kMonths.begin()) + 1;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month_number),
                                         std::chrono::day(day)};
  constexpr int kFirstYear = 1970;
  constexpr int kLastYear = 2200;  // Beyond it a WallTime overflows.
  if (year < kFirstYear || year > kLastYear) return std::nullopt;
  if (!date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
      second > 60) {
    return std::nullopt;
  }
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

std::optional<milliseconds> AskedToWait(const HttpResponse& response,
                                        std::optional<milliseconds> by_body, WallTime now) {
  std::optional<milliseconds> longest;
  for (const auto& wait : {FromRetryAfter(response, now), FromRateLimit(response), by_body}) {
    // An empty optional is less than any value.
    longest = std::max(longest, wait);
  }
  if (longest) longest = std::min(*longest, kLongestAsked);
  return longest;
}

std::optional<milliseconds> RetryAfter(const HttpResponse& response,
                                       std::optional<milliseconds> by_body, WallTime now) {
  std::optional<milliseconds> wait = AskedToWait(response, by_body, now);
  if (wait) wait = std::min<milliseconds>(*wait, kLongestRequestedWait);
  return wait;
}

std::optional<std::chrono::milliseconds> RequestedWait(const HttpResponse& response, WallTime now) {
  return RetryAfter(response, std::nullopt, now);
}

}  // namespace bindery::cloud
