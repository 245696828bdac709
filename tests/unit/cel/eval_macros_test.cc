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

TEST(EvalMacros, TwoVariablesAreIndexOrKeyAndValue) {
  Check({
      {"['a', 'b'].all(i, v, i < 2 && v != '')", "true"},
      {"['a', 'b'].exists(i, v, i == 1 && v == 'b')", "true"},
      {"['a', 'b'].existsOne(i, v, i == 1 || v == 'a')", "false"},
      {"{'a': 1}.exists(k, v, k == 'a' && v == 1)", "true"},
      {"['a', 'b'].transformList(i, v, v + string(i))", "[\"a0\", \"b1\"]"},
      {"['a', 'b'].transformList(i, v, i > 0, v)", "[\"b\"]"},
      {"{'a': 1, 'b': 2}.transformList(k, v, v)", "[1, 2]"},
      {"{'a': 1, 'b': 2}.transformMap(k, v, v * 10)", "{\"a\": 10, \"b\": 20}"},
      {"{'a': 1, 'b': 2}.transformMap(k, v, v > 1, k)", "{\"b\": \"b\"}"},
      {"['a'].transformMap(i, v, v)", "{0: \"a\"}"},
      {"{'a': 1}.transformMap(k, v, v / 0)", "error: divide by zero"},
      {"{'a': 'x', 'b': 'y'}.transformMapEntry(k, v, {v: k})", "{\"x\": \"a\", \"y\": \"b\"}"},
      {"{'a': 'x', 'b': 'x'}.transformMapEntry(k, v, {v: k})", "error: repeated key: \"x\""},
      {"{'a': 'x'}.transformMapEntry(k, v, v)", "error: no such overload: transformMapEntry()"},
  });
}

TEST(EvalMacros, BindingsNameAValue) {
  Check({
      {"cel.bind(x, 21, x + x)", "42"},
      {"cel.bind(x, 1, cel.bind(y, x + 1, x + y))", "3"},
      {"cel.bind(x, 1 / 0, true || x == 1)", "true"},
      {"cel.bind(x, 1 / 0, x)", "error: divide by zero"},
      {"cel.block([20, cel.index(0) + 1], cel.index(0) + cel.index(1))", "41"},
  });
}

TEST(EvalMacros, AnotherNumberOfArgumentsIsNoMacro) {
  Check({
      {"[1].all(x)", "error: "},
      {"[1].map(x, x, x, x)", "error: "},
      {"[1].transformList(x, x)", "error: "},
      {"cel.bind(x, 1)", "error: "},
  });
}

}  // namespace
}  // namespace bindery::cel
