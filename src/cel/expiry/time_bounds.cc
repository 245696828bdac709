#include "cel/expiry/time_bounds.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "cel/evaluation/evaluator.h"
#include "cel/expiry/calendar_years.h"
#include "cel/expiry/time_moments.h"
#include "cel/syntax/tree.h"

namespace bindery::cel {
namespace {

using Ranges = std::vector<TimeRange>;

/// When an expression can be true, and when false: at a moment that is in neither it has no value.
struct Truth {
  Ranges yes;
  Ranges no;
};

Ranges Always() { return {TimeRange{}}; }
Truth Anything() { return {Always(), Always()}; }
Truth Known(bool value) { return value ? Truth{Always(), {}} : Truth{{}, Always()}; }

bool EndsBefore(const TimeRange& left, const TimeRange& right) {
  return left.until && (!right.until || *left.until < *right.until);
}

Ranges Intersect(const Ranges& left, const Ranges& right) {
  Ranges both;
  for (auto a = left.begin(), b = right.begin(); a != left.end() && b != right.end();) {
    TimeRange shared = {std::max(a->from, b->from), EndsBefore(*a, *b) ? a->until : b->until};
    if (!shared.from || !shared.until || *shared.from < *shared.until) both.push_back(shared);
    EndsBefore(*a, *b) ? ++a : ++b;
  }
  return both;
}

Ranges Unite(const Ranges& left, const Ranges& right) {
  Ranges all = left;
  all.insert(all.end(), right.begin(), right.end());
  // Nothing is less than any moment, as it is to begin since ever.
  std::sort(all.begin(), all.end(),
            [](const TimeRange& a, const TimeRange& b) { return a.from < b.from; });
  Ranges united;
  for (const TimeRange& range : all) {
    TimeRange* last = united.empty() ? nullptr : &united.back();
    if (last == nullptr || (last->until && range.from > last->until)) {
      united.push_back(range);
    } else if (EndsBefore(*last, range)) {
      last->until = range.until;
    }
  }
  return united;
}

Truth And(const Truth& left, const Truth& right) {
  return {Intersect(left.yes, right.yes), Unite(left.no, right.no)};
}

Truth Denied(Truth truth) { return {std::move(truth.no), std::move(truth.yes)}; }

Truth Or(const Truth& left, const Truth& right) { return Denied(And(Denied(left), Denied(right))); }

/// `request.time` plus the offset.
struct RequestOffset {
  Duration ahead;
};
/// From `since` to `request.time`.
struct SpanSince {
  Timestamp start;
};
/// From `request.time` to the time.
struct SpanUntil {
  Timestamp end;
};
/// One side of a comparison.
using Operand =
    std::variant<std::monostate, Timestamp, Duration, RequestOffset, SpanSince, SpanUntil>;

bool IsRequestTime(const Expr& expr) {
  if (expr.kind != ExprKind::kSelect || expr.name != "time") return false;
  if (!expr.optional.empty() && expr.optional.front()) return false;
  const Expr& of = *expr.args[0];
  return of.kind == ExprKind::kIdent && (of.name == "request" || of.name == ".request");
}

Operand ConstantOperand(const Expr& expr) {
  const Outcome outcome = Evaluate(expr, IamActivation());
  const Value* value = std::get_if<Value>(&outcome);
  if (value == nullptr) return {};
  if (const auto* time = value->As<Timestamp>()) return *time;
  if (const auto* span = value->As<Duration>()) return *span;
  return {};
}

template <typename T>
const T* As(const Operand& operand) {
  return std::get_if<T>(&operand);
}

Operand Moment(Expected<Duration> ahead) {
  return ahead ? Operand(RequestOffset{*ahead}) : Operand();
}
Operand Since(Expected<Timestamp> start) { return start ? Operand(SpanSince{*start}) : Operand(); }
Operand Until(Expected<Timestamp> end) { return end ? Operand(SpanUntil{*end}) : Operand(); }

/// Of what depends on `request.time`, and something fixed.
Operand SumUp(const Operand& varying, const Operand& fixed) {
  const auto* span = As<Duration>(fixed);
  const auto* time = As<Timestamp>(fixed);
  const auto* since = As<SpanSince>(varying);
  if (since != nullptr && time != nullptr) return Moment(Subtract(*time, since->start));
  if (span == nullptr) return {};
  if (const auto* moment = As<RequestOffset>(varying)) return Moment(Add(moment->ahead, *span));
  if (since != nullptr) return Since(Subtract(since->start, *span));
  if (const auto* until = As<SpanUntil>(varying)) return Until(Add(until->end, *span));
  return {};
}

/// Something fixed taken off what depends on `request.time`.
Operand SubtractOperands(const Operand& varying, const Operand& fixed) {
  if (const auto* span = As<Duration>(fixed)) {
    if (const auto* moment = As<RequestOffset>(varying)) {
      return Moment(Subtract(moment->ahead, *span));
    }
    if (const auto* since = As<SpanSince>(varying)) return Since(Add(since->start, *span));
    if (const auto* until = As<SpanUntil>(varying)) return Until(Subtract(until->end, *span));
  }
  const auto* moment = As<RequestOffset>(varying);
  const auto* time = As<Timestamp>(fixed);
  return moment != nullptr && time != nullptr ? Since(Subtract(*time, moment->ahead)) : Operand();
}

/// What depends on `request.time` taken off something fixed.
Operand MoveLeft(const Operand& fixed, const Operand& varying) {
  if (const auto* time = As<Timestamp>(fixed)) {
    if (const auto* moment = As<RequestOffset>(varying)) {
      return Until(Subtract(*time, moment->ahead));
    }
    const auto* until = As<SpanUntil>(varying);
    return until != nullptr ? Moment(Subtract(*time, until->end)) : Operand();
  }
  const auto* span = As<Duration>(fixed);
  if (span == nullptr) return {};
  if (const auto* since = As<SpanSince>(varying)) return Until(Add(since->start, *span));
  const auto* until = As<SpanUntil>(varying);
  return until != nullptr ? Since(Subtract(until->end, *span)) : Operand();
}

bool IsFixed(const Operand& operand) {
  return As<Timestamp>(operand) != nullptr || As<Duration>(operand) != nullptr;
}

// NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth
Operand MakeOperand(const Expr& expr) {
  if (IsRequestTime(expr)) return RequestOffset{};
  const bool sum = expr.kind == ExprKind::kCall && expr.args.size() == 2;
  if (sum && (expr.name == "_+_" || expr.name == "_-_")) {
    const Operand left = MakeOperand(*expr.args[0]);
    const Operand right = MakeOperand(*expr.args[1]);
    Operand both;
    if (expr.name == "_+_") both = IsFixed(right) ? SumUp(left, right) : SumUp(right, left);
    if (expr.name == "_-_")
      both = IsFixed(right) ? SubtractOperands(left, right) : MoveLeft(left, right);
    if (!std::holds_alternative<std::monostate>(both)) return both;
  }
  return ConstantOperand(expr);
}

/// The bound of `request.time` in a comparison.
struct Bound {
  Timestamp time;
  bool mirrored = false;  ///< The smaller the side is, the later `request.time`.
};

/// When one side depends on `request.time`, and the second is fixed; nothing otherwise.
std::optional<Bound> FindBound(const Operand& varying, const Operand& fixed) {
  const auto* moment = As<RequestOffset>(varying);
  const auto* since = As<SpanSince>(varying);
  const auto* until = As<SpanUntil>(varying);
  const auto* time = As<Timestamp>(fixed);
  const auto* span = As<Duration>(fixed);
  Expected<Timestamp> bound = Fail(Code::kInvalidArgument, "");
  if (moment != nullptr && time != nullptr) bound = Subtract(*time, moment->ahead);
  if (since != nullptr && span != nullptr) bound = Add(since->start, *span);
  if (until != nullptr && span != nullptr) bound = Subtract(until->end, *span);
  return bound ? std::optional(Bound{*bound, until != nullptr}) : std::nullopt;
}

/// The moment after; the last moment has none.
std::optional<Timestamp> NextIfAny(Timestamp time) {
  const auto next = Add(time, Duration{1});
  return next ? std::optional(*next) : std::nullopt;
}

Truth Compared(std::string_view name, Timestamp bound) {
  const std::optional<Timestamp> next = NextIfAny(bound);
  const Ranges beyond = next ? Ranges{{next, std::nullopt}} : Ranges{};
  Truth before = {{{std::nullopt, bound}}, {{bound, std::nullopt}}};
  Truth until = {{{std::nullopt, next}}, beyond};
  const Truth equal = {{{bound, next}}, Unite({{std::nullopt, bound}}, beyond)};
  if (name == "_<_") return before;
  if (name == "_<=_") return until;
  if (name == "_>_") return Denied(until);
  if (name == "_>=_") return Denied(before);
  return name == "_==_" ? equal : Denied(equal);
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kMirrored = {
    {{"_<_", "_>_"},
     {"_<=_", "_>=_"},
     {"_>_", "_<_"},
     {"_>=_", "_<=_"},
     {"_==_", "_==_"},
     {"_!=_", "_!=_"}}};

/// The zone of `request.time.getFullYear(zone)`.
std::optional<std::string> ZoneOfYear(const Expr& expr) {
  const bool getter = expr.kind == ExprKind::kMember && expr.name == "getFullYear" &&
                      !expr.args.empty() && expr.args.size() <= 2 && IsRequestTime(*expr.args[0]);
  if (!getter) return std::nullopt;
  if (expr.args.size() == 1) return "UTC";
  const std::string* zone = StringLiteral(*expr.args[1]);
  return zone == nullptr ? std::nullopt : std::optional(*zone);
}

/// A comparison of the year. Nothing: its moments cannot be told.
std::optional<Truth> YearCompared(std::string_view name, const std::string& zone,
                                  const Expr& constant) {
  const Outcome outcome = Evaluate(constant, IamActivation());
  const Value* value = std::get_if<Value>(&outcome);
  const auto* year = value == nullptr ? nullptr : value->As<std::int64_t>();
  const auto begin = year == nullptr ? std::nullopt : BeginOfYear(*year, zone);
  const auto next = begin ? BeginOfYear(*year + 1, zone) : std::nullopt;
  if (!next) return std::nullopt;
  if (name == "_<_" || name == "_>=_") return Compared(name, *begin);
  if (name == "_<=_") return Compared("_<_", *next);
  if (name == "_>_") return Compared("_>=_", *next);
  Truth within = And(Compared("_>=_", *begin), Compared("_<_", *next));
  return name == "_==_" ? within : Denied(std::move(within));
}

/// The same of `request.time.getFullYear() in [2026, 2027]`.
std::optional<Truth> YearIn(const Expr& expr) {
  if (!IsCall(expr, "_in_", 2) || expr.args[1]->kind != ExprKind::kList) return std::nullopt;
  const std::optional<std::string> zone = ZoneOfYear(*expr.args[0]);
  if (!zone) return std::nullopt;
  Truth any = Known(false);
  for (const ExprPtr& item : expr.args[1]->args) {
    const std::optional<Truth> one = YearCompared("_==_", *zone, *item);
    if (!one) return std::nullopt;
    any = Or(any, *one);
  }
  return any;
}

/// What has the same value whatever is asked for, or none; else anything.
Truth Plain(const Expr& expr) {
  const Outcome outcome = Evaluate(expr, IamActivation());
  if (std::holds_alternative<Unknown>(outcome)) return Anything();
  const Value* value = std::get_if<Value>(&outcome);
  const bool* truth = value == nullptr ? nullptr : value->As<bool>();
  return truth == nullptr ? Truth{} : Known(*truth);
}

/// The expression always fails: an invalid time, a division by zero.
bool HasNoValue(const Expr& expr) {
  return std::holds_alternative<Failure>(Evaluate(expr, IamActivation()));
}

Truth Atom(const Expr& expr) {
  if (const auto years = YearIn(expr)) return *years;
  const auto* mirrored = std::find_if(kMirrored.begin(), kMirrored.end(),
                                      [&](const auto& entry) { return entry.first == expr.name; });
  if (expr.kind != ExprKind::kCall || mirrored == kMirrored.end()) return Plain(expr);
  for (const std::size_t side : {0U, 1U}) {
    const std::optional<std::string> zone = ZoneOfYear(*expr.args[side]);
    const std::string_view name = side == 0 ? mirrored->first : mirrored->second;
    const auto years = zone ? YearCompared(name, *zone, *expr.args[1 - side]) : std::nullopt;
    if (years) return *years;
  }
  const Operand left = MakeOperand(*expr.args[0]);
  const Operand right = MakeOperand(*expr.args[1]);
  if (const auto bound = FindBound(left, right)) {
    return Compared(bound->mirrored ? mirrored->second : mirrored->first, bound->time);
  }
  if (const auto bound = FindBound(right, left)) {
    return Compared(bound->mirrored ? mirrored->first : mirrored->second, bound->time);
  }
  return HasNoValue(*expr.args[0]) || HasNoValue(*expr.args[1]) ? Truth{} : Plain(expr);
}

// NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth
Truth FindTruth(const Expr& expr) {
  if (expr.kind != ExprKind::kCall) return Atom(expr);
  if (expr.name == "!_") return Denied(FindTruth(*expr.args[0]));
  if (expr.name == "_&&_") return And(FindTruth(*expr.args[0]), FindTruth(*expr.args[1]));
  if (expr.name == "_||_") return Or(FindTruth(*expr.args[0]), FindTruth(*expr.args[1]));
  if (expr.name != "_?_:_") return Atom(expr);
  const Truth choice = FindTruth(*expr.args[0]);
  const Truth first = FindTruth(*expr.args[1]);
  const Truth second = FindTruth(*expr.args[2]);
  return {Unite(Intersect(choice.yes, first.yes), Intersect(choice.no, second.yes)),
          Unite(Intersect(choice.yes, first.no), Intersect(choice.no, second.no))};
}

bool Holds(const TimeRange& range, Timestamp time) {
  return (!range.from || *range.from <= time) && (!range.until || time < *range.until);
}

}  // namespace

Timestamp ToCelTimestamp(WallTime time) {
  const auto since = time.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  // Not `since - seconds`: the second of the earliest time begins before it.
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t rest = (since.count() % kSecond + kSecond) % kSecond;
  return {seconds.count(), static_cast<std::int32_t>(rest)};
}

WallTime ToWallTime(Timestamp time) {
  if (time <= ToCelTimestamp(WallTime::min())) return WallTime::min();
  if (time >= ToCelTimestamp(WallTime::max())) return WallTime::max();
  return WallTime(std::chrono::duration_cast<WallTime::duration>(
      std::chrono::seconds(time.seconds) + std::chrono::nanoseconds(time.nanos)));
}

TimeBounds TimeBounds::Of(const Expr& condition) { return TimeBounds(FindTruth(condition).yes); }

TimeMoments ListMoments(const Expr& condition) {
  Truth truth = FindTruth(condition);
  return {std::move(truth.yes), std::move(truth.no)};
}

TimePhase TimeBounds::PhaseAt(Timestamp now) const {
  if (ranges_.empty()) return TimePhase::kNever;
  if (ranges_ == Always()) return TimePhase::kUnbounded;
  for (const TimeRange& range : ranges_) {
    if (Holds(range, now)) return TimePhase::kWithin;
    if (range.from && now < *range.from) return TimePhase::kBefore;
  }
  return TimePhase::kAfter;
}

std::optional<Timestamp> TimeBounds::StartsAfter(Timestamp now) const {
  if (PhaseAt(now) != TimePhase::kBefore) return std::nullopt;
  const auto next = std::find_if(ranges_.begin(), ranges_.end(), [&](const TimeRange& range) {
    return range.from && now < *range.from;
  });
  return next->from;
}

std::optional<Timestamp> TimeBounds::EndsAfter(Timestamp now) const {
  const TimePhase phase = PhaseAt(now);
  if (phase == TimePhase::kAfter) return ranges_.back().until;
  if (phase != TimePhase::kWithin) return std::nullopt;
  const auto present = std::find_if(ranges_.begin(), ranges_.end(),
                                    [&](const TimeRange& range) { return Holds(range, now); });
  return present->until;
}

}  // namespace bindery::cel
