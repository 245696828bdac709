// Macros: has, the comprehensions with one or two variables, bindings, optMap and optFlatMap.

#include <algorithm>
#include <array>
#include <utility>

#include "cel/evaluation.h"
#include "cel/list_order.h"

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

enum class Form { kAll, kExists, kExistsOne, kTransform, kTransformMap, kSortBy };

/// A macro over a range: how many arguments it takes, the first of them its variables.
struct RangeMacro {
  std::string_view name;
  std::size_t arguments;
  std::size_t variables;
  Form form;
};

const RangeMacro* FindRangeMacro(const Expr& expr) {
  static constexpr auto kMacros = std::to_array<RangeMacro>({
      {"all", 2, 1, Form::kAll},
      {"all", 3, 2, Form::kAll},
      {"exists", 2, 1, Form::kExists},
      {"exists", 3, 2, Form::kExists},
      {"exists_one", 2, 1, Form::kExistsOne},
      {"exists_one", 3, 2, Form::kExistsOne},
      {"existsOne", 2, 1, Form::kExistsOne},
      {"existsOne", 3, 2, Form::kExistsOne},
      {"map", 2, 1, Form::kTransform},
      {"map", 3, 1, Form::kTransform},
      {"filter", 2, 1, Form::kTransform},
      {"transformList", 3, 2, Form::kTransform},
      {"transformList", 4, 2, Form::kTransform},
      {"transformMap", 3, 2, Form::kTransformMap},
      {"transformMap", 4, 2, Form::kTransformMap},
      {"transformMapEntry", 3, 2, Form::kTransformMap},
      {"transformMapEntry", 4, 2, Form::kTransformMap},
      {"sortBy", 2, 1, Form::kSortBy},
  });
  const auto* found = std::find_if(kMacros.begin(), kMacros.end(), [&expr](const auto& macro) {
    return macro.name == expr.name && macro.arguments + 1 == expr.args.size();
  });
  return found == kMacros.end() ? nullptr : found;
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
  if (std::optional<Outcome> outcome = EvalBinding(expr)) return outcome;
  if (std::optional<Outcome> outcome = EvalOptionalMacro(expr)) return outcome;
  const RangeMacro* macro = FindRangeMacro(expr);
  if (macro == nullptr) return std::nullopt;
  Range range;
  if (std::optional<Outcome> obstacle = MakeRange(expr, macro->variables, range)) return obstacle;
  if (range.variables.empty()) return std::nullopt;
  switch (macro->form) {
    case Form::kAll:
      return EvalQuantifier(expr, range, false);
    case Form::kExists:
      return EvalQuantifier(expr, range, true);
    case Form::kExistsOne:
      return EvalExistsOne(expr, range);
    case Form::kTransform:
      return EvalTransform(expr, range);
    case Form::kSortBy:
      return EvalSortBy(expr, range);
    case Form::kTransformMap:
      break;
  }
  return EvalTransformMap(expr, range);
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

/// Whether the predicate holds in that round; if it does not say, why goes to `rest`.
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

/// map, filter and transformList: a predicate, if any, stands behind the variables.
Outcome Evaluation::EvalTransform(const Expr& expr, const Range& range) {
  const std::size_t first = 1 + range.variables.size();
  const bool filter = expr.name == "filter";
  const bool has_predicate = filter || expr.args.size() == first + 2;
  Arguments items;
  for (std::size_t round = 0; round < range.rounds && !meter_.exhausted(); ++round) {
    if (has_predicate && !Holds(*expr.args[first], range, round, items)) continue;
    items.Add(filter ? Outcome(range.Item(round, 0)) : EvalRound(*expr.args.back(), range, round));
  }
  if (std::optional<Outcome> obstacle = items.Obstacle()) return *std::move(obstacle);
  return Value::OfList(std::move(items.values));
}

Outcome Evaluation::EvalSortBy(const Expr& expr, const Range& range) {
  const List* list = range.collection.AsList();
  if (list == nullptr) return Failure{"no such overload: sortBy() of a map"};
  Arguments keys;
  for (std::size_t round = 0; round < range.rounds && !meter_.exhausted(); ++round) {
    keys.Add(EvalRound(*expr.args.back(), range, round));
  }
  if (std::optional<Outcome> obstacle = keys.Obstacle()) return *std::move(obstacle);
  if (meter_.exhausted()) return TooExpensive();
  return SortedBy(list->items(), keys.values, meter_);
}

/// transformMap makes the values of the entries, transformMapEntry maps of entries.
Outcome Evaluation::EvalTransformMap(const Expr& expr, const Range& range) {
  const bool whole_entries = expr.name == "transformMapEntry";
  Arguments rest;
  Map map;
  for (std::size_t round = 0; round < range.rounds && !meter_.exhausted(); ++round) {
    if (expr.args.size() == 5 && !Holds(*expr.args[3], range, round, rest)) continue;
    if (!rest.Add(EvalRound(*expr.args.back(), range, round))) continue;
    if (whole_entries) {
      AddEntries(rest.values.back(), map, rest);
    } else {
      map.Add(range.Item(round, 0), rest.values.back());
    }
  }
  if (std::optional<Outcome> obstacle = rest.Obstacle()) return *std::move(obstacle);
  return Value::OfMap(std::move(map));
}

void Evaluation::AddEntries(const Value& value, Map& map, Arguments& rest) {
  const Map* entries = value.AsMap();
  if (entries == nullptr) {
    rest.Add(Failure{"no such overload: transformMapEntry() makes maps of the entries"});
    return;
  }
  if (!meter_.Charge(entries->size())) return;
  for (const auto& [key, content] : entries->entries()) {
    if (!map.Add(key, content)) rest.Add(Failure{"repeated key: " + ToText(key)});
  }
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
