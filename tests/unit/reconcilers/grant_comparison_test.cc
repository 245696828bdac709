// Which grants are the same, as the rules of their kind say.

#include "reconcilers/grant_comparison.h"

#include <gtest/gtest.h>

#include "providers/google/roles/members.h"

namespace bindery::reconcilers {
namespace {

const Condition kOfficeHours{"request.time < t", "office hours", ""};

GrantComparison OfMembers() { return GrantComparison(&google::MemberRules()); }

TEST(GrantComparison, PrincipalsAreTheSameInAllTheirSpellings) {
  const Grant grant{"v", "user:ana@x"};
  EXPECT_TRUE(OfMembers().IsSame(grant, {"v", "user:Ana@X"}));
  EXPECT_FALSE(OfMembers().IsSame(grant, {"v", "group:ana@x"}));
  EXPECT_FALSE(OfMembers().IsSame(grant, {"e", "user:ana@x"}));
}

TEST(GrantComparison, WithoutRulesPrincipalsAreComparedAsTheyAreSpelled) {
  const GrantComparison unknown = GrantComparison::Of(nullptr);
  EXPECT_TRUE(unknown.IsSame({"v", "user:ana@x"}, {"v", "user:ana@x"}));
  EXPECT_FALSE(unknown.IsSame({"v", "user:ana@x"}, {"v", "user:Ana@x"}));
}

TEST(GrantComparison, AGrantUnderAnotherConditionIsHeldByTheSamePrincipal) {
  const Grant always{"v", "user:ana@x"};
  const Grant sometimes{"v", "user:ana@x", kOfficeHours};
  EXPECT_FALSE(OfMembers().IsSame(always, sometimes));
  EXPECT_TRUE(OfMembers().IsSameHolder(always, sometimes));
  EXPECT_FALSE(OfMembers().Holds({always}, sometimes));
  EXPECT_TRUE(OfMembers().Holds({always, sometimes}, sometimes));
}

TEST(GrantComparison, WhatIsHeldAlwaysHasNoCondition) {
  const Grant always{"v", "user:ana@x"};
  const Grant sometimes{"v", "user:ana@x", kOfficeHours};
  EXPECT_TRUE(OfMembers().HoldsAlways({always}, sometimes));
  EXPECT_FALSE(OfMembers().HoldsAlways({sometimes}, sometimes));
}

TEST(GrantComparison, OfAConditionTheExpressionCounts) {
  const Grant sometimes{"v", "user:ana@x", kOfficeHours};
  const Grant renamed{"v", "user:ana@x", Condition{kOfficeHours.expression, "by day", "since May"}};
  const Grant other{"v", "user:ana@x", Condition{"request.time > t", kOfficeHours.title, ""}};
  EXPECT_TRUE(OfMembers().HoldsUnderCondition({renamed}, sometimes));
  EXPECT_FALSE(OfMembers().IsSame(renamed, sometimes));
  EXPECT_FALSE(OfMembers().HoldsUnderCondition({other, {"v", "user:ana@x"}}, sometimes));
}

}  // namespace
}  // namespace bindery::reconcilers
