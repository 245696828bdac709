// Equality and order.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalComparisons, NumbersAreEqualAcrossTypes) {
  Check({
      {"1 == 1u", "true"},
      {"1 == 1.0", "true"},
      {"1u == 1.0", "true"},
      {"1 == 1.5", "false"},
      {"-1 == 18446744073709551615u", "false"},
      {"9223372036854775808u == 9223372036854775808.0", "true"},
      {"0.0 == -0.0", "true"},
      {"0.0 / 0.0 == 0.0 / 0.0", "false"},
      {"0.0 / 0.0 != 1", "true"},
      {"1 != 2u", "true"},
  });
}

TEST(EvalComparisons, ValuesOfDifferentTypesAreNotEqual) {
  Check({
      {"1 == '1'", "false"},
      {"null == 0", "false"},
      {"null == null", "true"},
      {"'a' == b'a'", "false"},
      {"true == 1", "false"},
      {"[] == {}", "false"},
      {"'a' != 1", "true"},
  });
}

TEST(EvalComparisons, ListsAndMapsAreEqualByContent) {
  Check({
      {"[1, 2] == [1u, 2.0]", "true"},
      {"[1, 2] == [2, 1]", "false"},
      {"[1] == [1, 2]", "false"},
      {"[[]] == [[]]", "true"},
      {"[0.0 / 0.0] == [0.0 / 0.0]", "false"},
      {"{'a': 1, 'b': 2} == {'b': 2u, 'a': 1.0}", "true"},
      {"{1: 'x'} == {1u: 'x'}", "true"},
      {"{'a': 1} == {'a': 2}", "false"},
      {"{'a': 1} == {'a': 1, 'b': 1}", "false"},
  });
}

TEST(EvalComparisons, OrderOfOneType) {
  Check({
      {"1 < 2", "true"},
      {"2u <= 2u", "true"},
      {"1.5 > 1.4", "true"},
      {"false < true", "true"},
      {"'abc' < 'abd'", "true"},
      {"'Z' < 'a'", "true"},
      {"'a' >= 'aa'", "false"},
      {"'é' > 'z'", "true"},
      {"b'\\xff' > b'a'", "true"},
      {"duration('1s') < duration('1m')", "true"},
      {"timestamp('2026-01-01T00:00:00Z') >= timestamp('2025-12-31T23:59:59.999Z')", "true"},
  });
}

TEST(EvalComparisons, OrderOfNumbersAcrossTypes) {
  Check({
      {"-1 < 0u", "true"},
      {"1 < 1.5", "true"},
      {"2u > 1.5", "true"},
      {"1.5 < 2", "true"},
      {"9223372036854775807 < 9223372036854775808u", "true"},
      {"18446744073709551615u < 1e30", "true"},
      {"-9223372036854775808 > -1e30", "true"},
      {"0u > -0.5", "true"},
      {"0.0 / 0.0 < 1", "false"},
      {"0.0 / 0.0 >= 1u", "false"},
  });
}

TEST(EvalComparisons, WhatHasNoOrder) {
  Check({
      {"[1] < [2]", "error: no such overload: _<_(list, list)"},
      {"null <= null", "error: no such overload: _<=_(null_type, null_type)"},
      {"'1' > 0", "error: no such overload: _>_(string, int)"},
      {"{} >= {}", "error: no such overload: _>=_(map, map)"},
  });
}

}  // namespace
}  // namespace bindery::cel
