#include "report/explain/explain_report.h"

#include <gmock/gmock.h>

#include <sstream>
#include <string>

#include "report/forms/texts.h"
#include "unit/report/explain/explain_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using testing::Binding;
using testing::ExplainReportTest;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IamTarget;
using testing::IsOk;
using testing::Now;

PlannedGrant Planned(const char* role, const char* member) {
  PlannedGrant planned;
  planned.grant = {role, member};
  return planned;
}

PlanLine PaymentsUpdate() {
  PlanLine change;
  change.target = testing::kPayments;
  change.action = PlanAction::kUpdate;
  return change;
}

PassPlan PlanWith(const PlanLine& change) {
  PassPlan plan;
  plan.changes = {change};
  return plan;
}

TEST_F(ExplainReportTest, EachGrantHasAState) {
  resource_.status.state = ResourceState::kReconciling;
  EXPECT_THAT(States(), ::testing::ElementsAre("unknown user:ana@example.com",
                                               "unknown user:bob@example.com"));
  Read(R"([{"role":"roles/viewer","members":["user:Ana@example.com","user:eve@example.com"]},
           {"role":"roles/editor","members":["user:zoe@example.com"]}])");
  EXPECT_THAT(States(), ::testing::ElementsAre("in force user:ana@example.com",
                                               "missing user:bob@example.com",
                                               "undeclared user:eve@example.com"));
}

TEST_F(ExplainReportTest, AConditionSaysHowAGrantStandsToTheTime) {
  struct Case {
    const char* expression;
    const char* state;
  };
  const Case kCases[] = {
      {"request.time < timestamp('2027-01-01T00:00:00Z')", "in force"},
      {"request.time > timestamp('2027-01-01T00:00:00Z')", "not yet"},
      {"request.time < timestamp('2026-01-01T00:00:00Z')", "expired"},
      {"request.time < timestamp('2026-01-01T00:00:00Z') && "
       "request.time > timestamp('2027-01-01T00:00:00Z')",
       "never"},
  };
  for (const Case& test : kCases) {
    SCOPED_TRACE(test.expression);
    Json spec = {{"members", {"user:ana@example.com"}},
                 {"role", "roles/viewer"},
                 {"condition", {{"title", "t"}, {"expression", test.expression}}}};
    resource_.spec = spec.dump();
    Read(Json::array({spec}).dump());
    EXPECT_THAT(States(),
                ::testing::ElementsAre(std::string(test.state) + " user:ana@example.com"));
  }
}

TEST_F(ExplainReportTest, TellsAConditionThatDiffersFromAGrantThatIsMissing) {
  resource_.status.state = ResourceState::kReconciling;
  Read(R"([{"role":"roles/viewer","members":["user:ana@example.com"],
            "condition":{"title":"until-june","expression":"false"}},
           {"role":"roles/viewer","members":["deleted:user:bob@example.com?uid=1"]}])");
  EXPECT_THAT(States(), ::testing::ElementsAre("condition differs user:ana@example.com",
                                               "principal deleted user:bob@example.com",
                                               "undeclared user:ana@example.com"))
      << "the deleted principal once";
}

TEST_F(ExplainReportTest, ADeletedPrincipalThatNobodyDeclaresIsNoGrant) {
  resource_.status.state = ResourceState::kReconciling;
  Read(R"([{"role":"roles/viewer","members":["user:ana@example.com","user:bob@example.com",
            "deleted:user:bob@example.com?uid=1","deleted:user:eve@example.com?uid=2"]}])");
  EXPECT_THAT(States(), ::testing::ElementsAre(
                            "in force user:ana@example.com", "in force user:bob@example.com",
                            "principal deleted deleted:user:bob@example.com?uid=1",
                            "principal deleted deleted:user:eve@example.com?uid=2"));
}

