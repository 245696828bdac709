// Plans of claims on parts of a policy: single members, whole policies, settings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/access/claim_part.h"
#include "providers/google/roles/members.h"
#include "providers/google/roles/severities.h"
#include "reconcilers/policy_diff.h"

namespace bindery::reconcilers {
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
  return {google::MemberRules(), "TopicIamBinding",
          &google::IamSeverities(google::GrantPlace::kLeaf)};
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
  EXPECT_THAT(RoleTextsOf(plan.adds()), ElementsAre("v user:ana@x"));
  EXPECT_THAT(RoleTextsOf(plan.removes()), ElementsAre("e user:eve@x"))
      << "a role of which nothing is declared is undeclared as before";
}

TEST(ClaimPartsPlan, AMemberUnderAnotherConditionIsAnotherGrant) {
  const Grant under{"v", "user:ana@x", Condition{"e", "t", ""}};
  const TargetPlan plan = Plan({Of("v user:ana@x if -", {kAna})}, {under});
  EXPECT_THAT(RoleTextsOf(plan.adds()), ElementsAre("v user:ana@x"));
  EXPECT_THAT(plan.removes(), IsEmpty());
}

/// A grant to ana under a condition.
Grant Ana(const char* expression, const char* title = "t") {
  return {"v", "user:ana@x", Condition{expression, title, ""}};
}

constexpr const char* kEndsInJune = "request.time < timestamp('2027-06-01T00:00:00Z')";
constexpr const char* kEndsInJuly = "request.time < timestamp('2027-07-01T00:00:00Z')";

std::string MemberPart(const Grant& grant) {
  return "v user:ana@x if " + ConditionOfPart(grant.condition);
}

struct WiderCase {
  const char* why;
  Grant found;
  bool wider;
};

TEST(ClaimPartsPlan, WhatPermitsMoreThanADeclaredGrantIsADifferenceOfIt) {
  const Grant declared = Ana(kEndsInJune);
  const WiderCase cases[] = {
      {"without a condition", kAna, true},
      {"in another spelling", {"v", "user:ANA@x"}, true},
      {"with a later end", Ana(kEndsInJuly), true},
      {"with an earlier end", Ana("request.time < timestamp('2027-05-01T00:00:00Z')"), false},
      {"with something else", Ana("resource.name.startsWith('b/b')"), false},
      {"of another role", {"e", "user:ana@x"}, false},
      {"of another member", kBob, false},
  };
  for (const WiderCase& c : cases) {
    for (const std::string& part :
         {MemberPart(declared), "v if " + ConditionOfPart(declared.condition)}) {
      const Claim claim = Of(part, {declared});
      const TargetPlan alone = Plan({claim}, {c.found}, /*keep_undeclared=*/true);
      ASSERT_EQ(alone.changes.size(), 1U) << c.why << part;
      EXPECT_EQ(alone.changes[0].action, c.wider ? ChangeAction::kReplace : ChangeAction::kAdd)
          << c.why;
      const TargetPlan beside = Plan({claim}, {declared, c.found}, /*keep_undeclared=*/true);
      if (!c.wider) {
        EXPECT_THAT(beside.changes, IsEmpty()) << c.why;
        continue;
      }
      EXPECT_TRUE(alone.changes[0].narrows) << c.why;
      ASSERT_EQ(beside.changes.size(), 1U) << c.why;
      EXPECT_EQ(beside.changes[0].drift_class, DriftClass::kConditionChanged);
      EXPECT_EQ(beside.changes[0].severity, Severity::kHigh);
      EXPECT_EQ(beside.changes[0].resource, part);
      EXPECT_EQ(beside.changes[0].grant, declared);
      EXPECT_THAT(beside.removes(), ElementsAre(c.found)) << c.why;
      EXPECT_THAT(beside.adds(), IsEmpty()) << c.why;
    }
  }
}

TEST(ClaimPartsPlan, AWiderGrantBesideADeclaredOneOfItsRoleIsAChangedConditionToo) {
  for (const std::string& part : {std::string("v"), std::string(kWholePolicy)}) {
    const Grant declared = Ana(kEndsInJune);
    const TargetPlan wider = Plan({Of(part, {declared})}, {declared, kAna});
    ASSERT_EQ(wider.changes.size(), 1U) << part;
    EXPECT_EQ(wider.changes[0].drift_class, DriftClass::kConditionChanged) << part;
    EXPECT_THAT(wider.removes(), ElementsAre(kAna)) << part;
    EXPECT_THAT(wider.adds(), IsEmpty()) << part;
    for (const Grant& other : {Ana("resource.name.startsWith('b/b')"), Ana(kEndsInJune, "other"),
                               Ana("request.time < timestamp('2027-05-01T00:00:00Z')")}) {
      const TargetPlan beside = Plan({Of(part, {declared})}, {declared, other});
      ASSERT_EQ(beside.changes.size(), 1U) << part;
      EXPECT_EQ(beside.changes[0].drift_class, DriftClass::kUndeclared) << part;
    }
  }
}

