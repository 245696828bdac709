// Literals, arithmetic, logic, lists, maps and sizes.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalOperators, LiteralsMeanThemselves) {
  Check({
      {"7", "7"},
      {"7u", "7u"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"0xFFu", "255u"},
      {"1.5", "1.5"},
      {"2.0", "2.0"},
      {"1e300", "1e+300"},
      {"true", "true"},
      {"null", "null"},
      {"'a\\u00e9'", "\"aé\""},
      {"b'\\xff'", "b\"\\xff\""},
      {"[1, [2u], {'k': null}]", "[1, [2u], {\"k\": null}]"},
      {"{}", "{}"},
  });
}

TEST(EvalOperators, IntsAreCheckedForOverflow) {
  Check({
      {"2 + 3 * 4", "14"},
      {"7 - 10", "-3"},
      {"-(3)", "-3"},
      {"-7 / 2", "-3"},
      {"-7 % 2", "-1"},
      {"7 % -2", "1"},
      {"9223372036854775807 + 1", "error: return error for overflow"},
      {"-9223372036854775808 - 1", "error: return error for overflow"},
      {"4611686018427387904 * 2", "error: return error for overflow"},
      {"-(-9223372036854775808)", "error: return error for overflow"},
      {"-9223372036854775808 / -1", "error: return error for overflow"},
      {"-9223372036854775808 % -1", "error: return error for overflow"},
      {"1 / 0", "error: divide by zero"},
      {"1 % 0", "error: modulus by zero"},
  });
}

TEST(EvalOperators, UintsAreCheckedForOverflow) {
  Check({
      {"2u + 3u", "5u"},
      {"7u / 2u", "3u"},
      {"7u % 4u", "3u"},
      {"18446744073709551615u + 1u", "error: return error for overflow"},
      {"1u - 2u", "error: return error for overflow"},
      {"9223372036854775808u * 2u", "error: return error for overflow"},
      {"1u / 0u", "error: divide by zero"},
      {"1u % 0u", "error: modulus by zero"},
      {"-(1u)", "error: no such overload: -_(uint)"},
  });
}

TEST(EvalOperators, DoublesFollowIeee754) {
  Check({
      {"0.5 + 0.25", "0.75"},
      {"1.0 / 0.0", "double(\"Infinity\")"},
      {"-1.0 / 0.0", "double(\"-Infinity\")"},
      {"0.0 / 0.0", "double(\"NaN\")"},
      {"1e308 * 10.0", "double(\"Infinity\")"},
      {"1.0 % 2.0", "error: no such overload: _%_(double, double)"},
  });
}

TEST(EvalOperators, ArithmeticDoesNotMixTypes) {
  Check({
      {"1 + 1u", "error: no such overload: _+_(int, uint)"},
      {"1 + 1.0", "error: no such overload: _+_(int, double)"},
      {"'a' + 1", "error: no such overload: _+_(string, int)"},
      {"'a' - 'b'", "error: no such overload: _-_(string, string)"},
      {"!1", "error: no such overload: !_(int)"},
      {"-true", "error: no such overload: -_(bool)"},
  });
}

TEST(EvalOperators, TextsAndListsAreJoined) {
  Check({
      {"'ab' + '' + 'é'", "\"abé\""},
      {"b'a' + b'\\x00'", "b\"a\\x00\""},
      {"[1] + [] + ['a']", "[1, \"a\"]"},
  });
}

TEST(EvalOperators, ASideThatDecidesMakesUpForAFailure) {
  Check({
      {"true && true", "true"},
      {"false && 1 / 0 == 1", "false"},
      {"1 / 0 == 1 && false", "false"},
      {"1 / 0 == 1 && true", "error: divide by zero"},
      {"true || 1 / 0 == 1", "true"},
      {"1 / 0 == 1 || true", "true"},
      {"1 / 0 == 1 || false", "error: divide by zero"},
      {"'no' && false", "false"},
      {"'no' && true", "error: no such overload: string is no condition"},
      {"'no' || 'yes'", "error: no such overload: string is no condition"},
      {"true ? 1 : 1 / 0", "1"},
      {"false ? 1 / 0 : 2", "2"},
      {"1 / 0 == 1 ? 1 : 2", "error: divide by zero"},
      {"1 ? 1 : 2", "error: no such overload: int is no condition"},
  });
}

