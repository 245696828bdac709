// No expression runs or grows without bound.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::EvaluateText;
using testing::GetText;

constexpr const char* kTooExpensive = "error: the evaluation takes more steps than it may";

std::string Ten() { return "[0,1,2,3,4,5,6,7,8,9]"; }

/// `inner` in that many rounds of ten within one another.
std::string Nested(int levels, std::string inner) {
  for (int i = 0; i < levels; ++i) {
    const std::string variable = "v" + std::to_string(i);
    inner = Ten() + ".all(" + variable + ", " + inner + ")";
  }
  return inner;
}

/// A value that doubles that many times, then `use` with the name x of the last.
std::string Doubled(int times, const std::string& start, const std::string& twice,
                    const std::string& use) {
  std::string source = use;
  for (int i = 0; i < times; ++i) source = "[" + twice + "].map(x, " + source + ")[0]";
  return "[" + start + "].map(x, " + source + ")[0]";
}

TEST(EvalLimits, NestedMacrosEnd) {
  EXPECT_EQ(GetText(EvaluateText(Nested(3, "true"))), "true");
  EXPECT_EQ(GetText(EvaluateText(Nested(9, "true"))), kTooExpensive);
}

TEST(EvalLimits, NothingMakesUpForWhatWasNotEvaluated) {
  EXPECT_EQ(GetText(EvaluateText(Nested(9, "1 / 0 == 1") + " || true")), kTooExpensive);
  EXPECT_EQ(GetText(EvaluateText("true || " + Nested(9, "true"))), "true");
}

TEST(EvalLimits, AllocatedTextIsCounted) {
  EXPECT_EQ(GetText(EvaluateText(Doubled(10, "'0123456789'", "x + x", "size(x)"))), "10240");
  EXPECT_EQ(GetText(EvaluateText(Doubled(40, "'0123456789'", "x + x", "size(x)"))), kTooExpensive);
}

TEST(EvalLimits, SharedListsCountAsOftenAsTheyAreHeld) {
  EXPECT_EQ(GetText(EvaluateText(Doubled(10, "[1]", "[x, x]", "x == x"))), "true");
  EXPECT_EQ(GetText(EvaluateText(Doubled(40, "[1]", "[x, x]", "x == x"))),
            "error: the value is too large");
  EXPECT_EQ(GetText(EvaluateText(Doubled(40, "[1]", "{'a': x, 'b': x}", "x == x"))),
            "error: the value is too large");
  EXPECT_EQ(GetText(EvaluateText(Doubled(40, "[1]", "x + x", "size(x)"))), kTooExpensive);
}

TEST(EvalLimits, ComparisonsAreCounted) {
  const std::string compare =
      "[1,2,3,4,5,6,7,8,9,10].all(i, [1,2,3,4,5,6,7,8,9,10].all(j, x == x))";
  EXPECT_EQ(GetText(EvaluateText(Doubled(12, "[1]", "x + x", compare))), kTooExpensive);
}

TEST(EvalLimits, ValuesDoNotNestWithoutEnd) {
  const std::string source = std::string(150, '[') + "1" + std::string(150, ']');
  EXPECT_EQ(GetText(EvaluateText(source)), "error: the value nests too deep");
}

TEST(EvalLimits, RegularExpressionsAreCounted) {
  const std::string match =
      Ten() + ".all(i, " + Ten() + ".all(j, " + Ten() + ".all(k, 'aaaa'.matches('(a|b)*c?'))))";
  EXPECT_EQ(GetText(EvaluateText(match)), kTooExpensive);
}

TEST(EvalLimits, TheCallerSetsThem) {
  EXPECT_EQ(GetText(EvaluateText("1 + 2", {}, {.max_steps = 3})), kTooExpensive);
  EXPECT_EQ(GetText(EvaluateText("1 + 2", {}, {.max_steps = 10})), "3");
  EXPECT_EQ(GetText(EvaluateText("[1, 2, 3]", {}, {.max_weight = 3})),
            "error: the value is too large");
  EXPECT_EQ(GetText(EvaluateText("[[[1]]]", {}, {.max_depth = 2})),
            "error: the value nests too deep");
}

}  // namespace
}  // namespace bindery::cel