TEST(ClaimPartsPlan, AConditionThatIsVoidWeighsWhateverTheRole) {
  const Grant declared{"roles/pubsub.publisher", "user:ana@x", Condition{kEndsInJune, "t", ""}};
  Grant found = declared;
  const auto judge = [&](const std::optional<Condition>& condition,
                         const SeverityRules* own = nullptr) {
    found.condition = condition;
    Desired desired;
    desired.claims = {Of(declared.role, {declared})};
    if (own != nullptr) desired.severities = std::make_shared<SeverityRules>(*own);
    return DiffGrants(desired, {found}, TopicRules()).changes.at(0).severity;
  };
  EXPECT_EQ(judge(std::nullopt), Severity::kHigh);
  EXPECT_EQ(judge(Condition{kEndsInJuly, "t", ""}), Severity::kHigh);
  EXPECT_EQ(judge(Condition{"resource.name.startsWith('b/b')", "t", ""}), Severity::kMedium);
  const SeverityRules own = {{DriftClass::kConditionChanged, "", "", "", false, Severity::kLow}};
  EXPECT_EQ(judge(std::nullopt, &own), Severity::kLow) << "rules of one's own come first";
}

TEST(ClaimPartsPlan, WhatOthersDeclareOrLeftIsNoWiderGrant) {
  const Grant declared = Ana(kEndsInJune);
  const Claim claim = Of(MemberPart(declared), {declared});
  EXPECT_THAT(Plan({claim, Of(MemberPart(kAna), {kAna})}, {declared, kAna}).changes, IsEmpty());
  EXPECT_THAT(Plan({claim, Of("v if -", {kAna})}, {declared, kAna}).changes, IsEmpty());
  EXPECT_THAT(
      Plan({claim, Of(MemberPart(kAna), {}, ManagementPolicy::kPause)}, {declared, kAna}).drift(),
      IsEmpty());
}

TEST(ClaimPartsPlan, AWiderGrantIsToldOnceAndOnlyReportedWhereAllIs) {
  const Grant declared = Ana(kEndsInJune);
  const std::string part = "v if " + ConditionOfPart(declared.condition);
  const TargetPlan removed = Plan({Of(part, {declared})}, {declared, kAna});
  EXPECT_THAT(removed.changes, ::testing::SizeIs(1)) << "it is no undeclared grant as well";
  const TargetPlan observed =
      Plan({Of(part, {declared}, ManagementPolicy::kObserve)}, {declared, kAna});
  EXPECT_THAT(observed.drift(), ::testing::SizeIs(1));
  EXPECT_FALSE(observed.writes());
  const TargetPlan paused =
      Plan({Of(part, {declared}, ManagementPolicy::kPause)}, {declared, kAna});
  EXPECT_THAT(paused.drift(), IsEmpty());
  EXPECT_THAT(paused.unjudged(), ::testing::SizeIs(1));
  const TargetPlan two = Plan({Of(part, {declared})}, {declared, kAna, Ana(kEndsInJuly)});
  EXPECT_THAT(two.removes(), UnorderedElementsAre(kAna, Ana(kEndsInJuly)));
}

TEST(ClaimPartsPlan, AManifestThatChangesItsConditionIsOneChange) {
  struct Case {
    const char* why;
    Grant before;
    Grant after;
    bool narrows;
  };
  const Case cases[] = {
      {"a later end", Ana(kEndsInJune), Ana(kEndsInJuly), false},
      {"an earlier end", Ana(kEndsInJuly), Ana(kEndsInJune), true},
      {"another title", Ana(kEndsInJune), Ana(kEndsInJune, "renamed"), false},
      {"something else", Ana("resource.name.startsWith('b/a')"),
       Ana("resource.name.startsWith('b/b')"), true},
  };
  for (const Case& c : cases) {
    Claim former = Of(MemberPart(c.before), {c.before}, ManagementPolicy::kRemove);
    former.resource = "m (before generation 2)";
    former.successor = "m";
    Claim now = Of(MemberPart(c.after), {c.after});
    now.resource = "m";
    const TargetPlan plan = Plan({former, now}, {c.before});
    ASSERT_EQ(plan.changes.size(), 1U) << c.why;
    EXPECT_EQ(plan.changes[0].action, ChangeAction::kReplace) << c.why;
    EXPECT_EQ(plan.changes[0].narrows, c.narrows) << c.why;
    EXPECT_EQ(plan.changes[0].resource, "m") << c.why;
    EXPECT_EQ(plan.changes[0].former, "m (before generation 2)") << c.why;
  }
}

TEST(ClaimPartsPlan, WhatComesDoesNotWaitForWhatHasNothingToDoWithIt) {
  const Grant a = Ana("resource.name.startsWith('b/a')");
  const Grant b = Ana("resource.name.startsWith('b/b')");
  const TargetPlan plan =
      Plan({Of(MemberPart(a), {a}, ManagementPolicy::kRemove), Of(MemberPart(b), {b})}, {a});
  EXPECT_THAT(plan.changes, ::testing::SizeIs(2));
}