TEST(EvalOperators, ElementsAreFoundByPosition) {
  Check({
      {"['a', 'b'][1]", "\"b\""},
      {"['a', 'b'][1u]", "\"b\""},
      {"['a', 'b'][1.0]", "\"b\""},
      {"['a', 'b'][0.5]", "error: invalid argument: the list index 0.5 is not whole"},
      {"['a', 'b'][2]", "error: invalid argument: index out of bounds: 2"},
      {"['a', 'b'][-1]", "error: invalid argument: index out of bounds: -1"},
      {"['a', 'b'][18446744073709551615u]", "error: invalid argument: index out of bounds"},
      {"['a', 'b'][0.0 / 0.0]", "error: invalid argument"},
      {"['a', 'b']['0']", "error: invalid argument: a list index of type string"},
      {"'ab'[0]", "error: no such overload: _[_](string, int)"},
  });
}

TEST(EvalOperators, EntriesAreFoundByKeysThatAreEqual) {
  Check({
      {"{'a': 1}['a']", "1"},
      {"{'a': 1}.a", "1"},
      {"{'a b': 1}.`a b`", "1"},
      {"{1: 'x'}[1u]", "\"x\""},
      {"{1u: 'x'}[1.0]", "\"x\""},
      {"{18446744073709551615u: 'x'}[18446744073709551615u]", "\"x\""},
      {"{true: 'x'}[true]", "\"x\""},
      {"{1: 'x'}[1.5]", "error: no such key: 1.5"},
      {"{1: 'x'}[2]", "error: no such key: 2"},
      {"{'a': 1}.b", "error: no such key: 'b'"},
      {"{1: 'x'}[[]]", "error: no such key: []"},
      {"1 in {1u: 2}", "true"},
      {"'a' in {1: 2}", "false"},
      {"null in {1: 2}", "false"},
      {"'b' in ['a', 'b']", "true"},
      {"1.0 in [3, 2, 1u]", "true"},
      {"1 in 'text'", "error: no such overload: _in_(int, string)"},
  });
}

TEST(EvalOperators, KeysOfAMapAreUniqueAndScalar) {
  Check({
      {"{1: 'a', 1u: 'b'}", "error: repeated key: 1u"},
      {"{'a': 1, 'a': 2}", "error: repeated key: \"a\""},
      {"{1.0: 1}", "error: unsupported key type: double"},
      {"{null: 1}", "error: unsupported key type: null_type"},
      {"{[1]: 1}", "error: unsupported key type: list"},
      {"{'a': 1 / 0}", "error: divide by zero"},
  });
}

TEST(EvalOperators, SizesCountCodePointsBytesAndEntries) {
  Check({
      {"size('')", "0"},
      {"'aé🐱'.size()", "3"},
      {"size(b'aé')", "3"},
      {"[1, 2].size()", "2"},
      {"size({1: 2})", "1"},
      {"size(1)", "error: no such overload: size(int)"},
      {"size('a', 'b')", "error: no such overload: size(string, string)"},
  });
}

TEST(EvalOperators, MessagesAreRefused) {
  Check({{"google.protobuf.Int32Value{value: 1}", "error: messages are not supported"}});
}

TEST(EvalOperators, AFailureSaysWhere) {
  const Outcome outcome = testing::EvaluateText("true &&\n  [1][3] == 1");
  const auto& failure = std::get<Failure>(outcome);
  EXPECT_EQ(failure.at.line, 2);
  EXPECT_EQ(failure.at.column, 6);
}

}  // namespace
}  // namespace bindery::cel
