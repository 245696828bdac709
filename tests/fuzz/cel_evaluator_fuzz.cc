#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cel/evaluation/evaluator.h"
#include "cel/syntax/parser.h"

namespace {

using namespace bindery::cel;

void Require(bool holds) {
  if (!holds) std::abort();
}

Activation Known() {
  Activation activation;
  Map map;
  map.Add(Value(std::string("a")), Value(std::int64_t{1}));
  activation.Set("request.time", Value(Timestamp{1'795'256'430, 5}));
  activation.Set("resource.name", Value(std::string("projects/p/zones/z\u00e9")));
  activation.Set("m", Value::OfMap(map));
  activation.Set("x", Value(std::int64_t{-7}));
  activation.SetAbsent("destination.ip");
  return activation;
}

bool IsTooExpensive(const Outcome& outcome) {
  const auto* failure = std::get_if<Failure>(&outcome);
  return failure != nullptr && failure->message.find("more steps") != std::string::npos;
}

/// The text of a value is an expression of that value.
void RoundTrip(const Value& value) {
  const std::string text = ToText(value);
  if (text.size() > 10'000 || text.find("NaN") != std::string::npos) return;
  const bindery::Expected<ExprPtr> tree = Parse(text);
  Require(tree.has_value());
  const Outcome again = Evaluate(**tree, {});
  if (IsTooExpensive(again)) return;
  const auto* read = std::get_if<Value>(&again);
  Require(read != nullptr && Equal(*read, value));
}

/// What is decided without an attribute stays so once it is known.
void Agree(const Outcome& unknown, const Outcome& known) {
  if (std::holds_alternative<Unknown>(unknown) || IsTooExpensive(unknown) ||
      IsTooExpensive(known)) {
    return;
  }
  Require(unknown.index() == known.index());
  const auto* value = std::get_if<Value>(&unknown);
  if (value != nullptr) Require(ToText(*value) == ToText(std::get<Value>(known)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const bindery::Expected<ExprPtr> tree = Parse(std::string(data, data + size));
  if (!tree) return 0;
  const EvaluationLimits limits{.max_steps = 20'000, .max_weight = 20'000, .max_depth = 50};
  Activation activation = Known();
  const Outcome known = Evaluate(**tree, activation, limits);
  if (const auto* value = std::get_if<Value>(&known)) RoundTrip(*value);
  Require(!std::holds_alternative<Unknown>(known));
  activation.SetUnknown("resource.name");
  activation.SetUnknown("x");
  Agree(Evaluate(**tree, activation, limits), known);
  return 0;
}
