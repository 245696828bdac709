#include "cel/evaluation/names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace bindery::cel {
namespace {

bool NamesTypeValue(std::string_view name) {
  static constexpr auto kTypes = std::to_array<std::string_view>(
      {"bool", "int", "uint", "double", "string", "bytes", "list", "map", "type", "null_type",
       "google.protobuf.Timestamp", "google.protobuf.Duration"});
  return std::find(kTypes.begin(), kTypes.end(), name) != kTypes.end();
}

}  // namespace

std::string Path::Join(std::size_t count) const {
  std::string joined;
  for (std::size_t i = 0; i < count; ++i) joined += (i > 0 ? "." : "") + names[i];
  return joined;
}

void Names::Enter(const std::string& variable, Value value) {
  locals_.emplace_back(variable, std::move(value));
}

const Outcome* Names::FindLocal(std::string_view name) const {
  const auto found = std::find_if(locals_.rbegin(), locals_.rend(),
                                  [name](const auto& local) { return local.first == name; });
  return found == locals_.rend() ? nullptr : &found->second;
}

std::optional<Path> Names::MakePath(const Expr& expr) const {
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

Outcome Names::ValueOfIdent(const Expr& expr) {
  if (const Outcome* local = FindLocal(expr.name)) return *local;
  return GetValue(*MakePath(expr));
}

const Activation::Entry* Names::FindLongest(const Path& path, std::size_t& taken) {
  for (taken = path.names.size(); taken > 0; --taken) {
    const std::string name = path.Join(taken);
    if (!meter_.ChargeBytes(name.size())) return nullptr;
    const Activation::Entry* entry = activation_.Find(name);
    if (entry != nullptr && !std::holds_alternative<Activation::Function>(*entry)) return entry;
  }
  return nullptr;
}

Outcome Names::GetValue(const Path& path) {
  const std::size_t count = path.names.size();
  const std::string whole = path.Join(count);
  std::size_t taken = 0;
  const Activation::Entry* entry = FindLongest(path, taken);
  if (entry == nullptr) {
    if (NamesTypeValue(whole)) return Value(TypeValue{whole});
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

Outcome SelectField(const Value& value, const Expr& select) {
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

std::optional<Outcome> Names::Has(const Path& path) {
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

const Activation::Entry* Names::FindFunctionEntry(const std::string& name) const {
  const Activation::Entry* entry = activation_.Find(name);
  return entry != nullptr && std::holds_alternative<Value>(*entry) ? nullptr : entry;
}

Failure NoOptionals(const Expr& expr) {
  return {"unsupported syntax '?': conditions have no optional values", expr.at};
}

}  // namespace bindery::cel
