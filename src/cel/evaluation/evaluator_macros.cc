// The macros over lists and maps: all, exists, exists_one, map and filter.

#include <algorithm>
#include <array>
#include <utility>

#include "cel/evaluation/evaluation.h"

namespace bindery::cel {
namespace {

enum class Form { kAll, kExists, kExistsOne, kTransform };

/// A macro over a range: its number of arguments, with the variable first.
struct RangeMacro {
  std::string_view name;
  std::size_t arguments;
  Form form;
};

const RangeMacro* FindRangeMacro(const Expr& expr) {
  static constexpr auto kMacros = std::to_array<RangeMacro>({
      {"all", 2, Form::kAll},
      {"exists", 2, Form::kExists},
      {"exists_one", 2, Form::kExistsOne},
      {"map", 2, Form::kTransform},
      {"map", 3, Form::kTransform},
      {"filter", 2, Form::kTransform},
  });
  const auto* found = std::find_if(kMacros.begin(), kMacros.end(), [&expr](const auto& macro) {
    return macro.name == expr.name && macro.arguments + 1 == expr.args.size();
  });
  return found == kMacros.end() ? nullptr : found;
}

}  // namespace

// NOLINTBEGIN(misc-no-recursion): expressions nest; the parser bounds how deep

std::optional<Outcome> Evaluation::EvalMacro(const Expr& expr) {
  const RangeMacro* macro = FindRangeMacro(expr);
  if (macro == nullptr) return std::nullopt;
  Range range;
  if (std::optional<Outcome> obstacle = MakeRange(expr, range)) return obstacle;
  if (range.variable.empty()) return std::nullopt;
  switch (macro->form) {
    case Form::kAll:
      return EvalQuantifier(expr, range, false);
    case Form::kExists:
      return EvalQuantifier(expr, range, true);
    case Form::kExistsOne:
      return EvalExistsOne(expr, range);
    case Form::kTransform:
      break;
  }
  return EvalTransform(expr, range);
}

/// Fills the range, or explains its absence; leaves it without a variable when the call is no
/// macro.
std::optional<Outcome> Evaluation::MakeRange(const Expr& expr, Range& range) {
  const Expr& variable = *expr.args[1];
  if (variable.kind != ExprKind::kIdent || variable.name.starts_with('.')) return std::nullopt;
  const Outcome operand = Eval(*expr.args[0]);
  const auto* value = std::get_if<Value>(&operand);
  if (value == nullptr) return operand;
  const List* list = value->AsList();
  const Map* map = value->AsMap();
  if (list == nullptr && map == nullptr) {
    return Failure{"no such overload: " + expr.name + "() of a value of type " +
                   std::string(value->TypeName())};
  }
  range.rounds = list != nullptr ? list->size() : map->size();
  range.collection = *value;
  range.variable = variable.name;
  return std::nullopt;
}

Value Evaluation::Range::Item(std::size_t round) const {
  const Map* map = collection.AsMap();
  return map != nullptr ? map->entries()[round].first : collection.AsList()->items()[round];
}

Outcome Evaluation::EvalRound(const Expr& expr, const Range& range, std::size_t round) {
  Value item = range.Item(round);
  meter_.Charge(item.CopyWeight());
  names_.Enter(range.variable, std::move(item));
  Outcome outcome = Eval(expr);
  names_.Leave();
  return outcome;
}

Outcome Evaluation::EvalQuantifier(const Expr& expr, const Range& range, bool decisive) {
  Verdict verdict{decisive};
  for (std::size_t round = 0; round < range.rounds && !meter_.exhausted(); ++round) {
    if (verdict.Add(EvalRound(*expr.args.back(), range, round))) return Value(decisive);
  }
  return verdict.Result();
}

/// Whether the predicate holds in the round; if it does not say, why goes to `rest`.
bool Evaluation::Holds(const Expr& predicate, const Range& range, std::size_t round,
                       Arguments& rest) {
  const Outcome outcome = EvalRound(predicate, range, round);
  const auto* value = std::get_if<Value>(&outcome);
  const auto* flag = value == nullptr ? nullptr : value->As<bool>();
  if (flag != nullptr) return *flag;
  rest.Add(value == nullptr ? outcome : Outcome(NoCondition(*value)));
  return false;
}

Outcome Evaluation::EvalExistsOne(const Expr& expr, const Range& range) {
  Arguments rest;
  std::size_t count = 0;
  for (std::size_t round = 0; round < range.rounds && !meter_.exhausted(); ++round) {
    if (Holds(*expr.args.back(), range, round, rest)) ++count;
  }
  std::optional<Outcome> obstacle = rest.Obstacle();
  return obstacle ? *std::move(obstacle) : Outcome(Value(count == 1));
}

/// map and filter: a predicate, if any, comes after the variable.
Outcome Evaluation::EvalTransform(const Expr& expr, const Range& range) {
  const bool filter = expr.name == "filter";
  const bool has_predicate = filter || expr.args.size() == 4;
  Arguments items;
  for (std::size_t round = 0; round < range.rounds && !meter_.exhausted(); ++round) {
    if (has_predicate && !Holds(*expr.args[2], range, round, items)) continue;
    items.Add(filter ? Outcome(range.Item(round)) : EvalRound(*expr.args.back(), range, round));
  }
  if (std::optional<Outcome> obstacle = items.Obstacle()) return *std::move(obstacle);
  return Value::OfList(std::move(items.values));
}

// NOLINTEND(misc-no-recursion)

}  // namespace bindery::cel
