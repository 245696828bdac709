// Accepted drift as a manifest: which rule it declares, and what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/time_text.h"
#include "providers/bindery/accepted_drift_schema.h"
#include "providers/bindery/own_kinds.h"
#include "support/matchers.h"

namespace bindery::providers {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;

constexpr const char* kWholeRule =
    R"({"match":{"target":"t","role":"r","member":"m","class":"undeclared"},"reason":"why",)"
    R"("owner":"who","until":"2026-12-01"})";

TEST(AcceptedDriftKind, DeclaresTheRuleOfTheConfiguration) {
  const auto rule = AcceptedDriftRuleIn(*ParseJson(kWholeRule));
  ASSERT_TRUE(rule.has_value());
  const AcceptedDriftRule expected = {DriftClass::kUndeclared,
                                      "t",
                                      "r",
                                      "m",
                                      {"why", "who", *ParseRfc3339("2026-12-01T00:00:00Z")}};
  EXPECT_EQ(*rule, expected);
}

TEST(AcceptedDriftKind, MatchesConditions) {
  const auto rule = AcceptedDriftRuleIn(*ParseJson(
      R"({"match":{"condition":{"title":"t*","endsWithin":"2h"}},"reason":"r","owner":"o"})"));
  ASSERT_TRUE(rule.has_value());
  EXPECT_EQ(rule->condition, (ConditionMatch{"t*", "", std::chrono::hours(2)}));
  for (const char* within : {"soon", "0s"}) {
    const std::string spec = R"({"match":{"condition":{"title":"t","endsWithin":")" +
                             std::string(within) + R"("}},"reason":"r","owner":"o"})";
    EXPECT_FALSE(AcceptedDriftRuleIn(*ParseJson(spec)).has_value()) << within;
  }
}

TEST(AcceptedDriftKind, IsNoRuleThatFitsEverythingOrNeverEndsByAccident) {
  for (const char* spec : {"{}", R"({"match":{},"reason":"r","owner":"o"})",
                           R"({"match":{"member":"*"},"reason":"r","owner":"o"})",
                           R"({"match":{"member":"m","class":"later"},"reason":"r","owner":"o"})",
                           R"({"match":{"member":"m"},"reason":"r","owner":"o","until":"soon"})"}) {
    EXPECT_FALSE(AcceptedDriftRuleIn(*ParseJson(spec)).has_value()) << spec;
  }
}

TEST(AcceptedDriftKind, ChecksEachField) {
  const manifests::KindSchema& schema = AcceptedDriftSchema();
  EXPECT_EQ(schema.check_all(*ParseJson(kWholeRule)).size(), 0U);
  const auto everything =
      schema.check_all(*ParseJson(R"({"match":{"role":"*"},"reason":"r","owner":"o"})"));
  ASSERT_EQ(everything.size(), 1U);
  EXPECT_EQ(everything[0].first, "match");
  const auto check = [&](std::size_t field, const char* text) {
    return schema.inputs[field].check(text).has_value();
  };
  EXPECT_TRUE(check(1, " "));
  EXPECT_FALSE(check(1, "why"));
  EXPECT_TRUE(check(3, "24h"));
  for (const char* time : {"2026-12-01", "2026-12-01T10:00:00+02:00"}) EXPECT_FALSE(check(3, time));
}

TEST(AcceptedDriftKind, ReadsNothingAnywhereAndCannotBeImported) {
  const auto kinds = MakeOwnKinds();
  ASSERT_EQ(kinds.size(), 1U);
  const auto seen =
      kinds[0]->Observe(*OwnConnection(), AcceptedDriftTarget().name, std::chrono::seconds(1));
  ASSERT_TRUE(seen.has_value());
  EXPECT_EQ(kinds[0]->Outputs("t", *seen), Json::object());
  EXPECT_THAT(kinds[0]->ParseId("x", ""), FailsWith(Code::kInvalidArgument, HasSubstr("import")));
}

}  // namespace
}  // namespace bindery::providers
