// Names of an activation, selections and has().

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

Value MakeMap(std::initializer_list<std::pair<const char*, Value>> entries) {
  Map map;
  for (const auto& [key, value] : entries) map.Add(Value(std::string(key)), value);
  return Value::OfMap(std::move(map));
}

TEST(EvalNames, TheLongestPathCounts) {
  Activation activation;
  activation.Set("a.b", MakeMap({{"c", Value(std::string("of the map"))}, {"d", Value(true)}}));
  activation.Set("a.b.c", Value(std::string("of the path")));
  activation.Set("x", Value(std::int64_t{7}));
  Check(
      {
          {"a.b.c", "\"of the path\""},
          {"a.b.d", "true"},
          {"a.b['c']", "\"of the map\""},
          {".x", "7"},
          {"a.b.e", "error: no such key: 'e'"},
          {"x.y", "error: no such key: 'y': a value of type int has no fields"},
          {"a.z", "error: undeclared reference to 'a.z'"},
          {"y", "error: undeclared reference to 'y'"},
          {"y || true", "true"},
      },
      activation);
}

TEST(EvalNames, VariablesOfMacrosHideNames) {
  Activation activation;
  activation.Set("x", Value(std::int64_t{7}));
  activation.Set("x.y", Value(std::int64_t{8}));
  Check(
      {
          {"[1].map(x, x)", "[1]"},
          {"[1].map(x, .x)", "[7]"},
          {"[{'y': 1}].map(x, x.y)", "[1]"},
          {"[1].map(z, x.y)", "[8]"},
          {"[1].map(x, [2].map(x, x))", "[[2]]"},
          {"[1].map(x, x) == [1] && x == 7", "true"},
      },
      activation);
}

TEST(EvalNames, TypesAreValues) {
  Check({
      {"type(1) == int", "true"},
      {"type(int)", "type"},
      {"type(null)", "null_type"},
      {"type(timestamp(0)) == google.protobuf.Timestamp", "true"},
      {"type(duration('1s'))", "google.protobuf.Duration"},
      {"type([]) == type([1])", "true"},
      {"type({}) == list", "false"},
      {"dyn", "error: undeclared reference to 'dyn'"},
  });
}

TEST(EvalNames, HasAsksForKeys) {
  Activation activation;
  activation.Set("request.time", Value(Timestamp{}));
  activation.Set("request.auth", MakeMap({{"claims", MakeMap({})}}));
  Check(
      {
          {"has({'a': 1}.a)", "true"},
          {"has({'a': null}.a)", "true"},
          {"has({'a': 1}.b)", "false"},
          {"has({}.a.b)", "error: no such key: 'a'"},
          {"has([1].a)", "error: no such overload: has() of a value of type list"},
          {"has(request.time)", "true"},
          {"has(request.host)", "false"},
          {"has(request.auth.claims)", "true"},
          {"has(request.auth.claims.email)", "false"},
          {"has(nothing.a)", "error: undeclared reference to 'nothing'"},
      },
      activation);
}

TEST(EvalNames, UnknownFunctionsFail) {
  Check({
      {"f(1)", "error: unbound function: f"},
      {"f(1) || true", "true"},
      {"'a'.f()", "error: unbound function: f"},
      {"contains('a', 'a')", "error: unbound function: contains"},
      {"1.dyn()", "error: unbound function: dyn"},
  });
}

TEST(EvalNames, FunctionsOfTheContextAreCalled) {
  Activation activation;
  activation.SetFunction("twice", [](std::span<const Value> args) -> Outcome {
    const auto* number = args.size() == 1 ? args[0].As<std::int64_t>() : nullptr;
    if (number == nullptr) return Failure{"not a number"};
    return Value(2 * *number);
  });
  activation.SetFunction("resource.hasTag", [](std::span<const Value> args) {
    return Outcome(Value(args.size() == 1 && Equal(args[0], Value(std::string("env")))));
  });
  Check(
      {
          {"twice(21)", "42"},
          {"twice('a')", "error: not a number"},
          {"twice(1 / 0)", "error: divide by zero"},
          {"resource.hasTag('env')", "true"},
          {"resource.hasTag('team')", "false"},
          {"resource.hasTag", "error: undeclared reference to 'resource.hasTag'"},
      },
      activation);
}

}  // namespace
}  // namespace bindery::cel
