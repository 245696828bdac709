// Macros: has, the comprehensions with one or two variables, bindings, optMap and optFlatMap.

#include <utility>

#include "cel/evaluation.h"

namespace bindery::cel {
namespace {

bool IsIdent(const Expr& expr, std::string_view name) {
  return expr.kind == ExprKind::kIdent && expr.name == name;
}

/// Whether it is `cel`.`name`(…) with that many arguments.
bool IsCelCall(const Expr& expr, std::string_view name, std::size_t arguments) {
  return expr.kind == ExprKind::kMember && expr.name == name && expr.args.size() == arguments + 1 &&
         IsIdent(*expr.args[0], "cel");
}

std::string NumberedName(std::string_view kind, const Expr& call) {
  std::string name(kind);
  for (std::size_t i = 1; i < call.args.size(); ++i) {
    const auto* number = std::get_if<std::int64_t>(&call.args[i]->value);
    if (call.args[i]->kind != ExprKind::kConstant || number == nullptr) return "";
    name += ":" + std::to_string(*number);
  }
  return name;
}

/// Whether the predicate of a round holds; nothing, with the reason as `obstacle`, when it does not
/// say.
std::optional<bool> Holds(const Outcome& predicate, std::optional<Outcome>& obstacle) {
  const auto* value = std::get_if<Value>(&predicate);
  if (value == nullptr) {
    obstacle = predicate;
    return std::nullopt;
  }
  const auto* flag = value->As<bool>();
  if (flag != nullptr) return *flag;
  obstacle = Failure{"no such overload: " + std::string(value->TypeName()) + " is no condition"};
  return std::nullopt;
}

}  // namespace

std::string VariableName(const Expr& expr) {
  if (expr.kind == ExprKind::kIdent && !expr.name.starts_with('.')) return expr.name;
  if (IsCelCall(expr, "index", 1)) return NumberedName("@index", expr);
  if (IsCelCall(expr, "iterVar", 2)) return NumberedName("@it", expr);
  return "";
}

// NOLINTBEGIN(misc-no-recursion): expressions nest; the parser bounds how deep

std::optional<Outcome> Evaluation::EvalMacro(const Expr& expr) {
  const std::string& name = expr.name;
  const std::size_t arguments = expr.args.size() - 1;
  if (std::optional<Outcome> outcome = EvalBinding(expr)) return outcome;
  if (std::optional<Outcome> outcome = EvalOptionalMacro(expr)) return outcome;
  Range range;
  if (name == "all" || name == "exists" || name == "exists_one" || name == "existsOne") {
    if (arguments != 2 && arguments != 3) return std::nullopt;
    if (std::optional<Outcome> outcome = MakeRange(expr, arguments - 1, range)) return outcome;
    if (range.variables.empty()) return std::nullopt;
    if (name == "all" || name == "exists") return EvalQuantifier(expr, range, name == "exists");
    return EvalExistsOne(expr, range);
  }
  const bool one =
      (name == "map" && (arguments == 2 || arguments == 3)) || (name == "filter" && arguments == 2);
  const bool to_map = name == "transformMap" || name == "transformMapEntry";
  const bool two = (name == "transformList" || to_map) && (arguments == 3 || arguments == 4);
  if (!one && !two) return std::nullopt;
  if (std::optional<Outcome> outcome = MakeRange(expr, one ? 1 : 2, range)) return outcome;
  if (range.variables.empty()) return std::nullopt;
  return to_map ? EvalTransformMap(expr, range) : EvalTransform(expr, range);
}

/// Fills the range, or says why there is none; leaves it without variables when it is no macro.
std::optional<Outcome> Evaluation::MakeRange(const Expr& expr, std::size_t variables,
                                             Range& range) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= variables; ++i) {
    names.push_back(VariableName(*expr.args[i]));
    if (names.back().empty()) return std::nullopt;
  }
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
  range.variables = std::move(names);
  return std::nullopt;
}

Value Evaluation::Range::Item(std::size_t round, std::size_t variable) const {
  const bool first = variable == 0;
  if (const Map* map = collection.AsMap()) {
    return first ? map->entries()[round].first : map->entries()[round].second;
  }
  if (first && variables.size() == 2) return static_cast<std::int64_t>(round);
  return collection.AsList()->items()[round];
}

Outcome Evaluation::EvalRound(const Expr& expr, const Range& range, std::size_t round) {
  for (std::size_t i = 0; i < range.variables.size(); ++i) {
    Value item = range.Item(round, i);
    meter_.Charge(item.CopyWeight());
    locals_.emplace_back(range.variables[i], std::move(item));
  }
  Outcome outcome = Eval(expr);
  locals_.resize(locals_.size() - range.variables.size());
  return outcome;
}

Outcome Evaluation::EvalWith(const std::string& variable, Outcome value, const Expr& expr) {
  locals_.emplace_back(variable, std::move(value));
  Outcome outcome = Eval(expr);
  locals_.pop_back();
  return outcome;
}

Outcome Evaluation::EvalQuantifier(const Expr& expr, const Range& range, bool decisive) {
  Verdict verdict{decisive};
  for (std::size_t round = 0; round < range.rounds && !meter_.exhausted(); ++round) {
    if (verdict.Add(EvalRound(*expr.args.back(), range, round))) return Value(decisive);
  }
  return verdict.Result();
}

