// Access that a service gives on request: what stays, what is asked, and what only looks so.

#include "reconcilers/just_in_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "providers/google/rows/iam_kinds.h"
#include "unit/reconcilers/iam_rules.h"

namespace bindery::reconcilers {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Rules;
using ::testing::SizeIs;

using std::chrono::hours;
using std::chrono::minutes;

const WallTime kNow{std::chrono::seconds(1'800'000'000)};

/// An expression is the hour, counted from kNow, in which it ends; the mark is the title.
class Service final : public JustInTimeService {
 public:
  [[nodiscard]] std::optional<JustInTimeForm> FindForm(const Grant& grant) const override {
    if (grant.condition->expression == "always") return std::nullopt;
    const std::string& end = grant.condition->expression;
    return JustInTimeForm{kNow + hours(end.starts_with("request.time") ? 1 : std::stoi(end)),
                          grant.condition->title == "mark", "the service"};
  }
  [[nodiscard]] JustInTimeAnswers Ask(const cloud::Connection& /*connection*/,
                                      const JustInTimeQuestion& /*question*/) const override {
    return {};
  }
  [[nodiscard]] Expected<std::vector<std::string>> MissingPermissions(
      const cloud::Connection& /*connection*/, const std::string& /*target*/,
      std::chrono::milliseconds /*timeout*/) const override {
    return std::vector<std::string>();
  }
};

DiffRules TimedRules() {
  static const Service kService;
  DiffRules rules = Rules();
  rules.just_in_time = &kService;
  return rules;
}

Grant Timed(const std::string& member, const std::string& end = "1",
            const std::string& title = "mark") {
  return {"r", member, Condition{end, title, ""}};
}

Claim ClaimsPart(const std::string& part, std::vector<Grant> grants,
                 ManagementPolicy treatment = ManagementPolicy::kEnforce) {
  return {"m", {"projects/p", part, std::move(grants)}, treatment};
}

Desired WantsTimed(std::vector<Claim> claims, JustInTimeAnswers answers = {},
                   JustInTimeProof proof = JustInTimeProof::kGrant) {
  Desired desired;
  desired.claims = std::move(claims);
  desired.keep_undeclared = true;
  desired.just_in_time = std::make_shared<const JustInTime>(JustInTime{proof, std::move(answers)});
  return desired;
}

/// What is listed as access on request.
std::vector<GrantChange> ListedIn(const TargetPlan& plan) {
  std::vector<GrantChange> listed;
  for (const GrantChange& change : plan.changes) {
    if (GetRecordKind(change) == DriftRecordKind::kJustInTime) listed.push_back(change);
  }
  return listed;
}

TEST(JustInTime, ADeletedPrincipalHasNoneWhateverTheForm) {
  const Grant deleted = Timed("deleted:user:x?uid=1");
  const std::vector<JustInTimeAnswers> known = {
      {}, {{deleted, JustInTimeAnswer::Verdict::kNone, "", {}}}};
  for (const JustInTimeAnswers& answers : known) {
    const TargetPlan plan =
        DiffGrants(WantsTimed({ClaimsPart("r", {})}, answers), {deleted}, TimedRules());
    EXPECT_THAT(plan.changes, IsEmpty()) << "a tombstone, which is no difference";
  }
}

TEST(JustInTime, WhatTheServiceSaysDecides) {
  struct Case {
    const char* name;
    Grant grant;
    std::optional<JustInTimeAnswer::Verdict> verdict;
    std::optional<ReasonCode> as;
    bool removed;
  };
  const std::vector<Case> cases = {
      {"an active one stays", Timed("user:x"), JustInTimeAnswer::Verdict::kActive,
       ReasonCode::kJustInTime, false},
      {"one that is not known goes", Timed("user:x"), JustInTimeAnswer::Verdict::kNone,
       std::nullopt, true},
      {"one that is not told of stays", Timed("user:x"), JustInTimeAnswer::Verdict::kNotTold,
       ReasonCode::kJustInTimeInDoubt, false},
      {"one that was not asked about stays", Timed("user:x"), std::nullopt,
       ReasonCode::kJustInTimeInDoubt, false},
      {"an active one without the mark stays", Timed("user:x", "1", "other"),
       JustInTimeAnswer::Verdict::kActive, ReasonCode::kJustInTime, false},
      {"without the mark the service has to know it", Timed("user:x", "1", "other"),
       JustInTimeAnswer::Verdict::kNotTold, std::nullopt, true},
      {"what does not end is none", Timed("user:x", "always"), std::nullopt, std::nullopt, true},
      {"what is over and not told of stays: it gives nothing", Timed("user:x", "-1"),
       JustInTimeAnswer::Verdict::kNotTold, ReasonCode::kJustInTimeInDoubt, false},
      {"what is over and not known goes", Timed("user:x", "-1"), JustInTimeAnswer::Verdict::kNone,
       std::nullopt, true},
  };
  for (const Case& one : cases) {
    JustInTimeAnswers answers;
    if (one.verdict) answers.push_back({one.grant, *one.verdict, "detail", kNow + hours(1)});
    const Desired desired = WantsTimed({ClaimsPart("r", {{"r", "user:a"}})}, answers);
    const TargetPlan plan = DiffGrants(desired, {{"r", "user:a"}, one.grant}, TimedRules());
    EXPECT_EQ(!plan.removes().empty(), one.removed) << one.name;
    EXPECT_EQ(!plan.drift().empty(), one.removed) << one.name;
    const std::vector<GrantChange> listed = ListedIn(plan);
    ASSERT_EQ(listed.size(), one.as ? 1U : 0U) << one.name;
    if (!one.as) continue;
    EXPECT_EQ(listed[0].reason.code, *one.as) << one.name;
    EXPECT_TRUE(listed[0].IsStoppedBy(Gate::kJustInTime)) << one.name;
    EXPECT_EQ(listed[0].state, DriftState::kAccepted) << one.name;
    EXPECT_EQ(listed[0].resource, "m") << one.name;
    EXPECT_TRUE(listed[0].acceptance->until) << one.name;
  }
}

TEST(JustInTime, ByFormTheMarkIsEnough) {
  const std::vector<Grant> observed = {Timed("user:x"), Timed("user:y", "1", "other"),
                                       Timed("user:z", "-1")};
  const Desired desired = WantsTimed({ClaimsPart("r", {})}, {}, JustInTimeProof::kForm);
  const TargetPlan plan = DiffGrants(desired, observed, TimedRules());
  EXPECT_THAT(plan.removes(), ElementsAre(observed[1]));
  EXPECT_THAT(ListedIn(plan), SizeIs(2));
}

TEST(JustInTime, NoClaimTakesItForItsOwn) {
  const Grant access = Timed("user:a");
  const JustInTimeAnswers answers = {
      {access, JustInTimeAnswer::Verdict::kActive, "g", kNow + hours(1)}};
  const std::vector<std::vector<Claim>> all = {
      {ClaimsPart("r", {{"r", "user:a"}})},
      {ClaimsPart("r if -", {{"r", "user:a"}})},
      {ClaimsPart("r user:a if -", {{"r", "user:a"}})},
      {ClaimsPart("r user:a if *", {})},
      {ClaimsPart("*", {{"r", "user:a"}})},
      {ClaimsPart("r", {{"r", "user:a"}}, ManagementPolicy::kRemove)},
      {ClaimsPart("other", {})},
  };
  for (const std::vector<Claim>& claims : all) {
    for (const bool keep : {true, false}) {
      Desired desired = WantsTimed(claims, answers);
      desired.keep_undeclared = keep;
      const TargetPlan plan = DiffGrants(desired, {access}, TimedRules());
      EXPECT_THAT(plan.removes(), IsEmpty()) << claims[0].declaration.role;
      EXPECT_THAT(ListedIn(plan), SizeIs(1)) << claims[0].declaration.role;
      for (const DriftItem& item : plan.drift()) {
        EXPECT_EQ(item.drift_class, DriftClass::kMissing) << claims[0].declaration.role;
      }
    }
  }
}

TEST(JustInTime, WhatAManifestDeclaresJustSoIsDeclared) {
  const Grant declared = Timed("user:a");
  const Desired desired = WantsTimed({ClaimsPart("r", {declared})});
  EXPECT_THAT(DiffGrants(desired, {declared}, TimedRules()).changes, IsEmpty());
  EXPECT_THAT(DiffGrants(desired, {}, TimedRules()).adds(), ElementsAre(declared));
}

TEST(JustInTime, AnImitationIsToldWhereverItIs) {
  const Grant imitation = Timed("user:eve");
  const JustInTimeAnswers answers = {{imitation, JustInTimeAnswer::Verdict::kNone}};
  struct Case {
    const char* part;
    bool keep;
    bool removed;
  };
  const std::vector<Case> cases = {{"r", true, true},       {"*", true, true},
                                   {"r if -", true, false}, {"r user:a if -", true, false},
                                   {"other", true, false},  {"other", false, true},
                                   {"r if -", false, true}, {"r user:a if -", false, false}};
  for (const Case& one : cases) {
    Desired desired = WantsTimed({ClaimsPart(one.part, {})}, answers);
    desired.keep_undeclared = one.keep;
    const TargetPlan plan = DiffGrants(desired, {imitation}, TimedRules());
    const std::vector<DriftItem> drift = plan.drift();
    ASSERT_THAT(drift, SizeIs(1)) << one.part << one.keep;
    EXPECT_EQ(drift[0].drift_class, DriftClass::kUndeclared) << one.part;
    EXPECT_GE(drift[0].severity, Severity::kHigh) << one.part;
    EXPECT_EQ(drift[0].cause, DriftCause::kForeign) << one.part;
    EXPECT_EQ(!plan.removes().empty(), one.removed) << one.part << one.keep;
    EXPECT_EQ(plan.IsStoppedBy(Gate::kJustInTime), !one.removed) << one.part << one.keep;
  }
  const Desired paused = WantsTimed({ClaimsPart("other", {}, ManagementPolicy::kPause)}, answers);
  EXPECT_THAT(DiffGrants(paused, {imitation}, TimedRules()).drift(), IsEmpty());
}

TEST(JustInTime, AnImitationInPlaceOfADeclaredGrantIsOneChange) {
  const Grant imitation = Timed("user:a");
  const Desired desired = WantsTimed({ClaimsPart("r", {{"r", "user:a"}})},
                                     {{imitation, JustInTimeAnswer::Verdict::kNone}});
  const TargetPlan plan = DiffGrants(desired, {imitation}, TimedRules());
  ASSERT_THAT(plan.changes, SizeIs(1));
  EXPECT_EQ(plan.changes[0].action, ChangeAction::kReplace);
  EXPECT_EQ(plan.changes[0].before, imitation);
  EXPECT_EQ(plan.changes[0].cause, DriftCause::kForeign);
  EXPECT_GE(plan.changes[0].severity, Severity::kHigh);
}

TEST(JustInTime, AnActiveOneIsNoWiderFormOfADeclaredGrant) {
  const auto until = [](const char* end, const char* title) {
    return Grant{"r", "user:a",
                 Condition{std::string("request.time < timestamp(\"") + end + "\")", title, ""}};
  };
  const Grant declared = until("2027-01-01T00:00:00Z", "declared");
  const Grant active = until("2028-01-01T00:00:00Z", "mark");
  const std::string part = "r user:a if " + ConditionOfPart(declared.condition);
  Desired desired =
      WantsTimed({ClaimsPart(part, {declared})},
                 {{active, JustInTimeAnswer::Verdict::kActive, "g", kNow + hours(1)}});
  EXPECT_FALSE(DiffGrants(desired, {declared, active}, TimedRules()).writes());
  // The same is drift where the service does not know it: it permits more than is declared.
  desired =
      WantsTimed({ClaimsPart(part, {declared})}, {{active, JustInTimeAnswer::Verdict::kNone}});
  const TargetPlan plan = DiffGrants(desired, {declared, active}, TimedRules());
  ASSERT_THAT(plan.drift(), SizeIs(1));
  EXPECT_EQ(plan.drift()[0].drift_class, DriftClass::kConditionChanged);
  EXPECT_THAT(plan.removes(), ElementsAre(active));
}

TEST(JustInTime, ARollbackNeitherTakesItNorBringsItBack) {
  const Grant active = Timed("user:a");
  const Grant over = Timed("user:b", "-5");
  const Grant eve = Timed("user:eve");
  Desired desired = WantsTimed(
      {ClaimsPart("r", {})},
      {{active, JustInTimeAnswer::Verdict::kActive, "g"}, {eve, JustInTimeAnswer::Verdict::kNone}});
  desired.restore = Json::object();
  const TargetPlan plan = DiffExactly(desired, {{"r", "user:c"}, over, Timed("user:d"), eve},
                                      {active, eve}, TimedRules());
  EXPECT_THAT(plan.adds(), ElementsAre(Grant{"r", "user:c"}));
  EXPECT_THAT(plan.removes(), ElementsAre(eve));
  EXPECT_THAT(ListedIn(plan), SizeIs(1));
}

TEST(JustInTime, OnlyWhatMattersIsAsked) {
  const auto asked_about = [](const JustInTimeAnswers& questions) {
    std::vector<Grant> grants;
    for (const JustInTimeAnswer& one : questions) grants.push_back(one.grant);
    return grants;
  };
  const auto kind = google::MakeIamBinding(*google::FindIamRow("cloudresourcemanager/v3:Project"));
  const auto timed = [](const std::string& member, const std::string& title) {
    return Grant{"roles/r", member,
                 Condition{R"(request.time < timestamp("2026-11-29T12:00:00Z"))", title, ""}};
  };
  const Grant marked = timed("user:a@x.com", "Created by: PAM");
  const Grant unmarked = timed("user:b@x.com", "other");
  const Grant declared = timed("user:c@x.com", "Created by: PAM");
  Grant elsewhere = timed("user:d@x.com", "other");
  elsewhere.role = "roles/undeclared";
  Observation now;
  now.grants = {marked, unmarked, declared, elsewhere, {"roles/r", "user:e@x.com"}};
  Desired desired = WantsTimed({ClaimsPart("roles/r", {declared})});
  EXPECT_THAT(asked_about(JustInTimeQuestions(*kind, desired, now)), ElementsAre(marked, unmarked));
  desired = WantsTimed({ClaimsPart("roles/r", {declared})}, {}, JustInTimeProof::kForm);
  EXPECT_THAT(JustInTimeQuestions(*kind, desired, now), IsEmpty());
  desired.just_in_time = nullptr;
  EXPECT_THAT(JustInTimeQuestions(*kind, desired, now), IsEmpty());
}

}  // namespace
}  // namespace bindery::reconcilers
