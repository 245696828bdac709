// The rules every kind shares, claim by claim.

#include "reconcilers/policy_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/reconcilers/iam_rules.h"

namespace bindery::reconcilers {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Rules;
using GrantTexts = std::vector<std::string>;

std::string Text(const Grant& grant) {
  return grant.role + " " + grant.principal +
         (grant.condition ? " if " + grant.condition->expression : "");
}
GrantTexts GetTexts(const std::vector<Grant>& grants) {
  GrantTexts texts;
  for (const Grant& grant : grants) texts.push_back(Text(grant));
  return texts;
}
/// "class resource grant: desired -> observed"
GrantTexts FindDrift(const std::vector<DriftItem>& drift) {
  GrantTexts texts;
  for (const DriftItem& item : drift) {
    texts.push_back(std::string(ToString(item.drift_class)) + " [" + item.resource + "] " +
                    Text(item.grant) + ": " + item.desired + " -> " + item.observed);
  }
  return texts;
}

GrantTexts FindDrift(const TargetPlan& plan) { return FindDrift(plan.drift()); }

/// What stays, though nobody declares it.
std::vector<GrantChange> KeptIn(const TargetPlan& plan) {
  std::vector<GrantChange> kept;
  for (const GrantChange& change : plan.changes) {
    if (change.IsStoppedBy(Gate::kProtectedPrincipals)) kept.push_back(change);
  }
  return kept;
}

Claim Claims(const std::string& role, std::vector<Grant> grants,
             ManagementPolicy treatment = ManagementPolicy::kEnforce) {
  return {"m-" + role, {"target", role, std::move(grants)}, treatment};
}
Desired Wants(std::vector<Claim> claims, bool keep = false) {
  Desired desired;
  desired.claims = std::move(claims);
  desired.keep_undeclared = keep;
  return desired;
}
Condition If(const std::string& expression, const std::string& title = "") {
  return {expression, title, ""};
}

TEST(DiffGrants, AConditionThatIsOnlyCalledOtherwiseIsALowDifference) {
  const Grant declared{"roles/owner", "user:a", If("x < 2", "until-two")};
  const auto judged = [&](const Condition& there, Desired desired) {
    return DiffGrants(desired, {{"roles/owner", "user:a", there}}, Rules()).drift().at(0).severity;
  };
  Desired wants = Wants({Claims("roles/owner", {declared})});
  EXPECT_EQ(judged(If("x < 2", "until-2"), wants), Severity::kLow);
  EXPECT_EQ(judged(If("x < 3", "until-two"), wants), Severity::kCritical);
  wants.severities = std::make_shared<const SeverityRules>(
      SeverityRules{{std::nullopt, "", "roles/*", "", false, Severity::kMedium}});
  EXPECT_EQ(judged(If("x < 3", "until-two"), wants), Severity::kMedium) << "as configured";
}

TEST(DiffGrants, OrderDuplicatesAndCaseAreNoDrift) {
  const TargetPlan plan =
      DiffGrants(Wants({Claims("v", {{"v", "user:a@x"}, {"v", "user:b@x"}, {"v", "user:A@x"}})}),
                 {{"v", "user:B@X"}, {"v", "user:a@x"}, {"v", "user:b@x"}}, Rules());
  EXPECT_THAT(plan.drift(), IsEmpty());
  EXPECT_FALSE(plan.writes());
}

TEST(DiffGrants, MissingAndUndeclaredAreRepaired) {
  const TargetPlan plan = DiffGrants(Wants({Claims("v", {{"v", "user:a"}, {"v", "user:b"}})}),
                                     {{"v", "user:Eve"}, {"v", "user:b"}}, Rules());
  EXPECT_THAT(FindDrift(plan), ElementsAre("missing [m-v] v user:a: granted -> absent",
                                           "undeclared [m-v] v user:Eve: absent -> granted"));
  EXPECT_THAT(GetTexts(plan.adds()), ElementsAre("v user:a"));
  EXPECT_THAT(GetTexts(plan.removes()), ElementsAre("v user:Eve")) << "as it is spelled there";
}

TEST(DiffGrants, AnotherConditionIsOneDifferenceNotTwo) {
  const TargetPlan plan =
      DiffGrants(Wants({Claims("v", {{"v", "user:a", If("x < 1", "soon")}})}),
                 {{"v", "user:A", If("x < 2")}, {"v", "user:a", If("x < 3")}}, Rules());
  EXPECT_THAT(FindDrift(plan),
              ElementsAre("condition-changed [m-v] v user:a if x < 1: granted if soon: x < 1 -> "
                          "granted if x < 2",
                          "undeclared [m-v] v user:a if x < 3: absent -> granted if x < 3"));
  EXPECT_THAT(GetTexts(plan.adds()), ElementsAre("v user:a if x < 1"));
  EXPECT_THAT(GetTexts(plan.removes()), ElementsAre("v user:A if x < 2", "v user:a if x < 3"));
}

TEST(DiffGrants, AConditionThatCameOrWentIsAChange) {
  const Grant plain{"v", "user:a"};
  const Grant conditional{"v", "user:a", If("e")};
  EXPECT_THAT(FindDrift(DiffGrants(Wants({Claims("v", {plain})}), {conditional}, Rules())),
              ElementsAre("condition-changed [m-v] v user:a: granted -> granted if e"));
  EXPECT_THAT(FindDrift(DiffGrants(Wants({Claims("v", {conditional})}), {plain}, Rules())),
              ElementsAre("condition-changed [m-v] v user:a if e: granted if e -> granted"));
}

TEST(DiffGrants, APrincipalThatIsShownAsDeletedIsGrantedTheRoleAsItMayExistAgain) {
  const TargetPlan plan = DiffGrants(Wants({Claims("v", {{"v", "user:Ana@x"}})}),
                                     {{"v", "deleted:user:ana@x?uid=1"}}, Rules());
  EXPECT_THAT(GetTexts(plan.adds()), ElementsAre("v user:Ana@x"));
  EXPECT_THAT(plan.removes(), IsEmpty()) << "the write takes the tombstone along";
  EXPECT_THAT(FindDrift(plan), ElementsAre("principal-deleted [m-v] v user:Ana@x: granted -> "
                                           "deleted: deleted:user:ana@x?uid=1"));
}

TEST(DiffGrants, ADeletedPrincipalNobodyDeclaresIsNoDifference) {
  for (const bool keep : {false, true}) {
    const TargetPlan plan = DiffGrants(
        Wants({Claims("v", {{"v", "user:a"}})}, keep),
        {{"v", "user:a"}, {"v", "deleted:user:b?uid=1"}, {"w", "deleted:user:b?uid=1"}}, Rules());
    EXPECT_THAT(plan.drift(), IsEmpty());
    EXPECT_FALSE(plan.writes());
  }
}

struct ManagementPolicyCase {
  const char* name;
  const char* why;
  ManagementPolicy treatment;
  std::size_t drift;
  std::size_t adds;
  std::size_t removes;
};
class ManagementPolicies : public ::testing::TestWithParam<ManagementPolicyCase> {};

/// One claim with one grant missing and one too many, beside a role nobody claims.
TEST_P(ManagementPolicies, DecideWhatIsReportedAndRepaired) {
  SCOPED_TRACE(GetParam().why);
  const TargetPlan plan = DiffGrants(Wants({Claims("v", {{"v", "user:a"}}, GetParam().treatment)}),
                                     {{"v", "user:eve"}, {"owner", "user:eve"}}, Rules());
  EXPECT_EQ(plan.drift().size(), GetParam().drift);
  EXPECT_EQ(plan.adds().size(), GetParam().adds);
  EXPECT_EQ(plan.removes().size(), GetParam().removes);
}

INSTANTIATE_TEST_SUITE_P(
    All, ManagementPolicies,
    ::testing::Values(
        ManagementPolicyCase{"Enforce", "all is repaired, what nobody claims too",
                             ManagementPolicy::kEnforce, 3, 1, 2},
        ManagementPolicyCase{"Observe", "all is reported", ManagementPolicy::kObserve, 3, 0, 0},
        ManagementPolicyCase{"Freeze", "nothing is said or done", ManagementPolicy::kPause, 0, 0,
                             0},
        ManagementPolicyCase{"Remove", "the claim is emptied; what others put there stays",
                             ManagementPolicy::kRemove, 1, 0, 1},
        ManagementPolicyCase{"ObserveRemoved", "what the claim left is reported",
                             ManagementPolicy::kObserveRemoved, 1, 0, 0}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(DiffGrants, UndeclaredRolesAreKeptWhereSoAsked) {
  const TargetPlan plan = DiffGrants(Wants({Claims("v", {{"v", "user:a"}})}, /*keep=*/true),
                                     {{"v", "user:a"}, {"owner", "user:eve"}}, Rules());
  EXPECT_THAT(plan.drift(), IsEmpty());
  EXPECT_FALSE(plan.writes());
}

TEST(DiffGrants, AFrozenRoleIsNotUndeclared) {
  const TargetPlan plan = DiffGrants(
      Wants({Claims("v", {{"v", "user:a"}}), Claims("owner", {}, ManagementPolicy::kPause)}),
      {{"v", "user:a"}, {"owner", "user:eve"}, {"odd", "user:eve"}}, Rules());
  EXPECT_THAT(GetTexts(plan.removes()), ElementsAre("odd user:eve"));
  EXPECT_THAT(FindDrift(plan), ElementsAre("undeclared [] odd user:eve: absent -> granted"));
  EXPECT_THAT(FindDrift(plan.unjudged()),
              ElementsAre("undeclared [m-owner] owner user:eve: absent -> granted"));
}

TEST(DiffGrants, WhatCannotBeToldToBeUndeclaredIsNotJudged) {
  const std::vector<Grant> observed{{"v", "user:a"}, {"odd", "user:eve"}};
  Desired doubtful = Wants({Claims("v", {{"v", "user:a"}})}, /*keep=*/true);
  doubtful.undeclared_in_doubt = true;
  const Desired frozen = Wants({Claims("v", {{"v", "user:a"}}, ManagementPolicy::kPause)});
  for (const Desired& desired : {doubtful, frozen}) {
    const TargetPlan plan = DiffGrants(desired, observed, Rules());
    EXPECT_FALSE(plan.writes());
    EXPECT_THAT(FindDrift(plan), IsEmpty());
    EXPECT_THAT(FindDrift(plan.unjudged()),
                ElementsAre("undeclared [] odd user:eve: absent -> granted"));
  }
}

TEST(DiffGrants, BesideAnEnforcedClaimOneThatGoesTakesOnlyItsOwn) {
  const TargetPlan plan =
      DiffGrants(Wants({Claims("v", {{"v", "user:a"}}),
                        Claims("old", {{"old", "user:a"}}, ManagementPolicy::kRemove)}),
                 {{"v", "user:a"}, {"old", "user:a"}, {"old", "user:eve"}}, Rules());
  EXPECT_THAT(GetTexts(plan.removes()), ElementsAre("old user:a", "old user:eve"));
  EXPECT_EQ(plan.drift().at(0).resource, "m-old");
}

TEST(DiffGrants, AClaimOnTheWholePolicyLeavesNothingUndeclared) {
  const TargetPlan plan =
      DiffGrants(Wants({{"m", {"t", "*", {{"viewer", "user:a"}, {"editor", "user:b"}}}}}),
                 {{"viewer", "user:b"}, {"editor", "user:b"}, {"owner", "user:c"}}, Rules());
  EXPECT_THAT(GetTexts(plan.adds()), ElementsAre("viewer user:a"));
  EXPECT_THAT(GetTexts(plan.removes()), ElementsAre("viewer user:b", "owner user:c"));
  for (const DriftItem& item : plan.drift()) EXPECT_EQ(item.resource, "m");
}

TEST(DiffExactly, BringsARecordedPolicyBack) {
  const TargetPlan plan =
      DiffExactly({}, {{"v", "user:a"}, {"w", "user:a", If("e")}, {"x", "user:Same"}},
                  {{"v", "user:b"}, {"w", "user:a"}, {"x", "user:same"}}, Rules());
  EXPECT_THAT(GetTexts(plan.adds()), ElementsAre("v user:a", "w user:a if e"));
  EXPECT_THAT(GetTexts(plan.removes()), ElementsAre("w user:a", "v user:b"));
  EXPECT_THAT(plan.drift(), IsEmpty());
}

TEST(DiffExactly, SaysHowTheRecordedPolicyDiffersFromWhatIsDeclaredWithoutJudgingIt) {
  const TargetPlan plan = DiffExactly(Wants({Claims("v", {{"v", "user:a"}})}), {{"w", "user:b"}},
                                      {{"w", "user:b"}}, Rules());
  EXPECT_FALSE(plan.writes());
  EXPECT_THAT(plan.drift(), IsEmpty());
  EXPECT_THAT(FindDrift(plan.unjudged()), ElementsAre("missing [m-v] v user:a: granted -> absent",
                                                      "undeclared [] w user:b: absent -> granted"));
}

TEST(DiffExactly, NeverWritesADeletedPrincipalNorForTheSakeOfOne) {
  Desired desired = Wants({Claims("v", {})});
  const Grant tombstone{"v", "deleted:user:a?uid=1"};
  EXPECT_FALSE(DiffExactly(desired, {tombstone}, {}, Rules()).writes());
  EXPECT_FALSE(DiffExactly(desired, {tombstone}, {tombstone}, Rules()).writes());
  EXPECT_FALSE(DiffExactly(desired, {}, {tombstone}, Rules()).writes());
  EXPECT_FALSE(DiffExactly(desired, {{"v", "user:a"}}, {tombstone}, Rules()).writes())
      << "the policy comes back as a whole or not at all";
  EXPECT_FALSE(DiffExactly(desired, {{"w", "user:a"}}, {tombstone}, Rules()).writes());
}

TEST(DiffExactly, ComparesTwoPoliciesWithTheirTombstones) {
  const TargetPlan plan =
      DiffExactly({}, {{"v", "user:a"}}, {{"v", "deleted:user:a?uid=1"}}, Rules());
  EXPECT_THAT(GetTexts(plan.adds()), ElementsAre("v user:a"));
  EXPECT_THAT(GetTexts(plan.removes()), ElementsAre("v deleted:user:a?uid=1"));
}

TEST(PolicyDiff, WhatTheProviderGrantsItselfStaysAndIsNoDifference) {
  DiffRules rules = Rules();
  rules.keeps = [](const Grant& grant, const Desired& /*desired*/) {
    return grant.principal == "serviceAccount:agent@x" ? std::optional(KeptAs::kServiceAgent)
                                                       : std::nullopt;
  };
  const Desired desired = Wants({Claims("r", {{"r", "user:a"}})}, /*keep=*/true);
  const std::vector<Grant> observed = {
      {"r", "user:a"}, {"r", "serviceAccount:agent@x"}, {"r", "serviceAccount:other@x"}};
  const TargetPlan plan = DiffGrants(desired, observed, rules);
  EXPECT_THAT(GetTexts(plan.removes()), ElementsAre("r serviceAccount:other@x"));
  EXPECT_THAT(plan.drift(), ::testing::SizeIs(1));
  const std::vector<GrantChange> kept = KeptIn(plan);
  ASSERT_THAT(kept, ::testing::SizeIs(1));
  EXPECT_EQ(Text(kept[0].grant), "r serviceAccount:agent@x");
  EXPECT_EQ(kept[0].reason.code, ReasonCode::kServiceAgent);
}

TEST(PolicyDiff, WhatMayBeTheProvidersOwnIsADifferenceThatNoWriteRemoves) {
  DiffRules rules = Rules();
  rules.keeps = [](const Grant& grant, const Desired& /*desired*/) {
    return grant.principal == "serviceAccount:agent@x" ? std::optional(KeptAs::kUnknownAgent)
                                                       : std::nullopt;
  };
  Desired desired = Wants({Claims("r", {{"r", "user:a"}})});
  const std::vector<Grant> observed = {
      {"r", "user:a"}, {"r", "serviceAccount:agent@x"}, {"undeclared", "serviceAccount:agent@x"}};
  const TargetPlan plan = DiffGrants(desired, observed, rules);
  EXPECT_THAT(plan.removes(), IsEmpty());
  EXPECT_THAT(plan.drift(), ::testing::SizeIs(2));
  EXPECT_THAT(KeptIn(plan), ::testing::SizeIs(2));
  ProtectedPrincipals configured;
  configured.remove = {"serviceAccount:agent@x"};
  desired.protected_principals = std::make_shared<const ProtectedPrincipals>(configured);
  EXPECT_THAT(DiffGrants(desired, observed, rules).removes(), ::testing::SizeIs(2))
      << "if asked to";
}

TEST(PolicyDiff, TheConfigurationDecidesByConditions) {
  const auto timed = [](const std::string& role, const std::string& member) {
    return Grant{role, member, If(R"(request.time < timestamp("2026-11-29T12:00:00Z"))", "temp")};
  };
  const std::vector<Grant> observed = {{"r", "user:a"},
                                       timed("r", "user:b"),
                                       timed("undeclared", "user:c"),
                                       {"undeclared", "user:d"}};
  Desired desired = Wants({Claims("r", {{"r", "user:a"}})}, /*keep=*/true);
  desired.now = WallTime(std::chrono::seconds(1'795'946'400));  // 2026-11-29T10:00:00Z
  const auto removed = [&] { return GetTexts(DiffGrants(desired, observed, Rules()).removes()); };
  EXPECT_THAT(removed(), ElementsAre(Text(observed[1])));
  desired.by_condition = {{{"temp", "", std::chrono::hours(1)}, UndeclaredRoles::kKeep}};
  EXPECT_THAT(removed(), ElementsAre(Text(observed[1]))) << "it ends later";
  desired.by_condition[0].condition.ends_within = std::chrono::hours(2);
  EXPECT_THAT(removed(), IsEmpty());
  desired.by_condition[0].undeclared = UndeclaredRoles::kRemove;
  EXPECT_THAT(removed(), ElementsAre(Text(observed[1]), Text(observed[2])));
  desired.by_condition.clear();
  ProtectedPrincipals configured;
  configured.grants = {{"user:B", {"temp"}}};
  desired.protected_principals = std::make_shared<const ProtectedPrincipals>(configured);
  EXPECT_THAT(removed(), IsEmpty());
  configured.grants[0].principal = "user:x";
  desired.protected_principals = std::make_shared<const ProtectedPrincipals>(configured);
  EXPECT_THAT(removed(), ElementsAre(Text(observed[1])));
}

TEST(PolicyDiff, TheConfigurationProtectsPrincipalsAndTakesProtectionAway) {
  DiffRules rules = Rules();
  rules.keeps = [](const Grant& grant, const Desired& /*desired*/) {
    return grant.principal == "serviceAccount:agent@x" ? std::optional(KeptAs::kServiceAgent)
                                                       : std::nullopt;
  };
  ProtectedPrincipals configured;
  configured.add = {"user:Glass"};
  configured.remove = {"serviceAccount:agent@*"};
  Desired desired = Wants({Claims("r", {{"r", "user:a"}})});
  desired.protected_principals = std::make_shared<const ProtectedPrincipals>(configured);
  const std::vector<Grant> observed = {{"r", "user:a"},
                                       {"r", "serviceAccount:agent@x"},
                                       {"r", "user:GLASS"},
                                       {"undeclared", "user:glass"}};
  const TargetPlan plan = DiffGrants(desired, observed, rules);
  EXPECT_THAT(GetTexts(plan.removes()), ElementsAre("r serviceAccount:agent@x"));
  ASSERT_THAT(KeptIn(plan), ::testing::SizeIs(2));
  EXPECT_EQ(KeptIn(plan)[0].reason.code, ReasonCode::kProtected);
  desired.restore = Json::object();
  EXPECT_THAT(GetTexts(DiffExactly(desired, {}, observed, rules).removes()),
              ElementsAre("r user:a", "r serviceAccount:agent@x"))
      << "nor does a rollback remove them";
  Desired named = Wants({Claims("r", {{"r", "user:glass", If("x")}})});
  named.protected_principals = desired.protected_principals;
  EXPECT_THAT(GetTexts(DiffGrants(named, {{"r", "user:glass"}}, rules).removes()),
              ElementsAre("r user:glass"))
      << "a manifest names the very principal";
}

}  // namespace
}  // namespace bindery::reconcilers
