// Optional values.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalOptionals, MakingAndUsing) {
  Check({
      {"optional.of(1)", "optional.of(1)"},
      {"optional.none()", "optional.none()"},
      {"optional.of(1).value()", "1"},
      {"optional.none().value()", "error: optional.none() dereference"},
      {"optional.of(null).hasValue()", "true"},
      {"optional.ofNonZeroValue(0)", "optional.none()"},
      {"optional.ofNonZeroValue(0.0)", "optional.none()"},
      {"optional.ofNonZeroValue('')", "optional.none()"},
      {"optional.ofNonZeroValue([])", "optional.none()"},
      {"optional.ofNonZeroValue(duration('0s'))", "optional.none()"},
      {"optional.ofNonZeroValue('a')", "optional.of(\"a\")"},
      {"optional.none().or(optional.of(2))", "optional.of(2)"},
      {"optional.of(1).or(optional.of(2))", "optional.of(1)"},
      {"optional.none().orValue(3)", "3"},
      {"optional.of(1) == optional.of(1u)", "true"},
      {"optional.of(1) == optional.none()", "false"},
      {"optional.none() == optional.none()", "true"},
      {"optional.of(1) == 1", "false"},
      {"1.value()", "error: no such overload: value(int)"},
  });
}

TEST(EvalOptionals, SelectingWhatMayBeMissing) {
  Check({
      {"{'a': 1}.?a", "optional.of(1)"},
      {"{'a': 1}.?b", "optional.none()"},
      {"{'a': {'b': 2}}.?a.b", "optional.of(2)"},
      {"{'a': {'b': 2}}.?a.?c", "optional.none()"},
      {"{}.?a.b.c", "optional.none()"},
      {"{'a': 1}.?a.b", "error: no such key: 'b'"},
      {"{'a': 1}[?'a']", "optional.of(1)"},
      {"[1, 2][?1]", "optional.of(2)"},
      {"[1, 2][?2]", "optional.none()"},
      {"[1, 2][?'x']", "error: invalid argument"},
      {"optional.of([5])[0]", "optional.of(5)"},
      {"optional.none()[0]", "optional.none()"},
      {"has({'a': {'b': 1}}.?a.b)", "true"},
      {"has({}.?a.b)", "false"},
      {"1[?0]", "error: no such overload: _[?_](int, int)"},
  });
}

TEST(EvalOptionals, MappingWhatMayBeMissing) {
  Check({
      {"optional.of(2).optMap(x, x * 2)", "optional.of(4)"},
      {"optional.none().optMap(x, x * 2)", "optional.none()"},
      {"optional.of({'a': 1}).optFlatMap(x, x.?a)", "optional.of(1)"},
      {"optional.of({}).optFlatMap(x, x.?a)", "optional.none()"},
      {"optional.of(0).optMap(x, 1 / x)", "error: divide by zero"},
      {"1.optMap(x, x)", "error: no such overload: optMap() of a value of type int"},
  });
}

TEST(EvalOptionals, EntriesThatMayBeMissing) {
  Check({
      {"[?optional.of(1), ?optional.none(), 2]", "[1, 2]"},
      {"{?'a': optional.of(1), ?'b': optional.none(), 'c': 3}", "{\"a\": 1, \"c\": 3}"},
      {"[?1]", "error: no such overload: an optional element of type int"},
      {"{?'a': 1}", "error: no such overload: an optional entry of type int"},
  });
}

}  // namespace
}  // namespace bindery::cel
