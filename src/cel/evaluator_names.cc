// Names, selections and has().

#include <algorithm>
#include <array>
#include <utility>

#include "cel/evaluation.h"

namespace bindery::cel {
namespace {

bool IsTypeName(std::string_view name) {
  static constexpr auto kTypes = std::to_array<std::string_view>(
      {"bool", "int", "uint", "double", "string", "bytes", "list", "map", "type", "null_type",
       "google.protobuf.Timestamp", "google.protobuf.Duration"});
  return std::find(kTypes.begin(), kTypes.end(), name) != kTypes.end();
}

}  // namespace

// NOLINTBEGIN(misc-no-recursion): expressions nest; the parser bounds how deep

std::string Evaluation::Path::Join(std::size_t count) const {
  std::string joined;
  for (std::size_t i = 0; i < count; ++i) joined += (i > 0 ? "." : "") + names[i];
  return joined;
}

const Outcome* Evaluation::FindLocal(std::string_view name) const {
  const auto found = std::find_if(locals_.rbegin(), locals_.rend(),
                                  [name](const auto& local) { return local.first == name; });
  return found == locals_.rend() ? nullptr : &found->second;
}

std::optional<Evaluation::Path> Evaluation::PathOf(const Expr& expr) const {
  Path path;
  const Expr* node = &expr;
  for (; node->kind == ExprKind::kSelect && node->optional.empty(); node = node->args[0].get()) {
    path.names.push_back(node->name);
    path.nodes.push_back(node);
  }
  if (node->kind != ExprKind::kIdent || FindLocal(node->name) != nullptr) return std::nullopt;
  path.names.push_back(node->name.starts_with('.') ? node->name.substr(1) : node->name);
  path.nodes.push_back(node);
  std::reverse(path.names.begin(), path.names.end());
  std::reverse(path.nodes.begin(), path.nodes.end());
  return path;
}

Outcome Evaluation::EvalIdent(const Expr& expr) {
  if (const Outcome* local = FindLocal(expr.name)) return *local;
  return EvalPath(*PathOf(expr));
}

const Activation::Entry* Evaluation::FindLongest(const Path& path, std::size_t& taken) {
  for (taken = path.names.size(); taken > 0; --taken) {
    const std::string name = path.Join(taken);
    if (!meter_.ChargeBytes(name.size())) return nullptr;
    const Activation::Entry* entry = activation_.Find(name);
    if (entry != nullptr && !std::holds_alternative<Activation::Function>(*entry)) return entry;
  }
  return nullptr;
}

Outcome Evaluation::EvalPath(const Path& path) {
  const std::size_t count = path.names.size();
  const std::string whole = path.Join(count);
  std::size_t taken = 0;
  const Activation::Entry* entry = FindLongest(path, taken);
  if (entry == nullptr) {
    if (IsTypeName(whole)) return Value(TypeValue{whole});
    return Failure{"undeclared reference to '" + whole + "'"};
  }
  if (const auto* state = std::get_if<Activation::State>(entry)) {
    if (*state == Activation::State::kUnknown) return Unknown{{whole}};
    return Failure{"not provided: " + whole};
  }
  Outcome outcome = std::get<Value>(*entry);
  for (std::size_t i = taken; i < count && std::holds_alternative<Value>(outcome); ++i) {
    const Value operand = std::get<Value>(std::move(outcome));
    outcome = SelectField(operand, *path.nodes[i]);
  }
  return outcome;
}

Outcome Evaluation::SelectField(const Value& value, const Expr& select) {
  if (!select.optional.empty()) return NoOptionals(select);
  const Map* map = value.AsMap();
  if (map == nullptr) {
    return Failure{"no such key: '" + select.name + "': a value of type " +
                   std::string(value.TypeName()) + " has no fields"};
  }
  const Value* field = map->Find(Value(select.name));
  if (field == nullptr) return Failure{"no such key: '" + select.name + "'"};
  return *field;
}

Outcome Evaluation::EvalSelect(const Expr& expr) {
  if (const std::optional<Path> path = PathOf(expr)) return EvalPath(*path);
  Outcome operand = Eval(*expr.args[0]);
  if (const auto* value = std::get_if<Value>(&operand)) return SelectField(*value, expr);
  return operand;
}

/// Nothing when it takes the value of what the field is selected from.
std::optional<Outcome> Evaluation::EvalHasPath(const Path& path) {
  const std::size_t count = path.names.size();
  std::size_t taken = 0;
  if (const Activation::Entry* entry = FindLongest(path, taken)) {
    if (const auto* state = std::get_if<Activation::State>(entry)) {
      if (*state == Activation::State::kUnknown) return Outcome(Unknown{{path.Join(count)}});
      return Outcome(Value(false));
    }
    if (taken == count) return Outcome(Value(true));
    return std::nullopt;
  }
  if (activation_.HasBeneath(path.Join(count - 1))) return Outcome(Value(false));
  return std::nullopt;
}

Outcome Evaluation::EvalHas(const Expr& select) {
  if (select.kind != ExprKind::kSelect) return Failure{"invalid argument: has() takes a field"};
  if (const std::optional<Path> path = PathOf(select)) {
    if (std::optional<Outcome> outcome = EvalHasPath(*path)) return *std::move(outcome);
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

// NOLINTEND(misc-no-recursion)

}  // namespace bindery::cel
