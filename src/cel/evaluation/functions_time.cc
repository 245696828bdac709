// What a timestamp shows in a time zone, and the parts of a duration.

#include "cel/evaluation/functions.h"
#include "cel/evaluation/zone.h"

namespace bindery::cel {
namespace {

constexpr Int kNanosPerMilli = 1'000'000;

/// The part of a timestamp in UTC or in the zone of the second argument.
template <typename Part>
std::optional<Outcome> PartOfTimestamp(const Call& call, Part part) {
  const auto* time = call.args.empty() ? nullptr : call.args[0].As<Timestamp>();
  if (time == nullptr || call.args.size() > 2) return std::nullopt;
  if (call.args.size() == 1) return Outcome(Value(Int{part(ToCivil(*time, 0))}));
  const auto* zone = call.args[1].As<std::string>();
  if (zone == nullptr) return std::nullopt;
  const Expected<Int> offset = FindOffset(*zone, time->seconds);
  if (!offset) return Outcome(Failure{offset.error().message});
  return Outcome(Value(Int{part(ToCivil(*time, *offset))}));
}

template <typename Part>
Outcome OfTimestamp(const Call& call, Part part) {
  std::optional<Outcome> outcome = PartOfTimestamp(call, part);
  return outcome ? *std::move(outcome) : Outcome(NoSuchOverload(call));
}

/// Of a timestamp, or how many whole units a duration has.
template <typename Part>
Outcome OfEither(const Call& call, Part part, Int unit) {
  std::optional<Outcome> outcome = PartOfTimestamp(call, part);
  if (outcome) return *std::move(outcome);
  return Dispatch(call, [unit](Duration span) { return Value(span.nanos / unit); });
}

Outcome GetFullYear(const Call& call) {
  return OfTimestamp(call, [](const CivilTime& time) { return time.year; });
}
Outcome GetMonth(const Call& call) {
  return OfTimestamp(call, [](const CivilTime& time) { return time.month; });
}
Outcome GetDate(const Call& call) {
  return OfTimestamp(call, [](const CivilTime& time) { return time.day + 1; });
}
Outcome GetDayOfMonth(const Call& call) {
  return OfTimestamp(call, [](const CivilTime& time) { return time.day; });
}
Outcome GetDayOfWeek(const Call& call) {
  return OfTimestamp(call, [](const CivilTime& time) { return time.weekday; });
}
Outcome GetDayOfYear(const Call& call) {
  return OfTimestamp(call, [](const CivilTime& time) { return time.day_of_year; });
}
Outcome GetHours(const Call& call) {
  return OfEither(
      call, [](const CivilTime& time) { return time.hour; }, 3600 * kNanosPerSecond);
}
Outcome GetMinutes(const Call& call) {
  return OfEither(
      call, [](const CivilTime& time) { return time.minute; }, 60 * kNanosPerSecond);
}
Outcome GetSeconds(const Call& call) {
  return OfEither(
      call, [](const CivilTime& time) { return time.second; }, kNanosPerSecond);
}

// Unlike hours, minutes and seconds: of a duration too only what is beyond the whole second.
Outcome GetMilliseconds(const Call& call) {
  const auto* time = call.args.empty() ? nullptr : call.args[0].As<Timestamp>();
  if (time != nullptr) {
    const Int millis = time->nanos / kNanosPerMilli;
    return OfTimestamp(call, [millis](const CivilTime&) { return millis; });
  }
  return Dispatch(
      call, [](Duration span) { return Value(span.nanos % kNanosPerSecond / kNanosPerMilli); });
}

}  // namespace

std::span<const FunctionEntry> TimeFunctions() {
  static constexpr auto kTable = std::to_array<FunctionEntry>({
      {"getFullYear", Style::kMember, GetFullYear},
      {"getMonth", Style::kMember, GetMonth},
      {"getDate", Style::kMember, GetDate},
      {"getDayOfMonth", Style::kMember, GetDayOfMonth},
      {"getDayOfWeek", Style::kMember, GetDayOfWeek},
      {"getDayOfYear", Style::kMember, GetDayOfYear},
      {"getHours", Style::kMember, GetHours},
      {"getMinutes", Style::kMember, GetMinutes},
      {"getSeconds", Style::kMember, GetSeconds},
      {"getMilliseconds", Style::kMember, GetMilliseconds},
  });
  return kTable;
}

}  // namespace bindery::cel
