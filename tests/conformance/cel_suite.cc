#include "conformance/cel_suite.h"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "cel/syntax/parser.h"

namespace bindery::conformance {
namespace {

using cel::Value;

/// Nothing when it takes messages to say it.
std::optional<Value> GetValue(const ProtoField& message);

std::optional<Value> OfTime(const ProtoField& object) {
  if (object.fields.size() != 1) return std::nullopt;
  const ProtoField& packed = object.fields.front();
  const std::int64_t seconds = std::strtoll(packed.Text("seconds").c_str(), nullptr, 10);
  const std::int64_t nanos = std::strtoll(packed.Text("nanos").c_str(), nullptr, 10);
  if (packed.name == "[type.googleapis.com/google.protobuf.Timestamp]") {
    return Value(cel::Timestamp{seconds, static_cast<std::int32_t>(nanos)});
  }
  if (packed.name == "[type.googleapis.com/google.protobuf.Duration]") {
    return Value(cel::Duration{seconds * cel::kNanosPerSecond + nanos});
  }
  return std::nullopt;
}

std::optional<Value> OfList(const ProtoField& list) {
  std::vector<Value> items;
  for (const ProtoField& field : list.fields) {
    std::optional<Value> item = GetValue(field);
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
  }
  return Value::OfList(std::move(items));
}

std::optional<Value> OfMap(const ProtoField& entries) {
  cel::Map map;
  for (const ProtoField& entry : entries.fields) {
    const ProtoField* key = entry.Find("key");
    const ProtoField* value = entry.Find("value");
    if (key == nullptr || value == nullptr) return std::nullopt;
    std::optional<Value> key_value = GetValue(*key);
    std::optional<Value> content = GetValue(*value);
    if (!key_value || !content) return std::nullopt;
    map.Add(std::move(*key_value), std::move(*content));
  }
  return Value::OfMap(std::move(map));
}

std::optional<Value> GetValue(const ProtoField& message) {
  if (message.fields.size() != 1) return std::nullopt;
  const ProtoField& field = message.fields.front();
  const char* text = field.text.c_str();
  if (field.name == "null_value") return Value();
  if (field.name == "bool_value") return Value(field.text == "true");
  if (field.name == "int64_value") return Value(std::int64_t{std::strtoll(text, nullptr, 0)});
  if (field.name == "uint64_value") return Value(std::uint64_t{std::strtoull(text, nullptr, 0)});
  if (field.name == "double_value") return Value(std::strtod(text, nullptr));
  if (field.name == "string_value") return Value(field.text);
  if (field.name == "bytes_value") return Value(cel::Bytes{field.text});
  if (field.name == "type_value") return Value(cel::TypeValue{field.text});
  if (field.name == "list_value") return OfList(field);
  if (field.name == "map_value") return OfMap(field);
  if (field.name == "object_value") return OfTime(field);
  return std::nullopt;
}

bool Same(const Value& one, const Value& two);

bool SameMaps(const cel::Map& one, const cel::Map& two) {
  if (one.size() != two.size()) return false;
  for (const auto& [key, value] : one.entries()) {
    const Value* other = two.Find(key);
    if (other == nullptr || !Same(value, *other)) return false;
  }
  return true;
}

/// Equal and of the same type; NaN is NaN.
bool Same(const Value& one, const Value& two) {
  if (one.TypeName() != two.TypeName()) return false;
  if (const auto* a = one.As<double>(), *b = two.As<double>(); a != nullptr && b != nullptr) {
    return *a == *b || (std::isnan(*a) && std::isnan(*b));
  }
  if (const auto* a = one.AsMap(), *b = two.AsMap(); a != nullptr && b != nullptr) {
    return SameMaps(*a, *b);
  }
  const auto *a = one.AsList(), *b = two.AsList();
  if (a == nullptr || b == nullptr) return Equal(one, two);
  if (a->size() != b->size()) return false;
  for (std::size_t i = 0; i < a->size(); ++i) {
    if (!Same(a->items()[i], b->items()[i])) return false;
  }
  return true;
}

bool HasMessage(const cel::Expr& expr) {
  if (expr.kind == cel::ExprKind::kMessage) return true;
  for (const cel::ExprPtr& operand : expr.args) {
    if (HasMessage(*operand)) return true;
  }
  return false;
}

/// Whether a text names messages or enumerations of protocol buffers, but for the two that are
/// values of the language.
bool NamesMessages(const std::string& text) {
  if (text.find("TestAllTypes") != std::string::npos) return true;
  if (text.find("GlobalEnum") != std::string::npos) return true;
  constexpr std::string_view kPackage = "google.protobuf";
  for (std::size_t at = text.find(kPackage); at != std::string::npos;
       at = text.find(kPackage, at + 1)) {
    const std::string_view rest = std::string_view(text).substr(at + kPackage.size());
    if (!rest.starts_with(".Timestamp") && !rest.starts_with(".Duration")) return true;
  }
  return false;
}

bool NamesMessages(const ProtoField& field) {
  if (field.name != "name" && field.name != "description" &&
      (NamesMessages(field.text) || NamesMessages(field.name))) {
    return true;
  }
  for (const ProtoField& inner : field.fields) {
    if (NamesMessages(inner)) return true;
  }
  return false;
}

/// A name with a leading dot is looked for outside of the container only.
std::string AbsoluteName(const std::string& name) { return "@absolute." + name; }

void MarkAbsoluteNames(cel::Expr& expr) {
  if (expr.kind == cel::ExprKind::kIdent && expr.name.starts_with('.')) {
    expr.name = AbsoluteName(expr.name.substr(1));
  }
  for (const cel::ExprPtr& operand : expr.args) MarkAbsoluteNames(*operand);
}

/// The variables of a test, also under the shorter names that its container allows. False when one
/// of them is a message.
bool Bind(const ProtoField& test, cel::Activation& activation) {
  std::vector<std::string> containers = {""};
  std::string container = test.Text("container");
  for (std::size_t dot = 0; !container.empty() && dot != std::string::npos;) {
    dot = container.find('.', dot + 1);
    containers.push_back(container.substr(0, dot) + ".");
  }
  // What stands in an inner container hides what stands further out.
  for (const std::string& prefix : containers) {
    for (const ProtoField& binding : test.fields) {
      const ProtoField* given = binding.name == "bindings" ? binding.Find("value") : nullptr;
      const std::string name = binding.Text("key");
      if (given == nullptr || !name.starts_with(prefix)) continue;
      const ProtoField* content = given->Find("value");
      std::optional<Value> value = content == nullptr ? std::nullopt : GetValue(*content);
      if (!value) return false;
      activation.Set(AbsoluteName(name), *value);
      activation.Set(name.substr(prefix.size()), std::move(*value));
    }
  }
  return true;
}

TestOutcome Disagreed(std::string detail) { return {Verdict::kDisagreed, std::move(detail)}; }

TestOutcome Compare(const std::optional<Value>& expected, const cel::Outcome& came) {
  const std::string wanted = expected ? ToText(*expected) : "an error";
  if (std::holds_alternative<cel::Unknown>(came)) return Disagreed(wanted + ", came unknown");
  if (const auto* failure = std::get_if<cel::Failure>(&came)) {
    if (!expected) return {};
    return Disagreed(wanted + ", came error: " + failure->message);
  }
  const auto& value = std::get<Value>(came);
  if (expected && Same(value, *expected)) return {};
  return Disagreed(wanted + ", came " + ToText(value));
}

}  // namespace

TestOutcome RunTest(const ProtoField& test) {
  const Expected<cel::ExprPtr> tree = cel::Parse(test.Text("expr"));
  const bool fails = test.Find("eval_error") != nullptr || test.Find("any_eval_errors") != nullptr;
  if (!tree) {
    if (fails) return {};
    return {Verdict::kNotParsed, tree.error().message};
  }
  if (HasMessage(**tree) || NamesMessages(test)) return {Verdict::kSkipped, "messages"};
  if (test.Text("check_only") == "true") return {Verdict::kSkipped, "types only"};
  if (!test.Text("container").empty()) MarkAbsoluteNames(**tree);
  cel::Activation activation;
  if (!Bind(test, activation)) return {Verdict::kSkipped, "messages"};

  std::optional<Value> expected;
  if (!fails) {
    const ProtoField* matcher = test.Find("value");
    if (const ProtoField* typed = test.Find("typed_result")) matcher = typed->Find("result");
    expected = matcher == nullptr ? Value(true) : GetValue(*matcher);
    if (!expected) return {Verdict::kSkipped, "messages"};
  }
  return Compare(expected, Evaluate(**tree, activation));
}

}  // namespace bindery::conformance
