#include "cel/evaluation/evaluator.h"

#include <utility>

#include "cel/evaluation/evaluation.h"

namespace bindery::cel {

// NOLINTBEGIN(misc-no-recursion): expressions nest; the parser bounds how deep

bool Evaluation::Arguments::Add(Outcome outcome) {
  if (auto* value = std::get_if<Value>(&outcome)) {
    values.push_back(std::move(*value));
    return true;
  }
  if (const auto* missing = std::get_if<Unknown>(&outcome)) {
    unknown = unknown ? Merge(*unknown, *missing) : *missing;
  } else if (!failure) {
    failure = std::get<Failure>(std::move(outcome));
  }
  return false;
}

std::optional<Outcome> Evaluation::Arguments::Obstacle() const {
  if (unknown) return *unknown;
  if (failure) return *failure;
  return std::nullopt;
}

bool Evaluation::Verdict::Add(const Outcome& part) {
  const auto* value = std::get_if<Value>(&part);
  const auto* flag = value == nullptr ? nullptr : value->As<bool>();
  if (flag != nullptr) return *flag == decisive;
  if (value == nullptr) {
    rest.Add(part);
  } else {
    rest.Add(NoCondition(*value));
  }
  return false;
}

Outcome Evaluation::Verdict::Result() const {
  std::optional<Outcome> obstacle = rest.Obstacle();
  return obstacle ? *std::move(obstacle) : Outcome(Value(!decisive));
}

Outcome Evaluation::Run(const Expr& expr) {
  Outcome outcome = Eval(expr);
  // Nothing, not even an `||`, can do without what was not evaluated.
  if (meter_.exhausted()) return TooExpensive();
  return outcome;
}

Outcome Evaluation::Checked(Outcome outcome, const Expr& expr) {
  if (auto* failure = std::get_if<Failure>(&outcome)) {
    if (failure->at.line == 0) failure->at = expr.at;
    return outcome;
  }
  const auto* value = std::get_if<Value>(&outcome);
  if (value == nullptr) return outcome;
  if (!meter_.Charge(value->CopyWeight())) return TooExpensive();
  if (value->Weight() > limits_.max_weight) return Failure{"the value is too large", expr.at};
  if (value->Depth() > limits_.max_depth) return Failure{"the value nests too deep", expr.at};
  return outcome;
}

Outcome Evaluation::Eval(const Expr& expr) {
  if (!meter_.Charge(1)) return TooExpensive();
  switch (expr.kind) {
    case ExprKind::kConstant:
      return Checked(Value(expr.value), expr);
    case ExprKind::kIdent:
      return Checked(names_.ValueOfIdent(expr), expr);
    case ExprKind::kSelect:
      return Checked(EvalSelect(expr), expr);
    case ExprKind::kIndex:
      return Checked(EvalIndex(expr), expr);
    case ExprKind::kList:
      return Checked(EvalList(expr), expr);
    case ExprKind::kMap:
      return Checked(EvalMap(expr), expr);
    case ExprKind::kCall:
      return Checked(EvalCall(expr), expr);
    case ExprKind::kMacro:
      return Checked(expr.name == "has" ? EvalHas(*expr.args[0]) : EvalMember(expr), expr);
    case ExprKind::kMember:
      return Checked(EvalMember(expr), expr);
    case ExprKind::kMessage:
      break;
  }
  return Failure{"messages are not supported: " + expr.name, expr.at};
}

Outcome Evaluation::EvalCall(const Expr& expr) {
  if (expr.name == "_?_:_" && expr.args.size() == 3) return EvalConditional(expr);
  if (expr.name == "_&&_" || expr.name == "_||_") {
    Verdict verdict{expr.name == "_||_"};
    for (const ExprPtr& side : expr.args) {
      if (verdict.Add(Eval(*side))) return Value(verdict.decisive);
    }
    return verdict.Result();
  }
  const std::string name = expr.name.starts_with('.') ? expr.name.substr(1) : expr.name;
  const Arguments arguments = EvalArguments(expr, 0);
  if (const Activation::Entry* entry = names_.FindFunctionEntry(name)) {
    return CallContext(*entry, name, arguments);
  }
  const Function function = FindFunction(name, Style::kGlobal);
  if (function == nullptr) return Failure{"unbound function: " + name};
  return CallFunction(function, name, arguments, expr);
}

Outcome Evaluation::EvalMember(const Expr& expr) {
  if (std::optional<Outcome> macro = EvalMacro(expr)) return *std::move(macro);
  // resource.hasTagKey(…): the receiver is no value but part of a name.
  if (const std::optional<Path> path = names_.MakePath(*expr.args[0])) {
    const std::string name = path->Join(path->names.size()) + "." + expr.name;
    if (const Activation::Entry* entry = names_.FindFunctionEntry(name)) {
      return CallContext(*entry, name, EvalArguments(expr, 1));
    }
  }
  const Arguments arguments = EvalArguments(expr, 0);
  const Function function = FindFunction(expr.name, Style::kMember);
  if (function == nullptr) {
    // The receiver's own error says more.
    if (std::optional<Outcome> obstacle = arguments.Obstacle()) return *std::move(obstacle);
    return Failure{"unbound function: " + expr.name};
  }
  return CallFunction(function, expr.name, arguments, expr);
}

Outcome Evaluation::EvalSelect(const Expr& expr) {
  if (const std::optional<Path> path = names_.MakePath(expr)) return names_.GetValue(*path);
  Outcome operand = Eval(*expr.args[0]);
  if (const auto* value = std::get_if<Value>(&operand)) return SelectField(*value, expr);
  return operand;
}

Outcome Evaluation::EvalHas(const Expr& select) {
  if (select.kind != ExprKind::kSelect) return Failure{"invalid argument: has() takes a field"};
  if (const std::optional<Path> path = names_.MakePath(select)) {
    if (std::optional<Outcome> outcome = names_.Has(*path)) return *std::move(outcome);
  }
  Outcome operand = Eval(*select.args[0]);
  const auto* value = std::get_if<Value>(&operand);
  if (value == nullptr) return operand;
  const Map* map = value->AsMap();
  if (map == nullptr) {
    return Failure{"no such overload: has() of a value of type " + std::string(value->TypeName())};
  }
  return Value(map->Find(Value(select.name)) != nullptr);
}

Evaluation::Arguments Evaluation::EvalArguments(const Expr& expr, std::size_t first) {
  Arguments arguments;
  for (std::size_t i = first; i < expr.args.size(); ++i) arguments.Add(Eval(*expr.args[i]));
  return arguments;
}

Outcome Evaluation::CallFunction(Function function, std::string_view name,
                                 const Arguments& arguments, const Expr& expr) {
  if (std::optional<Outcome> obstacle = arguments.Obstacle()) return *std::move(obstacle);
  return Checked(function(Call{name, arguments.values, meter_}), expr);
}

Outcome Evaluation::CallContext(const Activation::Entry& entry, const std::string& name,
                                const Arguments& arguments) {
  if (std::optional<Outcome> obstacle = arguments.Obstacle()) return *std::move(obstacle);
  if (const auto* function = std::get_if<Activation::Function>(&entry)) {
    return (*function)(arguments.values);
  }
  std::string call = name + "(";
  for (std::size_t i = 0; i < arguments.values.size(); ++i) {
    if (!meter_.Charge(8 * arguments.values[i].Weight())) return TooExpensive();
    call += (i > 0 ? ", " : "") + ToText(arguments.values[i]);
  }
  call += ")";
  if (std::get<Activation::State>(entry) == Activation::State::kUnknown) return Unknown{{call}};
  return Failure{"not provided: " + call};
}

Outcome Evaluation::EvalConditional(const Expr& expr) {
  Outcome condition = Eval(*expr.args[0]);
  const auto* value = std::get_if<Value>(&condition);
  if (value == nullptr) return condition;
  const auto* flag = value->As<bool>();
  if (flag == nullptr) return NoCondition(*value);
  return Eval(*expr.args[*flag ? 1 : 2]);
}

Outcome Evaluation::EvalIndex(const Expr& expr) {
  if (!expr.optional.empty()) return NoOptionals(expr);
  Arguments arguments = EvalArguments(expr, 0);
  if (std::optional<Outcome> obstacle = arguments.Obstacle()) return *std::move(obstacle);
  constexpr std::string_view kIndex = "_[_]";
  return CallFunction(FindFunction(kIndex, Style::kGlobal), kIndex, arguments, expr);
}

Outcome Evaluation::EvalList(const Expr& expr) {
  if (!expr.optional.empty()) return NoOptionals(expr);
  Arguments elements = EvalArguments(expr, 0);
  if (std::optional<Outcome> obstacle = elements.Obstacle()) return *std::move(obstacle);
  return Value::OfList(std::move(elements.values));
}

Outcome Evaluation::EvalMap(const Expr& expr) {
  if (!expr.optional.empty()) return NoOptionals(expr);
  const Arguments parts = EvalArguments(expr, 0);
  if (std::optional<Outcome> obstacle = parts.Obstacle()) return *std::move(obstacle);
  Map map;
  for (std::size_t i = 0; i + 1 < parts.values.size(); i += 2) {
    const Value& key = parts.values[i];
    Value value = parts.values[i + 1];
    if (!Map::IsKey(key)) return Failure{"unsupported key type: " + std::string(key.TypeName())};
    if (!map.Add(key, std::move(value))) return Failure{"repeated key: " + ToText(key)};
  }
  return Value::OfMap(std::move(map));
}

// NOLINTEND(misc-no-recursion)

Failure NoCondition(const Value& value) {
  return {"no such overload: " + std::string(value.TypeName()) + " is no condition"};
}

Outcome Evaluate(const Expr& expr, const Activation& activation, const EvaluationLimits& limits) {
  return Evaluation(activation, limits).Run(expr);
}

}  // namespace bindery::cel
