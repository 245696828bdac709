#include "cel/implication/calendar_parts.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cel/evaluation/time.h"
#include "cel/evaluation/zone.h"
#include "cel/syntax/tree.h"

namespace bindery::cel {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;

/// A getter, its values, and how it is walked through: `step` is shorter than any of its values
/// lasts, and a range of `longest` has all values.
struct Getter {
  std::string_view name;
  std::int64_t least;
  std::int64_t most;
  int CivilTime::*field;
  std::int64_t step;
  std::int64_t longest;
};

// Clocks that are put forward skip at most one hour, and days are at least 20 hours long.
constexpr Getter kGetters[] = {
    {"getMonth", 0, 11, &CivilTime::month, 6 * kHour, 400 * kDay},
    {"getDate", 1, 31, &CivilTime::day, 6 * kHour, 70 * kDay},
    {"getDayOfMonth", 0, 30, &CivilTime::day, 6 * kHour, 70 * kDay},
    {"getDayOfWeek", 0, 6, &CivilTime::weekday, 6 * kHour, 9 * kDay},
    {"getDayOfYear", 0, 365, &CivilTime::day_of_year, 6 * kHour, 400 * kDay},
    {"getHours", 0, 23, &CivilTime::hour, 10 * kMinute, 2 * kDay},
    {"getMinutes", 0, 59, &CivilTime::minute, 30, 3 * kHour},
};

/// Parts without a walk: any range may have all values.
constexpr Getter kShortGetters[] = {
    {"getSeconds", 0, 59, nullptr, 0, 0},
    {"getMilliseconds", 0, 999, nullptr, 0, 0},
};

const Getter* GetterCalled(std::string_view name) {
  const auto* const found = std::ranges::find(kGetters, name, &Getter::name);
  if (found != std::end(kGetters)) return found;
  const auto* const other = std::ranges::find(kShortGetters, name, &Getter::name);
  return other == std::end(kShortGetters) ? nullptr : other;
}

}  // namespace

std::optional<CalendarPart> CalendarPartIn(const Expr& expr) {
  if (expr.kind != ExprKind::kMember || expr.args.empty() || expr.args.size() > 2 ||
      !IsPath(*expr.args[0], "request.time")) {
    return std::nullopt;
  }
  const Getter* getter = GetterCalled(expr.name);
  const std::string* zone = expr.args.size() == 2 ? StringLiteral(*expr.args[1]) : nullptr;
  if (getter == nullptr || (expr.args.size() == 2 && zone == nullptr)) return std::nullopt;
  const std::string name = zone == nullptr ? "UTC" : *zone;
  if (!FindOffset(name, 0)) return std::nullopt;
  return CalendarPart{expr.name, name, getter->least, getter->most};
}

std::optional<std::set<std::int64_t>> ValuesWithin(const CalendarPart& part,
                                                   const TimeRange& range) {
  const Getter& getter = *GetterCalled(part.getter);
  if (getter.field == nullptr || !range.from || !range.until) return std::nullopt;
  const std::int64_t begin = range.from->seconds;
  // The range may end within a second, or with its beginning.
  const std::int64_t last =
      range.until->nanos > 0 ? range.until->seconds : range.until->seconds - 1;
  if (last - begin >= getter.longest) return std::nullopt;
  std::set<std::int64_t> values;
  for (std::int64_t second = begin;; second += getter.step) {
    const std::int64_t at = std::min(second, std::max(begin, last));
    const auto offset = FindOffset(part.zone, at);
    if (!offset) return std::nullopt;
    const int value = ToCivil({at, 0}, *offset).*getter.field;
    values.insert(part.getter == "getDate" ? value + 1 : value);
    if (second >= last) return values;
  }
}

}  // namespace bindery::cel
