#include "cel/evaluation/time.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <utility>

#include "core/text/ascii.h"

namespace bindery::cel {
namespace {

constexpr std::int64_t kFirstSecond = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr std::int64_t kLastSecond = 253'402'300'799;   // 9999-12-31T23:59:59Z

/// Takes exactly `digits` decimal digits off the front of `text`.
bool TakeNumber(std::string_view& text, std::size_t digits, int& value) {
  if (text.size() < digits) return false;
  value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (!IsAsciiDigit(text[i])) return false;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return true;
}

bool TakeChar(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// Takes ".25" if present, as nanoseconds.
bool TakeFraction(std::string_view& text, std::int64_t& nanos) {
  nanos = 0;
  if (!TakeChar(text, '.')) return true;
  if (text.empty() || !IsAsciiDigit(text.front())) return false;
  for (std::int64_t unit = kNanosPerSecond / 10; !text.empty() && IsAsciiDigit(text.front());
       unit /= 10) {
    nanos += unit * (text.front() - '0');
    text.remove_prefix(1);
  }
  return true;
}

/// Takes "Z", "+01:00" or "-01:00", as seconds ahead of UTC.
bool TakeOffset(std::string_view& text, std::int64_t& offset) {
  offset = 0;
  if (TakeChar(text, 'Z')) return true;
  const bool west = !text.empty() && text.front() == '-';
  int hours = 0;
  int minutes = 0;
  if (!TakeChar(text, west ? '-' : '+') || !TakeNumber(text, 2, hours) || !TakeChar(text, ':') ||
      !TakeNumber(text, 2, minutes) || hours > 23 || minutes > 59) {
    return false;
  }
  offset = (west ? -1 : 1) * (hours * 3600 + minutes * 60);
  return true;
}

bool TakeDate(std::string_view& text, std::chrono::sys_days& day) {
  int year = 0;
  int month = 0;
  int day_of_month = 0;
  if (!TakeNumber(text, 4, year) || !TakeChar(text, '-') || !TakeNumber(text, 2, month) ||
      !TakeChar(text, '-') || !TakeNumber(text, 2, day_of_month)) {
    return false;
  }
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day_of_month)));
  if (!date.ok()) return false;
  day = date;
  return true;
}

std::int64_t ToSeconds(std::chrono::sys_days day) {
  return std::int64_t{day.time_since_epoch().count()} * 86'400;
}

/// ".5" for 500,000,000; nothing for 0.
std::string FractionText(std::int64_t nanos) {
  if (nanos == 0) return "";
  std::string digits = std::to_string(nanos);
  digits.insert(0, 9 - digits.size(), '0');
  while (digits.back() == '0') digits.pop_back();
  return "." + digits;
}

