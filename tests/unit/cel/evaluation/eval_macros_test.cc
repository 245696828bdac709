// Macros with one and two variables, bindings.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalMacros, AllAndExistsAreAndAndOr) {
  Check({
      {"[1, 2].all(x, x > 0)", "true"},
      {"[1, 2].all(x, x > 1)", "false"},
      {"[].all(x, 1 / 0 > x)", "true"},
      {"[1, 0, 2].all(x, 2 / x == 1)", "false"},
      {"[0, 2].all(x, 2 / x == 1)", "error: divide by zero"},
      {"[1, 2].exists(x, x == 2)", "true"},
      {"[0, 2].exists(x, 2 / x == 1)", "true"},
      {"[0, 2].exists(x, 2 / x == 2)", "error: divide by zero"},
      {"[].exists(x, true)", "false"},
      {"{'a': 1}.exists(k, k == 'a')", "true"},
      {"[1].all(x, x)", "error: no such overload: int is no condition"},
      {"1.all(x, true)", "error: no such overload: all() of a value of type int"},
  });
}

TEST(EvalMacros, ExistsOneEvaluatesAll) {
  Check({
      {"[1, 2, 3].exists_one(x, x % 2 == 0)", "true"},
      {"[1, 2, 3].exists_one(x, x % 2 == 1)", "false"},
      {"[].exists_one(x, true)", "false"},
      {"[2, 1, 0].exists_one(x, 2 / x == 1)", "error: divide by zero"},
      {"{'a': 1, 'b': 2}.exists_one(k, k > 'a')", "true"},
  });
}

TEST(EvalMacros, MapAndFilter) {
  Check({
      {"[1, 2, 3].map(x, x * x)", "[1, 4, 9]"},
      {"[1, 2, 3].map(x, x > 1, -x)", "[-2, -3]"},
      {"[0, 1].map(x, x > 0, 1 / x)", "[1]"},
      {"[1, 0].map(x, 1 / x)", "error: divide by zero"},
      {"{'a': 1, 'b': 2}.map(k, k)", "[\"a\", \"b\"]"},
      {"[1, 2, 3].filter(x, x != 2)", "[1, 3]"},
      {"{'a': 1, 'b': 2}.filter(k, k != 'a')", "[\"b\"]"},
      {"[1].filter(x, 'yes')", "error: no such overload: string is no condition"},
      {"[[1, 2], [3]].map(x, x.map(y, y + size(x)))", "[[3, 4], [4]]"},
  });
}

TEST(EvalMacros, AnotherNumberOfArgumentsIsNoMacro) {
  Check({
      {"[1].all(x)", "error: "},
      {"[1].map(x, x, x, x)", "error: "},
      {"[1].all(i, x, true)", "error: "},
  });
}

// IAM offers none of the language's extensions.
TEST(EvalMacros, ExtensionsAreUnknownFunctions) {
  Check({
      {"cel.bind(x, 1, x)", "error: "},
      {"[1].sortBy(x, x)", "error: "},
      {"[1].transformList(i, x, x)", "error: "},
      {"math.greatest(1, 2)", "error: "},
      {"ip('10.0.0.1')", "error: "},
      {"optional.of(1)", "error: "},
      {"'a'.lowerAscii()", "error: "},
      {"{'a': 1}.?a", "error: unsupported syntax '?'"},
      {"{'a': 1}[?'a']", "error: unsupported syntax '?'"},
      {"[?1]", "error: unsupported syntax '?'"},
      {"{?'a': 1}", "error: unsupported syntax '?'"},
  });
}

}  // namespace
}  // namespace bindery::cel
