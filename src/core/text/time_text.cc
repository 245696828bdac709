#include "core/text/time_text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <limits>

namespace bindery {
namespace {

using std::chrono::milliseconds;

/// Takes exactly `digits` decimal digits off the front of `text`.
bool TakeNumber(std::string_view& text, std::size_t digits, int& value) {
  if (text.size() < digits) return false;
  for (std::size_t i = 0; i < digits; ++i) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) return false;
  }
  std::from_chars(text.data(), text.data() + digits, value);
  text.remove_prefix(digits);
  return true;
}

bool TakeChar(std::string_view& text, std::string_view one_of) {
  if (text.empty() || one_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Takes ".123456789" if present; false when the dot has 0 or more than 9 digits behind.
bool TakeFraction(std::string_view& text, std::int64_t& nanos) {
  nanos = 0;
  if (text.empty() || text.front() != '.') return true;
  text.remove_prefix(1);
  std::size_t count = 0;
  while (count < text.size() && std::isdigit(static_cast<unsigned char>(text[count])) != 0) {
    if (count == 9) return false;
    nanos = nanos * 10 + (text[count] - '0');
    ++count;
  }
  if (count == 0) return false;
  text.remove_prefix(count);
  for (std::size_t i = count; i < 9; ++i) nanos *= 10;
  return true;
}

bool TakeOffset(std::string_view& text, std::chrono::minutes& offset) {
  if (TakeChar(text, "Zz")) return true;
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return false;
  const int sign = text.front() == '-' ? -1 : 1;
  text.remove_prefix(1);
  int hours = 0;
  int minutes = 0;
  if (!TakeNumber(text, 2, hours) || !TakeChar(text, ":") || !TakeNumber(text, 2, minutes)) {
    return false;
  }
  if (hours > 23 || minutes > 59) return false;
  offset = sign * (std::chrono::hours(hours) + std::chrono::minutes(minutes));
  return true;
}

/// Writes `digits` decimal digits of it at `at`.
void PutNumber(std::string& text, std::size_t at, std::size_t digits, std::int64_t value) {
  for (std::size_t i = at + digits; i > at; --i, value /= 10) {
    text[i - 1] = static_cast<char>('0' + value % 10);
  }
}

struct Unit {
  std::string_view name;
  std::int64_t millis;
};
constexpr std::array<Unit, 5> kUnits = {
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};

/// WallTime ends in the year 2262, and years have four digits.
WallTime Clamped(std::chrono::sys_seconds time, std::chrono::nanoseconds rest) {
  if (time <= std::chrono::ceil<std::chrono::seconds>(WallTime::min())) return WallTime::min();
  if (time >= std::chrono::floor<std::chrono::seconds>(WallTime::max())) return WallTime::max();
  return time + rest;
}

}  // namespace

std::string FormatRfc3339(WallTime time) {
  const auto millis = std::chrono::floor<milliseconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(millis);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(millis - day);
  std::string text = "0000-00-00T00:00:00.000Z";
  // WallTime's range lies in years of four digits.
  PutNumber(text, 0, 4, static_cast<int>(date.year()));
  PutNumber(text, 5, 2, static_cast<unsigned>(date.month()));
  PutNumber(text, 8, 2, static_cast<unsigned>(date.day()));
  PutNumber(text, 11, 2, clock.hours().count());
  PutNumber(text, 14, 2, clock.minutes().count());
  PutNumber(text, 17, 2, clock.seconds().count());
  PutNumber(text, 20, 3, clock.subseconds().count());
  return text;
}

Expected<WallTime> ParseRfc3339(std::string_view text) {
  const auto bad = [whole = std::string(text)] {
    return Fail(Code::kInvalidArgument,
                "\"" + whole + "\" is not a time such as 2026-11-21T10:20:30Z");
  };
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!TakeNumber(text, 4, year) || !TakeChar(text, "-") || !TakeNumber(text, 2, month) ||
      !TakeChar(text, "-") || !TakeNumber(text, 2, day) || !TakeChar(text, "Tt ") ||
      !TakeNumber(text, 2, hour) || !TakeChar(text, ":") || !TakeNumber(text, 2, minute) ||
      !TakeChar(text, ":") || !TakeNumber(text, 2, second)) {
    return bad();
  }
  std::int64_t nanos = 0;
  std::chrono::minutes offset{0};
  if (!TakeFraction(text, nanos) || !TakeOffset(text, offset) || !text.empty()) return bad();
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return bad();
  return Clamped(std::chrono::sys_days(date) + std::chrono::hours(hour) +
                     std::chrono::minutes(minute) + std::chrono::seconds(second) - offset,
                 std::chrono::nanoseconds(nanos));
}

Expected<WallTime> ParseDayOrTime(std::string_view text) {
  constexpr std::size_t kDay = std::string_view("2026-11-21").size();
  return ParseRfc3339(std::string(text) + (text.size() == kDay ? "T00:00:00Z" : ""));
}

Expected<milliseconds> ParseDuration(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (status == std::errc() && count >= 0) {
    for (const Unit& known : kUnits) {
      if (unit != known.name) continue;
      if (count > std::numeric_limits<std::int64_t>::max() / known.millis) break;
      return milliseconds(count * known.millis);
    }
  }
  return Fail(Code::kInvalidArgument,
              "\"" + std::string(text) + "\" is not a duration such as 200ms, 30s, 5m, 1h or 90d");
}

std::string FormatDuration(milliseconds duration) {
  const std::int64_t count = duration.count();
  if (count == 0) return "0s";
  for (const Unit& unit : kUnits) {
    if (count % unit.millis == 0) return fmt::format("{}{}", count / unit.millis, unit.name);
  }
  return fmt::format("{}ms", count);
}

std::string FormatAge(milliseconds duration) {
  std::int64_t rest = duration.count();
  if (rest < 0) rest = 0;
  if (rest < 1000) return fmt::format("{}ms", rest);
  for (std::size_t i = 0; i + 1 < kUnits.size(); ++i) {
    if (rest < kUnits[i].millis) continue;
    std::string text = fmt::format("{}{}", rest / kUnits[i].millis, kUnits[i].name);
    rest %= kUnits[i].millis;
    const Unit& next = kUnits[i + 1];
    if (next.name != "ms" && rest >= next.millis) {
      text += fmt::format("{}{}", rest / next.millis, next.name);
    }
    return text;
  }
  return "0s";
}

}  // namespace bindery