std::string Padded(int value, std::size_t width) {
  std::string text = std::to_string(value);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

/// Takes "h", "ms" and so on, as nanoseconds; 0 for no unit.
std::int64_t TakeUnit(std::string_view& text) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 8> kUnits = {{
      {"ns", 1},
      {"us", 1'000},
      {"\u00b5s", 1'000},
      {"\u03bcs", 1'000},
      {"ms", 1'000'000},
      {"s", kNanosPerSecond},
      {"m", 60 * kNanosPerSecond},
      {"h", 3600 * kNanosPerSecond},
  }};
  for (const auto& [name, nanos] : kUnits) {
    // "m" is the beginning of "ms" only where no s follows: the table has "ms" first.
    if (!text.starts_with(name)) continue;
    text.remove_prefix(name.size());
    return nanos;
  }
  return 0;
}

/// Takes "1.5h" and adds it to `total`; false when malformed or too large.
bool TakeComponent(std::string_view& text, std::int64_t& total) {
  std::uint64_t whole = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, whole);
  const bool has_whole = rest != text.data();
  if (has_whole && error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  std::string_view fraction;
  if (TakeChar(text, '.')) {
    std::size_t count = 0;
    while (count < text.size() && IsAsciiDigit(text[count])) ++count;
    fraction = text.substr(0, count);
    text.remove_prefix(count);
  }
  const std::int64_t unit = TakeUnit(text);
  if (unit == 0 || (!has_whole && fraction.empty())) return false;
  std::int64_t nanos = 0;
  if (whole > std::uint64_t{std::numeric_limits<std::int64_t>::max()} ||
      __builtin_mul_overflow(static_cast<std::int64_t>(whole), unit, &nanos)) {
    return false;
  }
  double digits = 0;
  double scale = 1;
  for (const char digit : fraction.substr(0, 15)) {  // As many as a double holds exactly.
    digits = digits * 10 + (digit - '0');
    scale *= 10;
  }
  const auto part = static_cast<std::int64_t>(digits * (static_cast<double>(unit) / scale));
  return !__builtin_add_overflow(nanos, part, &nanos) &&
         !__builtin_add_overflow(total, nanos, &total);
}

auto OutOfRange(std::string_view what) {
  return Fail(Code::kInvalidArgument, std::string(what) + " out of range");
}

}  // namespace

Expected<Timestamp> MakeTimestamp(std::int64_t seconds, std::int64_t nanos) {
  std::int64_t carry = nanos / kNanosPerSecond;
  nanos %= kNanosPerSecond;
  if (nanos < 0) {
    nanos += kNanosPerSecond;
    --carry;
  }
  if (__builtin_add_overflow(seconds, carry, &seconds) || seconds < kFirstSecond ||
      seconds > kLastSecond) {
    return OutOfRange("timestamp");
  }
  return Timestamp{seconds, static_cast<std::int32_t>(nanos)};
}

Expected<Timestamp> ParseTimestamp(std::string_view text) {
  const std::string_view whole = text;
  std::chrono::sys_days day;
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::int64_t nanos = 0;
  std::int64_t offset = 0;
  if (!TakeDate(text, day) || !TakeChar(text, 'T') || !TakeNumber(text, 2, hour) ||
      !TakeChar(text, ':') || !TakeNumber(text, 2, minute) || !TakeChar(text, ':') ||
      !TakeNumber(text, 2, second) || !TakeFraction(text, nanos) || !TakeOffset(text, offset) ||
      !text.empty() || hour > 23 || minute > 59 || second > 59) {
    return Fail(Code::kInvalidArgument, "invalid timestamp \"" + std::string(whole) + "\"");
  }
  return MakeTimestamp(ToSeconds(day) + hour * 3600 + minute * 60 + second - offset, nanos);
}

Expected<Timestamp> ParseDate(std::string_view text) {
  const std::string_view whole = text;
  std::chrono::sys_days day;
  if (!TakeDate(text, day) || !text.empty()) {
    return Fail(Code::kInvalidArgument, "invalid date \"" + std::string(whole) + "\"");
  }
  return MakeTimestamp(ToSeconds(day), 0);
}

std::string ToString(Timestamp time) {
  const CivilTime civil = ToCivil(time, 0);
  return Padded(civil.year, 4) + "-" + Padded(civil.month + 1, 2) + "-" + Padded(civil.day + 1, 2) +
         "T" + Padded(civil.hour, 2) + ":" + Padded(civil.minute, 2) + ":" +
         Padded(civil.second, 2) + FractionText(time.nanos) + "Z";
}

Expected<Duration> ParseDuration(std::string_view text) {
  const std::string_view whole = text;
  const bool negative = TakeChar(text, '-');
  if (!negative) TakeChar(text, '+');
  if (text == "0") return Duration{};
  std::int64_t nanos = 0;
  bool good = !text.empty();
  while (good && !text.empty()) good = TakeComponent(text, nanos);
  if (!good) {
    return Fail(Code::kInvalidArgument,
                "invalid or out of range duration \"" + std::string(whole) + "\"");
  }
  return Duration{negative ? -nanos : nanos};
}

std::string ToString(Duration duration) {
  // The remainder has the sign of the whole, and only the smallest number has no counterpart.
  const std::int64_t seconds = duration.nanos / kNanosPerSecond;
  const std::int64_t nanos = std::abs(duration.nanos % kNanosPerSecond);
  std::string text = std::to_string(seconds);
  if (duration.nanos < 0 && seconds == 0) text = "-0";
  return text + FractionText(nanos) + "s";
}

Expected<Timestamp> Add(Timestamp time, Duration duration) {
  return MakeTimestamp(time.seconds + duration.nanos / kNanosPerSecond,
                       time.nanos + duration.nanos % kNanosPerSecond);
}

Expected<Timestamp> Subtract(Timestamp time, Duration duration) {
  return MakeTimestamp(time.seconds - duration.nanos / kNanosPerSecond,
                       time.nanos - duration.nanos % kNanosPerSecond);
}

Expected<Duration> Subtract(Timestamp left, Timestamp right) {
  std::int64_t nanos = 0;
  if (__builtin_mul_overflow(left.seconds - right.seconds, kNanosPerSecond, &nanos) ||
      __builtin_add_overflow(nanos, std::int64_t{left.nanos} - right.nanos, &nanos)) {
    return OutOfRange("duration");
  }
  return Duration{nanos};
}

Expected<Duration> Add(Duration left, Duration right) {
  Duration sum;
  if (__builtin_add_overflow(left.nanos, right.nanos, &sum.nanos)) return OutOfRange("duration");
  return sum;
}

Expected<Duration> Subtract(Duration left, Duration right) {
  Duration difference;
  if (__builtin_sub_overflow(left.nanos, right.nanos, &difference.nanos)) {
    return OutOfRange("duration");
  }
  return difference;
}

CivilTime ToCivil(Timestamp time, std::int64_t offset) {
  const std::chrono::sys_seconds local{std::chrono::seconds(time.seconds + offset)};
  const auto day = std::chrono::floor<std::chrono::days>(local);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(local - day);
  CivilTime civil;
  civil.year = static_cast<int>(date.year());
  civil.month = static_cast<int>(static_cast<unsigned>(date.month())) - 1;
  civil.day = static_cast<int>(static_cast<unsigned>(date.day())) - 1;
  civil.hour = static_cast<int>(clock.hours().count());
  civil.minute = static_cast<int>(clock.minutes().count());
  civil.second = static_cast<int>(clock.seconds().count());
  civil.weekday = static_cast<int>(std::chrono::weekday(day).c_encoding());
  civil.day_of_year = static_cast<int>(
      (day - std::chrono::sys_days(date.year() / std::chrono::January / 1)).count());
  return civil;
}

}  // namespace bindery::cel