TEST(ClaimPartsPlan, AMemberThatGoesTakesItsOneGrant) {
  const TargetPlan plan =
      Plan({Of("v user:ana@x if -", {kAna}, ManagementPolicy::kRemove)}, {kAna, kBob, kEve});
  EXPECT_THAT(RoleTextsOf(plan.removes()), ElementsAre("v user:ana@x"));
}

TEST(ClaimPartsPlan, ADeletedMemberIsGrantedAgain) {
  const TargetPlan plan =
      Plan({Of("v user:ana@x if -", {kAna})}, {{"v", "deleted:user:ana@x?uid=1"}, kBob});
  EXPECT_THAT(plan.adds(), ElementsAre(kAna));
  EXPECT_THAT(plan.removes(), IsEmpty());
  ASSERT_EQ(plan.drift().size(), 1U);
  EXPECT_EQ(plan.drift()[0].drift_class, DriftClass::kPrincipalDeleted);
}

TEST(ClaimPartsPlan, AnAbsentMemberLosesTheRoleUnderAnyCondition) {
  Claim absent = Of("v user:ana@x if *", {});
  absent.declaration.absent = true;
  const Grant under{"v", "user:Ana@x", Condition{"e", "t", ""}};
  EXPECT_THAT(RoleTextsOf(Plan({absent}, {kAna, under, kBob}).removes()),
              ElementsAre("v user:ana@x", "v if t user:Ana@x"));
  absent.treatment = ManagementPolicy::kRemove;
  EXPECT_FALSE(Plan({absent}, {kAna, kBob}).writes()) << "its manifest went";
}

TEST(ClaimPartsPlan, ARoleThatGoesLeavesWhatOthersDeclareOfIt) {
  const TargetPlan plan =
      Plan({Of("v", {kAna, kBob}, ManagementPolicy::kRemove), Of("v user:ana@x if -", {kAna})},
           {kAna, kBob});
  EXPECT_THAT(RoleTextsOf(plan.removes()), ElementsAre("v user:bob@x"));
  EXPECT_THAT(plan.adds(), IsEmpty());
}

TEST(ClaimPartsPlan, AWholePolicyHoldsAllButTheSettings) {
  const TargetPlan plan = Plan({Of("*", {kAna})}, {kBob, kEve, kLogs});
  EXPECT_THAT(RoleTextsOf(plan.adds()), ElementsAre("v user:ana@x"));
  EXPECT_THAT(RoleTextsOf(plan.removes()), UnorderedElementsAre("v user:bob@x", "e user:eve@x"));
}

TEST(ClaimPartsPlan, AWholePolicyWithSettingsHoldsThemToo) {
  const TargetPlan plan = Plan({Of("*+", {kAna})}, {kAna, kLogs});
  EXPECT_THAT(RoleTextsOf(plan.removes()), ElementsAre("auditConfigs/allServices DATA_READ"));
  ASSERT_EQ(plan.drift().size(), 1U);
  EXPECT_EQ(plan.drift()[0].severity, Severity::kHigh);
}

TEST(ClaimPartsPlan, AWholePolicyThatGoesTakesOnlyWhatItDeclared) {
  Claim gone = Of("*", {kAna}, ManagementPolicy::kRemove);
  gone.declaration.leaves_others = true;
  EXPECT_THAT(RoleTextsOf(Plan({gone}, {kAna, kBob, kEve}).removes()), ElementsAre("v user:ana@x"));
}

TEST(ClaimPartsPlan, WhatARetainedManifestLeftBehindHidesNoOtherRemoval) {
  Claim left_behind = Of("*", {}, ManagementPolicy::kPause);
  left_behind.resource.clear();
  left_behind.declaration.leaves_others = true;
  const TargetPlan plan =
      Plan({left_behind, Of("v", {kAna}, ManagementPolicy::kRemove)}, {kAna, kBob});
  EXPECT_THAT(RoleTextsOf(plan.removes()), ElementsAre("v user:ana@x"))
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
                  .removes(),
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
  EXPECT_THAT(RoleTextsOf(plan.adds()), ElementsAre("auditConfigs/allServices DATA_READ"));
  EXPECT_THAT(RoleTextsOf(plan.removes()),
              ElementsAre("auditConfigs/allServices DATA_READ exempts user:Eve@x"));
}

TEST(ClaimPartsPlan, EachConditionOfARoleCanHaveItsOwnBinding) {
  const Grant under{"v", "user:ana@x", Condition{"e", "t", ""}};
  const std::string part = "v if {\"expression\":\"e\",\"title\":\"t\"}";
  const TargetPlan plan = Plan({Of("v if -", {kAna}), Of(part, {under})}, {kAna, under, kBob});
  EXPECT_THAT(plan.adds(), IsEmpty());
  EXPECT_THAT(RoleTextsOf(plan.removes()), ElementsAre("v user:bob@x"));
}

}  // namespace
}  // namespace bindery::reconcilers
