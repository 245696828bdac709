#include "core/settings/accepted_drift.h"

#include <gtest/gtest.h>

namespace bindery {
namespace {

using namespace std::chrono_literals;

constexpr const char* kTarget = "projects/acme/locations/global/authorizationPolicies/payments";

DriftItem Item(DriftClass drift_class = DriftClass::kUndeclared) {
  DriftItem item;
  item.drift_class = drift_class;
  item.grant = {"roles/viewer", "user:eve@example.com", std::nullopt};
  return item;
}

WallTime At(std::chrono::hours hours) { return WallTime(hours); }

TEST(AcceptedDrift, FitsTheConditionOfTheGrant) {
  AcceptedDriftRule rule;
  rule.condition.title = "temp_*";
  const AcceptedDriftRules rules = {rule};
  EXPECT_TRUE(Restricts(rule));
  DriftItem item = Item();
  EXPECT_EQ(FindAcceptance(rules, kTarget, item, {}).rule, nullptr);
  item.grant.condition = Condition{"true", "temp_access", ""};
  EXPECT_EQ(FindAcceptance(rules, kTarget, item, {}).rule, rules.data());
}

struct FitCase {
  const char* name;
  AcceptedDriftRule rule;
  bool fits;
};

class Matching : public ::testing::TestWithParam<FitCase> {};

TEST_P(Matching, FitsWhatItNames) {
  const AcceptedDriftRules rules = {GetParam().rule};
  const auto found = FindAcceptance(rules, kTarget, Item(), {At(1h), At(1h)});
  EXPECT_EQ(found.state, GetParam().fits ? AcceptanceState::kHolds : AcceptanceState::kNone);
  EXPECT_EQ(found.rule, GetParam().fits ? &rules.front() : nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    AcceptedDrift, Matching,
    ::testing::Values(
        FitCase{"Class", {DriftClass::kUndeclared, "", "", "", {}}, true},
        FitCase{"OtherClass", {DriftClass::kMissing, "", "", "", {}}, false},
        FitCase{"Target", {std::nullopt, kTarget, "", "", {}}, true},
        FitCase{"TargetPattern", {std::nullopt, "*/payments", "", "", {}}, true},
        FitCase{"OtherTarget", {std::nullopt, "*/orders", "", "", {}}, false},
        FitCase{"PartOfATarget", {std::nullopt, "payments", "", "", {}}, false},
        FitCase{"Role", {std::nullopt, "", "ROLES/*", "", {}}, true},
        FitCase{"OtherRole", {std::nullopt, "", "roles/edito?", "", {}}, false},
        FitCase{"Member", {std::nullopt, "", "", "user:Eve@*", {}}, true},
        FitCase{"OtherMember", {std::nullopt, "", "", "user:ana@*", {}}, false},
        FitCase{"All", {DriftClass::kUndeclared, kTarget, "roles/viewer", "user:*", {}}, true},
        FitCase{
            "AllButOne", {DriftClass::kUndeclared, kTarget, "roles/editor", "user:*", {}}, false}),
    [](const auto& test) { return test.param.name; });

TEST(AcceptedDrift, CapitalsOfTheGrantDoNotMatter) {
  DriftItem item = Item();
  item.grant = {"roles/storage.objectViewer", "allUsers", std::nullopt};
  for (const AcceptedDriftRule& rule : {
           AcceptedDriftRule{std::nullopt, "", "roles/storage.objectViewer", "", {}},
           AcceptedDriftRule{std::nullopt, "", "ROLES/storage.*", "", {}},
           AcceptedDriftRule{std::nullopt, "", "", "allUsers", {}},
           AcceptedDriftRule{std::nullopt, "", "", "allusers", {}},
       }) {
    const AcceptedDriftRules rules = {rule};
    const auto found = FindAcceptance(rules, kTarget, item, {At(1h), At(1h)});
    EXPECT_EQ(found.state, AcceptanceState::kHolds) << rule.role << rule.member;
  }
}

TEST(AcceptedDrift, IsOverWhenItsTimeHasPassed) {
  const AcceptedDriftRules rules = {{std::nullopt, kTarget, "", "", {"r", "o", At(10h)}}};
  const auto state = [&](std::chrono::hours earliest, std::chrono::hours latest) {
    return FindAcceptance(rules, kTarget, Item(), {At(earliest), At(latest)}).state;
  };
  EXPECT_EQ(state(9h, 9h), AcceptanceState::kHolds);
  EXPECT_EQ(state(10h, 10h), AcceptanceState::kNone);
  EXPECT_EQ(state(9h, 11h), AcceptanceState::kDoubt);
  EXPECT_EQ(state(1h, 9h), AcceptanceState::kHolds);
  EXPECT_EQ(state(11h, 12h), AcceptanceState::kNone);
}

TEST(AcceptedDrift, ARuleThatHoldsComesBeforeOneThatMayBeOver) {
  const AcceptedDriftRules rules = {{std::nullopt, kTarget, "", "", {"first", "o", At(10h)}},
                                    {std::nullopt, "", "roles/*", "", {"second", "o", At(20h)}}};
  const auto found = FindAcceptance(rules, kTarget, Item(), {At(9h), At(11h)});
  EXPECT_EQ(found.state, AcceptanceState::kHolds);
  ASSERT_NE(found.rule, nullptr);
  EXPECT_EQ(found.rule->acceptance.reason, "second");
}

TEST(AcceptedDrift, IsOfGrants) {
  const AcceptedDriftRules rules = {{std::nullopt, "*", "", "", {}}};
  for (const DriftClass drift_class : {DriftClass::kTargetMissing, DriftClass::kLookupChanged}) {
    EXPECT_EQ(FindAcceptance(rules, kTarget, Item(drift_class), {}).rule, nullptr);
  }
}

TEST(AcceptedDrift, ARuleRestrictsSomething) {
  EXPECT_FALSE(Restricts({}));
  EXPECT_FALSE(Restricts({std::nullopt, "*", "**", "", {}}));
  EXPECT_TRUE(Restricts({DriftClass::kMissing, "", "", "", {}}));
  EXPECT_TRUE(Restricts({std::nullopt, "a*", "", "", {}}));
}

TEST(AcceptedDrift, IsToldInWords) {
  EXPECT_EQ(AcceptanceInWords({"incident 42", "ana", At(24h)}),
            "until 1970-01-02T00:00:00.000Z by ana: incident 42");
  EXPECT_EQ(AcceptanceInWords({"r", "ana"}), "without an end by ana: r");
}

}  // namespace
}  // namespace bindery