TEST_F(ExplainReportTest, AnAuditConfigurationIsExplainedLikeGrants) {
  resource_.token.kind = "AuthorizationPolicyIamAuditConfig";
  resource_.role = "auditConfigs/networksecurity.googleapis.com";
  resource_.spec =
      R"({"service":"networksecurity.googleapis.com","auditLogConfigs":[
          {"logType":"DATA_READ"},{"logType":"DATA_WRITE"}]})";
  resource_.status.state = ResourceState::kReconciling;
  ReadPolicy(
      R"({"bindings":[{"role":"roles/viewer","members":["user:ana@example.com"]}],"auditConfigs":[
          {"service":"networksecurity.googleapis.com","auditLogConfigs":[
             {"logType":"DATA_WRITE"},{"logType":"ADMIN_READ"}]},
          {"service":"allServices","auditLogConfigs":[{"logType":"DATA_READ"}]}]})");
  EXPECT_THAT(States(), ::testing::ElementsAre("missing DATA_READ", "in force DATA_WRITE",
                                               "undeclared ADMIN_READ"));
  Explanation report = Explain();
  EXPECT_EQ(report.desired.size(), 2U);
  EXPECT_EQ(report.observed->grants.size(), 2U);
  EXPECT_EQ(report.observed->other_grants, 1U);
  PlanLine plan = PaymentsUpdate();
  plan.adds = {Planned(resource_.role.c_str(), "DATA_READ"),
               Planned("auditConfigs/allServices", "DATA_WRITE"),
               Planned("roles/viewer", "user:bob@example.com")};
  plan.removes = {Planned(resource_.role.c_str(), "ADMIN_READ")};
  AddNextPass(report, PlanWith(plan));
  EXPECT_EQ(report.next->text, "adds 1 grant and takes 1 grant away") << "only its own service";
}

TEST_F(ExplainReportTest, WhatNobodyDeclaresAndIsNoDifferenceStays) {
  Read(R"([{"role":"roles/viewer","members":["user:ana@example.com","user:eve@example.com"]}])");
  resource_.status.state = ResourceState::kReady;
  const ExplainedGrant row = Explain().grants.back();
  EXPECT_EQ(row.grant.grant.principal, "user:eve@example.com");
  EXPECT_EQ(row.state, GrantState::kStays);
  EXPECT_THAT(row.reason, HasSubstr("a rule keeps it"));
}

TEST_F(ExplainReportTest, ADifferenceThatNoPassRepairsIsOnlyReported) {
  struct Case {
    DriftRest rest;
    DriftState state;
    const char* status;
    const char* told;  ///< Empty: not that it is only reported.
  };
  const Case kCases[] = {
      {DriftRest::kNone, DriftState::kOpen, "", ""},
      {DriftRest::kNone, DriftState::kOpen, "DriftObserved", "only reported (mode observe)"},
      {DriftRest::kUndeclaredRoles, DriftState::kOpen, "",
       "only reported (undeclaredRoles: report)"},
      {DriftRest::kImitation, DriftState::kOpen, "", "only reported (it looks like just-in-time"},
      {DriftRest::kNone, DriftState::kHeld, "DriftObserved", ""},
  };
  Read(R"([{"role":"roles/viewer","members":["user:ana@example.com","user:eve@example.com"]}])");
  for (const Case& test : kCases) {
    SCOPED_TRACE(std::string(ToString(test.rest)) + " " + test.status);
    DriftItem item;
    item.drift_class = DriftClass::kUndeclared;
    item.grant = {"roles/viewer", "user:eve@example.com"};
    item.state = test.state;
    item.rest = test.rest;
    store::StoreChange change;
    change.drift.push_back({IamTarget(), At("2026-11-21T11:59:30Z"), {item}});
    Apply(std::move(change));
    resource_.status.reason = test.status;
    const Explanation report = Explain();
    const ExplainedGrant& row = report.grants.back();
    ASSERT_EQ(row.grant.grant.principal, "user:eve@example.com");
    if (*test.told == '\0') {
      EXPECT_THAT(row.reason, ::testing::Not(HasSubstr("only reported")));
    } else {
      EXPECT_THAT(row.reason, HasSubstr(test.told));
    }
  }
}

