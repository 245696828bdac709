#include "core/settings/label_selector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery {
namespace {

using ::testing::HasSubstr;

TEST(LabelSelector, SelectsAsKubectlDoes) {
  const Json labels = {{"team", "payments"}, {"tier", "gold"}, {"note", "a, b"}, {"empty", ""}};
  struct Case {
    const char* text;
    bool matches;
  };
  const Case cases[] = {
      {"team=payments", true},
      {"team==payments", true},
      {" team = payments ", true},
      {"team=other", false},
      {"team!=payments", false},
      {"team!=other", true},
      {"absent!=other", true},
      {"team in (payments,other)", true},
      {"team in(payments)", true},
      {"team in ( other , third )", false},
      {"absent in (a)", false},
      {"team notin (other)", true},
      {"team notin (payments, other)", false},
      {"absent notin (a)", true},
      {"team", true},
      {"absent", false},
      {"!absent", true},
      {"! team", false},
      {"team,tier=gold,!absent", true},
      {"team in (payments),tier=silver", false},
      {"note=\"a, b\"", true},
      {"note in (x,\"a, b\")", true},
      {"empty=", true},
      {"team=", false},
      {"in=x", false},
      {"!in", true},
  };
  for (const Case& one : cases) {
    const auto selector = LabelSelector::Parse(one.text);
    ASSERT_TRUE(selector.has_value()) << one.text << ": " << ToString(selector.error());
    EXPECT_EQ(selector->Matches(labels), one.matches) << one.text;
  }
}

TEST(LabelSelector, SaysWhatIsWrong) {
  struct Case {
    const char* text;
    const char* said;
  };
  const Case cases[] = {
      {"", "the name of a label is missing before its end"},
      {"=x", "the name of a label is missing before \"=x\""},
      {"team in", "\"(\" is missing after \"in\""},
      {"team in (a", "\")\" is missing after the values of \"team\""},
      {"team is a", "=, !=, in or notin is missing before \"is a\""},
      {"team=a b", "a comma is missing before \"b\""},
      {"team=a,", "the name of a label is missing before its end"},
      {"note=\"a", "a quote is missing after"},
      {"!team=a", "a comma is missing before \"=a\""},
  };
  for (const Case& one : cases) {
    const auto selector = LabelSelector::Parse(one.text);
    ASSERT_FALSE(selector.has_value()) << one.text;
    EXPECT_EQ(selector.error().code, Code::kInvalidArgument);
    EXPECT_THAT(selector.error().message, HasSubstr(one.said)) << one.text;
  }
}

TEST(LabelSelector, TextOfALabelSelectsIt) {
  for (const char* value : {"payments", "a, b", "", "x=y", "(a)"}) {
    const auto selector = LabelSelector::Parse(LabelSelectorText("note", value));
    ASSERT_TRUE(selector.has_value()) << value;
    EXPECT_TRUE(selector->Matches({{"note", value}})) << value;
    EXPECT_FALSE(selector->Matches({{"note", "other"}})) << value;
  }
}

}  // namespace
}  // namespace bindery
