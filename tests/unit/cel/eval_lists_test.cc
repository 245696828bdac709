// The list extension.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalLists, SlicesAndReversesAndFlattens) {
  Check({
      {"[1, 2, 3].slice(1, 3)", "[2, 3]"},
      {"[1, 2, 3].slice(3, 3)", "[]"},
      {"[1, 2, 3].slice(-1, 2)", "error: slice(-1, 2) is not within a list of 3"},
      {"[1, 2, 3].slice(2, 1)", "error: slice(2, 1) is not within a list of 3"},
      {"[1, 2, 3].slice(0, 4)", "error: slice(0, 4) is not within a list of 3"},
      {"[1, 'a'].reverse()", "[\"a\", 1]"},
      {"[1, [2, [3]], []].flatten()", "[1, 2, [3]]"},
      {"[1, [2, [3]]].flatten(0)", "[1, [2, [3]]]"},
      {"[1, [2, [3]]].flatten(9)", "[1, 2, 3]"},
      {"[1].flatten(-1)", "error: flatten() takes a depth of at least 0"},
      {"lists.range(3)", "[0, 1, 2]"},
      {"lists.range(0)", "[]"},
      {"lists.range(-1)", "error: lists.range() takes no negative count"},
      {"lists.range(1000000000)", "error: the evaluation takes more steps"},
      {"[1, 1.0, 'a', 2u, 'a'].distinct()", "[1, \"a\", 2u]"},
  });
}

TEST(EvalLists, SortsWhatHasAnOrder) {
  Check({
      {"[3, 1, 2].sort()", "[1, 2, 3]"},
      {"[].sort()", "[]"},
      {"['b', 'a'].sort()", "[\"a\", \"b\"]"},
      {"[1, 'a'].sort()", "error: no such overload: a list is sorted by keys of one type"},
      {"[1, 2u].sort()", "error: no such overload"},
      {"[0.0 / 0.0, 1.0].sort()", "error: no such overload"},
      {"[[1]].sort()", "error: no such overload"},
      {"['ccc', 'a', 'bb', 'd'].sortBy(x, size(x))", "[\"a\", \"d\", \"bb\", \"ccc\"]"},
      {"[1, 2].sortBy(x, 1 / 0)", "error: divide by zero"},
      {"{1: 2}.sortBy(x, x)", "error: no such overload: sortBy() of a map"},
  });
}

}  // namespace
}  // namespace bindery::cel
