// Plans of claims on parts of a policy: single members, whole policies, settings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/google/members.h"
#include "providers/google/severities.h"
#include "reconcilers/policy_diff.h"

namespace bindery {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Texts = std::vector<std::string>;

const Grant kAna{"v", "user:ana@x"};
const Grant kBob{"v", "user:bob@x"};
const Grant kEve{"e", "user:eve@x"};
const Grant kLogs{"auditConfigs/allServices", "DATA_READ"};

DiffRules TopicRules() {
  return {MemberRules(), "TopicIamBinding", &IamSeverities(GrantPlace::kLeaf)};
}

Texts RoleTextsOf(const std::vector<Grant>& grants) {
  Texts texts;
  for (const Grant& grant : grants) texts.push_back(RoleText(grant) + " " + grant.principal);
  return texts;
}

Claim Of(const std::string& part, std::vector<Grant> grants,
         ManagementPolicy treatment = ManagementPolicy::kEnforce) {
  return {part, {"target", part, std::move(grants)}, treatment};
}

TargetPlan Plan(std::vector<Claim> claims, const std::vector<Grant>& observed,
                bool keep_undeclared = false) {
  Desired desired;
  desired.claims = std::move(claims);
  desired.keep_undeclared = keep_undeclared;
  return DiffGrants(desired, observed, TopicRules());
}

TEST(ClaimPartsPlan, AMemberIsAddedAndTheOthersOfItsRoleStay) {
  const TargetPlan plan = Plan({Of("v user:ana@x if -", {kAna})}, {kBob, kEve});
  EXPECT_THAT(RoleTextsOf(plan.adds), ElementsAre("v user:ana@x"));
  EXPECT_THAT(RoleTextsOf(plan.removes), ElementsAre("e user:eve@x"))
      << "a role of which nothing is declared is undeclared as before";
}

TEST(ClaimPartsPlan, AMemberUnderAnotherConditionIsAnotherGrant) {
  const Grant under{"v", "user:ana@x", Condition{"e", "t", ""}};
  const TargetPlan plan = Plan({Of("v user:ana@x if -", {kAna})}, {under});
  EXPECT_THAT(RoleTextsOf(plan.adds), ElementsAre("v user:ana@x"));
  EXPECT_THAT(plan.removes, IsEmpty());
}

TEST(ClaimPartsPlan, AMemberThatGoesTakesItsOneGrant) {
  const TargetPlan plan =
      Plan({Of("v user:ana@x if -", {kAna}, ManagementPolicy::kRemove)}, {kAna, kBob, kEve});
  EXPECT_THAT(RoleTextsOf(plan.removes), ElementsAre("v user:ana@x"));
}

TEST(ClaimPartsPlan, ADeletedMemberIsToldAndNotWritten) {
  const TargetPlan plan =
      Plan({Of("v user:ana@x if -", {kAna})}, {{"v", "deleted:user:ana@x?uid=1"}, kBob});
  EXPECT_FALSE(plan.writes());
  ASSERT_EQ(plan.impossible.size(), 1U);
  EXPECT_EQ(plan.impossible[0].second.reason, "PrincipalDeleted");
}

TEST(ClaimPartsPlan, AnAbsentMemberLosesTheRoleUnderAnyCondition) {
  Claim absent = Of("v user:ana@x if *", {});
  absent.declaration.absent = true;
  const Grant under{"v", "user:Ana@x", Condition{"e", "t", ""}};
  EXPECT_THAT(RoleTextsOf(Plan({absent}, {kAna, under, kBob}).removes),
              ElementsAre("v user:ana@x", "v if t user:Ana@x"));
  absent.treatment = ManagementPolicy::kRemove;
  EXPECT_FALSE(Plan({absent}, {kAna, kBob}).writes()) << "its manifest went";
}

TEST(ClaimPartsPlan, ARoleThatGoesLeavesWhatOthersDeclareOfIt) {
  const TargetPlan plan =
      Plan({Of("v", {kAna, kBob}, ManagementPolicy::kRemove), Of("v user:ana@x if -", {kAna})},
           {kAna, kBob});
  EXPECT_THAT(RoleTextsOf(plan.removes), ElementsAre("v user:bob@x"));
  EXPECT_THAT(plan.adds, IsEmpty());
}

TEST(ClaimPartsPlan, AWholePolicyHoldsAllButTheSettings) {
  const TargetPlan plan = Plan({Of("*", {kAna})}, {kBob, kEve, kLogs});
  EXPECT_THAT(RoleTextsOf(plan.adds), ElementsAre("v user:ana@x"));
  EXPECT_THAT(RoleTextsOf(plan.removes), UnorderedElementsAre("v user:bob@x", "e user:eve@x"));
}

TEST(ClaimPartsPlan, AWholePolicyWithSettingsHoldsThemToo) {
  const TargetPlan plan = Plan({Of("*+", {kAna})}, {kAna, kLogs});
  EXPECT_THAT(RoleTextsOf(plan.removes), ElementsAre("auditConfigs/allServices DATA_READ"));
  ASSERT_EQ(plan.drift.size(), 1U);
  EXPECT_EQ(plan.drift[0].severity, Severity::kHigh);
}

TEST(ClaimPartsPlan, AWholePolicyThatGoesTakesOnlyWhatItDeclared) {
  Claim gone = Of("*", {kAna}, ManagementPolicy::kRemove);
  gone.declaration.leaves_others = true;
  EXPECT_THAT(RoleTextsOf(Plan({gone}, {kAna, kBob, kEve}).removes), ElementsAre("v user:ana@x"));
}

TEST(ClaimPartsPlan, WhatARetainedManifestLeftBehindHidesNoOtherRemoval) {
  Claim left_behind = Of("*", {}, ManagementPolicy::kPause);
  left_behind.resource.clear();
  left_behind.declaration.leaves_others = true;
  const TargetPlan plan =
      Plan({left_behind, Of("v", {kAna}, ManagementPolicy::kRemove)}, {kAna, kBob});
  EXPECT_THAT(RoleTextsOf(plan.removes), ElementsAre("v user:ana@x"))
      << "its own grant goes, what others added stays";
}

TEST(ClaimPartsPlan, AContestedPartHidesWhatAManifestThatIsGoneGranted) {
  Claim contested = Of("*", {}, ManagementPolicy::kPause);
  contested.resource.clear();
  EXPECT_FALSE(
      Plan({contested, Of("v", {kAna}, ManagementPolicy::kRemove)}, {kAna, kBob}).writes());
}

TEST(ClaimPartsPlan, ADeletedMemberThatABindingDeclaresStaysWhenAnotherClaimGoes) {
  const Grant deleted{"v", "deleted:user:ana@x?uid=1"};
  EXPECT_THAT(Plan({Of("v user:ana@x if -", {kAna}, ManagementPolicy::kRemove), Of("v", {kAna})},
                   {deleted, kBob})
                  .removes,
              ElementsAre(kBob));
  const Condition soon{"e", "t", ""};
  EXPECT_FALSE(Plan({Of("v user:ana@x if -", {kAna}, ManagementPolicy::kRemove)},
                    {{"v", "deleted:user:ana@x?uid=1", soon}})
                   .writes())
      << "it was another grant";
}

TEST(ClaimPartsPlan, SettingsThatNobodyDeclaresStay) {
  EXPECT_FALSE(Plan({Of("v", {kAna})}, {kAna, kLogs}).writes());
}

TEST(ClaimPartsPlan, DeclaredSettingsSayNothingOfRoles) {
  const TargetPlan plan =
      Plan({Of("auditConfigs/allServices", {kLogs})},
           {kAna, kEve, {"auditConfigs/allServices", "DATA_READ exempts user:Eve@x"}});
  EXPECT_THAT(RoleTextsOf(plan.adds), ElementsAre("auditConfigs/allServices DATA_READ"));
  EXPECT_THAT(RoleTextsOf(plan.removes),
              ElementsAre("auditConfigs/allServices DATA_READ exempts user:Eve@x"));
}

TEST(ClaimPartsPlan, EachConditionOfARoleCanHaveItsOwnBinding) {
  const Grant under{"v", "user:ana@x", Condition{"e", "t", ""}};
  const std::string part = "v if {\"expression\":\"e\",\"title\":\"t\"}";
  const TargetPlan plan = Plan({Of("v if -", {kAna}), Of(part, {under})}, {kAna, under, kBob});
  EXPECT_THAT(plan.adds, IsEmpty());
  EXPECT_THAT(RoleTextsOf(plan.removes), ElementsAre("v user:bob@x"));
}

}  // namespace
}  // namespace bindery
