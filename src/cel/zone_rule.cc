#include "cel/zone_rule.h"

#include <algorithm>
#include <chrono>

namespace bindery::cel {
namespace {

constexpr std::int64_t kDay = 86'400;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool TakeChar(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// One to three digits, not above `most`.
bool TakeNumber(std::string_view& text, int most, int& value) {
  std::size_t count = 0;
  value = 0;
  while (count < text.size() && count < 3 && IsDigit(text[count])) {
    value = value * 10 + (text[count++] - '0');
  }
  text.remove_prefix(count);
  return count > 0 && value <= most;
}

/// "CET" or "<+03>".
bool TakeName(std::string_view& text) {
  if (TakeChar(text, '<')) {
    const std::size_t end = text.find('>');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
    return true;
  }
  std::size_t count = 0;
  while (count < text.size() && IsLetter(text[count])) ++count;
  text.remove_prefix(count);
  return count >= 3;
}

/// "2", "-1:30", "167:00:00", in seconds.
bool TakeTime(std::string_view& text, std::int64_t& seconds) {
  const bool negative = TakeChar(text, '-');
  if (!negative) TakeChar(text, '+');
  int hours = 0;
  int minutes = 0;
  int rest = 0;
  if (!TakeNumber(text, 167, hours)) return false;
  if (TakeChar(text, ':') && !TakeNumber(text, 59, minutes)) return false;
  if (TakeChar(text, ':') && !TakeNumber(text, 59, rest)) return false;
  seconds = std::int64_t{hours} * 3600 + minutes * 60 + rest;
  if (negative) seconds = -seconds;
  return true;
}

}  // namespace

bool ZoneRule::TakeChange(std::string_view& text, Change& change) {
  if (!TakeChar(text, ',')) return false;
  if (TakeChar(text, 'M')) {
    if (!TakeNumber(text, 12, change.month) || change.month < 1 || !TakeChar(text, '.') ||
        !TakeNumber(text, 5, change.week) || change.week < 1 || !TakeChar(text, '.') ||
        !TakeNumber(text, 6, change.weekday)) {
      return false;
    }
  } else {
    change.form = TakeChar(text, 'J') ? Change::Form::kJulian : Change::Form::kZeroBased;
    if (!TakeNumber(text, 365, change.day)) return false;
    if (change.form == Change::Form::kJulian && change.day < 1) return false;
  }
  return !TakeChar(text, '/') || TakeTime(text, change.second);
}

std::optional<ZoneRule> ZoneRule::Parse(std::string_view text) {
  ZoneRule rule;
  if (!TakeName(text) || !TakeTime(text, rule.standard_)) return std::nullopt;
  rule.standard_ = -rule.standard_;  // POSIX counts the hours to the west.
  if (text.empty()) return rule;
  rule.has_daylight_ = true;
  rule.daylight_ = rule.standard_ + 3600;
  if (!TakeName(text)) return std::nullopt;
  if (!text.empty() && text.front() != ',') {
    if (!TakeTime(text, rule.daylight_)) return std::nullopt;
    rule.daylight_ = -rule.daylight_;
  }
  if (!TakeChange(text, rule.start_) || !TakeChange(text, rule.end_) || !text.empty()) {
    return std::nullopt;
  }
  return rule;
}

/// In seconds since 1970 as the clocks on the wall count them.
std::int64_t ZoneRule::LocalSecond(const Change& change, int year) {
  namespace chrono = std::chrono;
  const chrono::year y(year);
  chrono::sys_days day = y / chrono::January / 1;
  if (change.form == Change::Form::kZeroBased) {
    day += chrono::days(change.day);
  } else if (change.form == Change::Form::kJulian) {
    const bool behind_leap_day = y.is_leap() && change.day >= 60;
    day += chrono::days(change.day - (behind_leap_day ? 0 : 1));
  } else {
    const auto month = y / chrono::month(static_cast<unsigned>(change.month));
    const chrono::weekday weekday(static_cast<unsigned>(change.weekday));
    day = change.week == 5 ? chrono::sys_days(month / weekday[chrono::last])
                           : chrono::sys_days(month / weekday[static_cast<unsigned>(change.week)]);
  }
  return std::int64_t{day.time_since_epoch().count()} * kDay + change.second;
}

std::int64_t ZoneRule::OffsetAt(std::int64_t time) const {
  if (!has_daylight_) return standard_;
  const std::chrono::sys_seconds local{std::chrono::seconds(time + standard_)};
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(local));
  const int year = static_cast<int>(date.year());
  const std::int64_t start = LocalSecond(start_, year) - standard_;
  const std::int64_t end = LocalSecond(end_, year) - daylight_;
  // In the south summer spans the turn of the year.
  const bool summer = start < end ? (time >= start && time < end) : (time >= start || time < end);
  return summer ? daylight_ : standard_;
}

}  // namespace bindery::cel