Outcome Evaluation::EvalExistsOne(const Expr& expr, const Range& range) {
  Arguments rest;
  std::size_t count = 0;
  for (std::size_t round = 0; round < range.rounds && !meter_.exhausted(); ++round) {
    std::optional<Outcome> obstacle;
    const std::optional<bool> holds = Holds(EvalRound(*expr.args.back(), range, round), obstacle);
    if (!holds) rest.Add(*std::move(obstacle));
    if (holds.value_or(false)) ++count;
  }
  std::optional<Outcome> obstacle = rest.Obstacle();
  return obstacle ? *std::move(obstacle) : Outcome(Value(count == 1));
}

/// map, filter and transformList: a predicate, if any, stands behind the variables.
Outcome Evaluation::EvalTransform(const Expr& expr, const Range& range) {
  const std::size_t first = 1 + range.variables.size();
  const bool filter = expr.name == "filter";
  const bool has_predicate = filter || expr.args.size() == first + 2;
  Arguments items;
  for (std::size_t round = 0; round < range.rounds && !meter_.exhausted(); ++round) {
    if (has_predicate) {
      std::optional<Outcome> obstacle;
      const std::optional<bool> holds = Holds(EvalRound(*expr.args[first], range, round), obstacle);
      if (!holds) items.Add(*std::move(obstacle));
      if (!holds.value_or(false)) continue;
    }
    items.Add(filter ? Outcome(range.Item(round, 0)) : EvalRound(*expr.args.back(), range, round));
  }
  if (std::optional<Outcome> obstacle = items.Obstacle()) return *std::move(obstacle);
  return Value::OfList(std::move(items.values));
}

Outcome Evaluation::EvalTransformMap(const Expr& expr, const Range& range) {
  const bool whole_entries = expr.name == "transformMapEntry";
  const bool has_predicate = expr.args.size() == 5;
  Arguments rest;
  Map map;
  for (std::size_t round = 0; round < range.rounds && !meter_.exhausted(); ++round) {
    if (has_predicate) {
      std::optional<Outcome> obstacle;
      const std::optional<bool> holds = Holds(EvalRound(*expr.args[3], range, round), obstacle);
      if (!holds) rest.Add(*std::move(obstacle));
      if (!holds.value_or(false)) continue;
    }
    if (!rest.Add(EvalRound(*expr.args.back(), range, round))) continue;
    const Value& result = rest.values.back();
    if (!whole_entries) {
      map.Add(range.Item(round, 0), result);
      continue;
    }
    const Map* entries = result.AsMap();
    if (entries == nullptr) {
      rest.Add(Failure{"no such overload: transformMapEntry() makes maps of the entries"});
      continue;
    }
    if (!meter_.Charge(entries->size())) return TooExpensive();
    for (const auto& [key, value] : entries->entries()) {
      if (!map.Add(key, value)) rest.Add(Failure{"repeated key: " + ToText(key)});
    }
  }
  if (std::optional<Outcome> obstacle = rest.Obstacle()) return *std::move(obstacle);
  return Value::OfMap(std::move(map));
}

std::optional<Outcome> Evaluation::EvalBinding(const Expr& expr) {
  if (IsCelCall(expr, "bind", 3)) {
    const std::string variable = VariableName(*expr.args[1]);
    if (variable.empty()) return std::nullopt;
    return EvalWith(variable, Eval(*expr.args[2]), *expr.args[3]);
  }
  if (IsCelCall(expr, "block", 2) && expr.args[1]->kind == ExprKind::kList) return EvalBlock(expr);
  return std::nullopt;
}

/// cel.block([a, b], c): what an optimizer makes of parts that repeat, each to see those before it.
Outcome Evaluation::EvalBlock(const Expr& expr) {
  const std::size_t outside = locals_.size();
  for (std::size_t i = 0; i < expr.args[1]->args.size(); ++i) {
    Outcome part = Eval(*expr.args[1]->args[i]);
    locals_.emplace_back("@index:" + std::to_string(i), std::move(part));
  }
  Outcome outcome = Eval(*expr.args[2]);
  locals_.resize(outside);
  return outcome;
}

std::optional<Outcome> Evaluation::EvalOptionalMacro(const Expr& expr) {
  const bool flat = expr.name == "optFlatMap";
  if ((!flat && expr.name != "optMap") || expr.args.size() != 3) return std::nullopt;
  const std::string variable = VariableName(*expr.args[1]);
  if (variable.empty()) return std::nullopt;
  const Outcome operand = Eval(*expr.args[0]);
  const auto* value = std::get_if<Value>(&operand);
  if (value == nullptr) return operand;
  const auto* optional = value->As<Optional>();
  if (optional == nullptr) {
    return Failure{"no such overload: " + expr.name + "() of a value of type " +
                   std::string(value->TypeName())};
  }
  if (optional->value == nullptr) return operand;
  Outcome result = EvalWith(variable, *optional->value, *expr.args[2]);
  auto* mapped = std::get_if<Value>(&result);
  if (flat || mapped == nullptr) return result;
  return Value::OfOptional(std::move(*mapped));
}

// NOLINTEND(misc-no-recursion)

}  // namespace bindery::cel