TEST_F(ExplainReportTest, TheNextPassFollowsFromThePlan) {
  Read("[]");
  Explanation report = Explain();
  PlanLine change = PaymentsUpdate();
  change.adds = {Planned("roles/viewer", "user:bob@example.com"),
                 Planned("roles/editor", "user:zoe@example.com")};
  AddNextPass(report, PlanWith(change));
  EXPECT_EQ(report.next->text, "adds 1 grant") << "the other role is not this one's";
  AddNextPass(report, Fail(Code::kUnavailable, "no route"));
  EXPECT_FALSE(report.next->known);
  EXPECT_EQ(report.next->text, "not known: no route");
  AddNextPass(report, Fail(Code::kFailedPrecondition, "\"x\" is not in force"));
  EXPECT_EQ(report.next->text, "nothing: \"x\" is not in force");
  report.suspended = true;
  AddNextPass(report, PassPlan());
  EXPECT_EQ(report.next->text, "nothing: it is suspended");
}

TEST_F(ExplainReportTest, ANarrowTerminalShowsSentencesWholeAndSeveralRoles) {
  Explanation report;
  report.name = "all-of-orders";
  report.kind = "TopicIamPolicy";
  report.status.state = ResourceState::kStalled;
  report.status.reason = "GuardHeld";
  report.status.message = "removals on its target are held by the guard until somebody approves";
  for (const char* role : {"roles/pubsub.publisher", "roles/pubsub.subscriber"}) {
    ExplainedGrant row;
    row.grant.grant = {role, "user:former.colleague@example.com"};
    row.reason = "in the policy, and no manifest declares it; the guard holds its removal";
    report.grants.push_back(row);
  }
  report.events = {{At("2026-11-21T11:50:00Z"), EventType::kWarning, "GuardHeld", "all-of-orders",
                    "t", "the removals of this event are told to the very last word", "bindery"}};
  TextStyle narrow = Plain();
  narrow.width = 80;
  const std::string text = ExplainText(report, narrow);
  EXPECT_THAT(text, HasSubstr("roles/pubsub.publisher"));
  EXPECT_THAT(text, HasSubstr("roles/pubsub.subscriber"));
  EXPECT_THAT(text, HasSubstr("very last\n"));
  EXPECT_THAT(text, HasSubstr("\n            until somebody approves\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST_F(ExplainReportTest, TextAnswersWhyInOnePlace) {
  Read(R"([{"role":"roles/viewer","members":["user:ana@example.com"]}])");
  store::StoreChange change;
  change.events = {{At("2026-11-21T11:50:00Z"), EventType::kWarning, "DriftObserved",
                    "payments-viewers", testing::kPayments, "1 difference", "bindery"}};
  Apply(std::move(change));
  Explanation report = Explain();
  AddNextPass(report, Fail(Code::kUnavailable, "no route"));
  EXPECT_EQ("\n" + ExplainText(report, Plain()), R"(
payments-viewers: AuthorizationPolicyIamBinding, teams/payments.yaml:3
  target    projects/acme/locations/global/authorizationPolicies/payments
  role      roles/viewer
  status    Ready, ReconciliationSucceeded: the policy is as declared
  desired   2 grants
  observed  1m ago: 1 grant

Grants:
STATE     PRINCIPAL             ROLE          TIME  SINCE  WHY
in force  user:ana@example.com  roles/viewer  -     -      declared and in the policy
missing   user:bob@example.com  roles/viewer  -     -      declared, and not in the policy

Next pass: not known: no route.

Last events:
AGE  TYPE     REASON         MESSAGE
10m  Warning  DriftObserved  1 difference
)");
}

TEST_F(ExplainReportTest, WhatAManifestThatIsGoneGrantedIsNotCalledDeclared) {
  struct Case {
    ResourceStatus status;
    const char* state;
    const char* reason;
  };
  const std::string pending = "1 grant on its target waits to be removed: the directory must rest";
  const Case cases[] = {
      {{ResourceState::kReconciling, "RemovalPending", pending},
       "leaving",
       "its manifest is gone; 1 grant on its target waits to be removed: the directory must rest"},
      {{ResourceState::kReconciling, "Deleting",
        "its manifest is gone: what it granted is to be removed"},
       "leaving",
       "its manifest is gone: what it granted is to be removed"},
      {{ResourceState::kReady, "Retained",
        "its manifest is gone; what it granted stays (options.retainOnDelete)"},
       "stays",
       "its manifest is gone; what it granted stays (options.retainOnDelete)"},
  };
  Read(R"([{"role":"roles/viewer","members":["user:ana@example.com"]}])");
  resource_.missing_scans = 2;
  for (const Case& one : cases) {
    SCOPED_TRACE(one.status.reason);
    resource_.status = one.status;
    const Explanation report = Explain();
    EXPECT_TRUE(report.manifest_gone);
    EXPECT_TRUE(report.desired.empty());
    EXPECT_EQ(ToString(report.grants.at(0).state), one.state);
    EXPECT_EQ(report.grants.at(0).reason, one.reason);
    EXPECT_EQ(report.grants.at(1).state, GrantState::kGone);
    EXPECT_THAT(ExplainText(report, Plain()), HasSubstr("notes     its manifest is gone\n"));
    EXPECT_THAT(ExplainText(report, Plain()), HasSubstr("desired   0 grants\n"));
  }
  resource_.missing_scans = 1;
  EXPECT_FALSE(Explain().manifest_gone) << "the next scan has to confirm that";
}

TEST_F(ExplainReportTest, OneGrantInTwoSpellingsIsOneGrant) {
  resource_.spec =
      R"({"members":["user:Ana@Example.com","user:ana@example.com","user:bob@example.com"],)"
      R"("role":"roles/viewer"})";
  Read(R"([{"role":"roles/viewer","members":["user:ana@example.com","user:bob@example.com"]},
           {"role":"roles/viewer","members":["user:ANA@example.com","user:bob@example.com"]},
           {"role":"roles/editor","members":["user:zoe@example.com"]},
           {"role":"roles/editor","members":["user:zoe@example.com"]}])");
  const Json report = ToJson(Explain());
  EXPECT_EQ(report["desired"].size(), 2U);
  EXPECT_EQ(report["observed"]["grants"].size(), 2U);
  EXPECT_EQ(report["observed"]["otherGrants"], 1);
  EXPECT_EQ(report["grants"].size(), 2U);
}

TEST_F(ExplainReportTest, ARemovalThatWaitsIsNotPromisedForTheNextPass) {
  Read("[]");
  Explanation report = Explain();
  const auto removal = [](const char* member, bool waits) {
    PlannedGrant grant = Planned("roles/viewer", member);
    if (waits) grant.waits = "the directory must rest";
    return grant;
  };
  const auto next = [&](std::vector<PlannedGrant> removes) {
    PlanLine change = PaymentsUpdate();
    change.removes = std::move(removes);
    change.note = "its removals wait";
    AddNextPass(report, PlanWith(change));
    return report.next->text;
  };
  EXPECT_EQ(next({removal("user:a@e.com", true)}), "nothing yet: 1 grant waits to be taken away");
  EXPECT_EQ(next({removal("user:a@e.com", true), removal("user:b@e.com", false)}),
            "takes 1 grant away; 1 grant waits to be taken away");
  EXPECT_EQ(next({removal("user:a@e.com", false)}), "takes 1 grant away");
}

TEST_F(ExplainReportTest, ANoteAboutATargetWithOtherPartsSaysSo) {
  Read("[]");
  Explanation report = Explain();
  const auto note = [&](const char* role, const std::vector<std::string>& resources) {
    PlanLine change = PaymentsUpdate();
    change.resources = resources;
    change.removes = {Planned(role, "user:a@e.com")};
    change.note = "1 of its removals waits";
    AddNextPass(report, PlanWith(change));
    return report.next->note;
  };
  EXPECT_EQ(note("roles/viewer", {"payments-viewers"}), "1 of its removals waits");
  const std::string whole = "of the whole target: 1 of its removals waits";
  EXPECT_EQ(note("roles/viewer", {"payments-viewers", "payments-editors"}), whole);
  EXPECT_EQ(note("roles/editor", {"payments-viewers"}), whole) << "of no claim of the resource";
}

TEST_F(ExplainReportTest, AnUnknownNameIsRefused) {
  Put({resource_});
  EXPECT_THAT(ExplainReport(*store_, {"payments-viewer", Now()}),
              FailsWith(Code::kNotFound, HasSubstr("did you mean \"payments-viewers\"?")));
}

}  // namespace
}  // namespace bindery::report
