#include "emulator/google/condition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::emulator {
namespace {

std::string Chain(std::size_t operators) {
  std::string text = "true";
  for (std::size_t i = 0; i < operators; ++i) text += i % 2 == 0 ? " || true" : " && true";
  return text;
}

TEST(LintCondition, AcceptsUsualExpressions) {
  for (const char* good :
       {R"(request.time < timestamp("2027-06-01T00:00:00Z"))",
        R"(resource.name.startsWith('projects/_/buckets/x') && resource.type == "a")",
        R"("a" in request.auth.access_levels || resource.name in ["a", "b",])",
        R"(api.getAttribute("iam.googleapis.com/modifiedGrantsByRole", []).hasOnly(["r"]))",
        "destination.port > 80 ? true : false", R"("""multi
line""" == resource.name)"}) {
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
            "recognition error at: '=f'");
  EXPECT_EQ(LintCondition("a &&\n (b"),
            "LintValidationUnits/ConditionCompileCheck Error: ERROR: Parse expression:2:3: "
            "mismatched input '<EOF>' expecting ')'");
  EXPECT_EQ(LintCondition("true || resource.nam == 'a'"),
            "LintValidationUnits/ConditionCompileCheck Error: ERROR: expression:1:8: undeclared "
            "reference to 'resource.nam' (in container ''), did you mean \"resource.name\"?");
  EXPECT_THAT(LintCondition("resource.name.contains('a')").value_or("accepted"),
              ::testing::StartsWith("LintValidationUnits/ConditionCompileCheck Error: ERROR: "
                                    "expression:1:14: undeclared reference to 'contains' (in "
                                    "container '')"));
  EXPECT_EQ(LintCondition("request.time < timestamp('2027-02-30T00:00:00Z')"),
            "LintValidationUnits/DateTimeCheck Error: \"2027-02-30T00:00:00Z\" does not exist: no "
            "calendar and no clock has it");
  for (const char* bad : {"", "  ", "// only a comment", "a)", "(a]", "\"open", "a &&", "a && || b",
                          "a & b", "a; b", "request.time < 1", "1 + 1"}) {
    EXPECT_THAT(LintCondition(bad).value_or("accepted"),
                ::testing::StartsWith("LintValidationUnits/ConditionCompileCheck Error: "))
        << bad;
  }
}

}  // namespace
}  // namespace bindery::emulator
