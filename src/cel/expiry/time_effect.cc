#include "cel/expiry/time_effect.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "cel/expiry/time_moments.h"
#include "cel/syntax/tree.h"

namespace bindery::cel {
namespace {

/// request.time, give or take a fixed span, or a fixed time.
struct ComparedTime {
  bool of_request = false;
  Duration shift;   ///< Of request.time.
  Timestamp fixed;  ///< Else.
};

std::optional<Duration> FixedDuration(const Expr& expr) {
  if (!IsCall(expr, "duration", 1) || StringLiteral(*expr.args[0]) == nullptr) return std::nullopt;
  const Expected<Duration> duration = ParseDuration(*StringLiteral(*expr.args[0]));
  return duration ? std::optional(*duration) : std::nullopt;
}

std::optional<ComparedTime> FixedTime(const Expr& expr) {
  const bool date = IsCall(expr, "date", 1);
  if (!date && !IsCall(expr, "timestamp", 1)) return std::nullopt;
  const std::string* text = StringLiteral(*expr.args[0]);
  if (text == nullptr) return std::nullopt;
  const Expected<Timestamp> time = date ? ParseDate(*text) : ParseTimestamp(*text);
  return time ? std::optional(ComparedTime{false, {}, *time}) : std::nullopt;
}

std::optional<ComparedTime> Later(ComparedTime moment, Duration by) {
  if (moment.of_request) {
    const Expected<Duration> shift = Add(moment.shift, by);
    if (!shift) return std::nullopt;
    moment.shift = *shift;
  } else {
    const Expected<Timestamp> fixed = Add(moment.fixed, by);
    if (!fixed) return std::nullopt;
    moment.fixed = *fixed;
  }
  return moment;
}

// NOLINTBEGIN(misc-no-recursion): the parser bounds the depth of a tree

std::optional<ComparedTime> FindMoment(const Expr& expr) {
  if (IsPath(expr, "request.time")) return ComparedTime{true, {}, {}};
  const bool plus = IsCall(expr, "_+_", 2);
  if (!plus && !IsCall(expr, "_-_", 2)) return FixedTime(expr);
  std::optional<ComparedTime> moment = FindMoment(*expr.args[0]);
  std::optional<Duration> by = FixedDuration(*expr.args[moment ? 1 : 0]);
  if (!moment && plus) moment = FindMoment(*expr.args[1]);
  if (!moment || !by) return std::nullopt;
  if (!plus) by->nanos = -by->nanos;
  return Later(*moment, *by);
}

// NOLINTEND(misc-no-recursion)

Timestamp NextNanosecond(Timestamp time) {
  const bool carries = time.nanos + 1 == kNanosPerSecond;
  return {time.seconds + (carries ? 1 : 0), carries ? 0 : time.nanos + 1};
}

/// The times at which the comparison with request.time is true.
TimeSet When(std::string_view comparison, Timestamp time) {
  TimeSet before = TimeSet::Between(TimeSet::Beginning(), time);
  TimeSet through = TimeSet::Between(TimeSet::Beginning(), NextNanosecond(time));
  if (comparison == "_<_") return before;
  if (comparison == "_<=_") return through;
  if (comparison == "_>_") return through.Not();
  if (comparison == "_>=_") return before.Not();
  const TimeSet equal = through.And(before.Not());
  return comparison == "_==_" ? equal : equal.Not();
}

std::string_view Mirrored(std::string_view comparison) {
  if (comparison == "_<_") return "_>_";
  if (comparison == "_<=_") return "_>=_";
  if (comparison == "_>_") return "_<_";
  if (comparison == "_>=_") return "_<=_";
  return comparison;
}

bool IsComparison(const Expr& expr) {
  if (expr.kind != ExprKind::kCall || expr.args.size() != 2) return false;
  for (const std::string_view name : {"_<_", "_<=_", "_>_", "_>=_", "_==_", "_!=_"}) {
    if (expr.name == name) return true;
  }
  return false;
}

TimeEffect NotOnlyTime() {
  TimeEffect effect;
  effect.only_time = false;
  return effect;
}

TimeSet MakeSet(const std::vector<TimeRange>& ranges) {
  TimeSet set;
  for (const TimeRange& range : ranges) {
    set = set.Or(TimeSet::Between(range.from.value_or(TimeSet::Beginning()),
                                  range.until.value_or(TimeSet::End())));
  }
  return set;
}

// NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth of a tree
bool AsksForTime(const Expr& expr) {
  if (IsPath(expr, "request.time")) return true;
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [](const ExprPtr& part) { return AsksForTime(*part); });
}

/// Of a part that only time decides in another way: by its year, by a difference of times.
TimeEffect OtherPart(const Expr& expr) {
  if (!AsksForTime(expr)) return NotOnlyTime();
  const TimeMoments moments = ListMoments(expr);
  TimeEffect effect = {MakeSet(moments.yes), MakeSet(moments.no), 1, true};
  const bool decided = !effect.can_hold.IsAll() && !effect.can_fail.IsAll();
  const bool valued = !effect.can_hold.IsNone() || !effect.can_fail.IsNone();
  return decided && valued ? effect : NotOnlyTime();
}

TimeEffect Comparison(const Expr& expr) {
  std::optional<ComparedTime> left = FindMoment(*expr.args[0]);
  std::optional<ComparedTime> right = FindMoment(*expr.args[1]);
  if (!left || !right || left->of_request == right->of_request) return OtherPart(expr);
  std::string_view comparison = expr.name;
  if (right->of_request) {
    std::swap(left, right);
    comparison = Mirrored(comparison);
  }
  const Expected<Timestamp> bound = Subtract(right->fixed, left->shift);
  if (!bound) return NotOnlyTime();
  TimeEffect effect;
  effect.can_hold = When(comparison, *bound);
  effect.can_fail = effect.can_hold.Not();
  effect.comparisons = 1;
  return effect;
}

TimeEffect Both(const TimeEffect& one, const TimeEffect& two) {
  return {one.can_hold.And(two.can_hold), one.can_fail.Or(two.can_fail),
          one.comparisons + two.comparisons, one.only_time && two.only_time};
}

TimeEffect Negated(TimeEffect effect) {
  std::swap(effect.can_hold, effect.can_fail);
  return effect;
}

TimeEffect Either(const TimeEffect& one, const TimeEffect& two) {
  return Negated(Both(Negated(one), Negated(two)));
}

bool IsLogical(const Expr& expr) {
  return IsCall(expr, "_&&_", 2) || IsCall(expr, "_||_", 2) || IsCall(expr, "!_", 1) ||
         IsCall(expr, "_?_:_", 3);
}

// NOLINTBEGIN(misc-no-recursion): the parser bounds the depth of a tree

/// Visits the parts when `visit` is given: also the parts within a part that does not depend on
/// time alone.
TimeEffect FindEffect(const Expr& expr, const TimePartVisitor* visit) {
  if (IsComparison(expr)) return Comparison(expr);
  if (expr.kind == ExprKind::kConstant && std::holds_alternative<bool>(expr.value)) {
    TimeEffect effect;
    const bool holds = std::get<bool>(expr.value);
    (holds ? effect.can_fail : effect.can_hold) = TimeSet::None();
    return effect;
  }
  if (!IsLogical(expr)) return OtherPart(expr);
  std::vector<TimeEffect> parts;
  for (const ExprPtr& part : expr.args) parts.push_back(FindEffect(*part, visit));
  TimeEffect effect;
  if (expr.name == "!_") {
    effect = Negated(parts[0]);
  } else if (expr.name == "_?_:_") {
    effect = Either(Both(parts[0], parts[1]), Both(Negated(parts[0]), parts[2]));
    effect.comparisons -= parts[0].comparisons;
  } else {
    effect = expr.name == "_&&_" ? Both(parts[0], parts[1]) : Either(parts[0], parts[1]);
  }
  for (std::size_t i = 0; visit != nullptr && !effect.only_time && i < parts.size(); ++i) {
    if (parts[i].only_time) (*visit)(*expr.args[i], parts[i]);
  }
  return effect;
}

// NOLINTEND(misc-no-recursion)

}  // namespace

TimeEffect FindTimeEffect(const Expr& condition) { return FindEffect(condition, nullptr); }

void VisitTimeParts(const Expr& condition, const TimePartVisitor& visit) {
  const TimeEffect effect = FindEffect(condition, &visit);
  if (effect.only_time) visit(condition, effect);
}

}  // namespace bindery::cel
