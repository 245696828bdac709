#include "emulator/condition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::emulator {
namespace {

std::string Chain(std::size_t operators) {
  std::string text = "true";
  for (std::size_t i = 0; i < operators; ++i) text += i % 2 == 0 ? " || true" : " && true";
  return text;
}

TEST(CountLogicalOperators, LooksOnlyAtCode) {
  EXPECT_EQ(CountLogicalOperators("a && b || c"), 2U);
  EXPECT_EQ(CountLogicalOperators(R"(a == "x && y" || b == '||' // && c)"), 1U);
  EXPECT_EQ(CountLogicalOperators(R"(a == "\"&&" && b == r"\" && c)"), 2U);
  EXPECT_EQ(CountLogicalOperators("!a && !b"), 1U);
}

TEST(LintCondition, AcceptsUsualExpressions) {
  for (const char* good :
       {R"(request.time < timestamp("2027-06-01T00:00:00Z"))",
        R"(resource.name.startsWith('projects/_/buckets/x') && resource.type == "a")",
        R"(request.auth.access_levels in ["a", "b",] || a != b || c >= 1 || d <= 2)",
        R"(api.getAttribute("iam.googleapis.com/modifiedGrantsByRole", []).hasOnly(["r"]))",
        "a ? b : c", R"("""multi
line""" == a)"}) {
    EXPECT_EQ(LintCondition(good), std::nullopt) << good;
  }
  EXPECT_EQ(LintCondition(Chain(12)), std::nullopt);
}

TEST(LintCondition, NamesTheCheckThatFails) {
  EXPECT_EQ(LintCondition(Chain(13)),
            "LintValidationUnits/ConditionComplexityCheck Error: Logical operators count must not "
            "be more than 12");
  EXPECT_EQ(LintCondition("1 =f"),
            "LintValidationUnits/ConditionCompileCheck Error: ERROR: Parse expression:1:2: token "
            "recognition error at: '='");
  EXPECT_EQ(LintCondition("a &&\n (b"),
            "LintValidationUnits/ConditionCompileCheck Error: ERROR: Parse expression:2:3: "
            "mismatched input '<EOF>' expecting ')'");
  for (const char* bad : {"", "  ", "// only a comment", "a)", "(a]", "\"open", "a &&", "a && || b",
                          "a & b", "a; b"}) {
    EXPECT_THAT(LintCondition(bad).value_or("accepted"),
                ::testing::StartsWith("LintValidationUnits/ConditionCompileCheck Error: "))
        << bad;
  }
}

}  // namespace
}  // namespace bindery::emulator
