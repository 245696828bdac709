#include "report/reports/plan_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "report/forms/texts.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using manifests::ProblemSeverity;
using reconcilers::ComposePlan;
using testing::Now;

const Target kPolicy = {"AuthorizationPolicyIamBinding", "", "projects/acme/a"};
const Target kBoard = {"RestrictionPolicy", "monitoring", "dashboard:abc-def-ghi"};

PlannedChange Update() {
  PlannedChange change;
  change.target = kPolicy;
  change.action = PlanAction::kUpdate;
  change.plan.changes =
      ComposePlan({{"roles/viewer", "user:ana@example.com"},
                   {"roles/editor", "group:sre@example.com", Condition{"true", "always", ""}}},
                  {{"roles/viewer", "user:eve@example.com"}})
          .changes;
  change.resources = {"payments-viewers", "payments-editors"};
  change.severity = Severity::kHigh;
  return change;
}

PlannedChange Board(PlanAction action, const std::vector<Grant>& lost = {{"editor", "team:t1"}}) {
  PlannedChange change;
  change.target = kBoard;
  change.action = action;
  change.plan.changes = ComposePlan({}, lost).changes;
  change.resources = {"dash"};
  return change;
}

/// A target that nothing is to be done to.
PlannedChange Left(PlanStanding standing, const std::string& note = "") {
  PlannedChange change;
  change.target = kPolicy;
  change.standing = standing;
  change.note = note;
  change.resources = {"viewers"};
  return change;
}

DriftItem Difference(DriftClass drift_class, const std::string& principal) {
  DriftItem item;
  item.drift_class = drift_class;
  item.severity = Severity::kMedium;
  item.resource = "viewers";
  item.grant = {"roles/viewer", principal};
  item.desired = "granted";
  item.observed = "absent";
  return item;
}

/// It differs, and nobody does anything about it.
PlannedChange Observed() {
  PlannedChange change = Left(PlanStanding::kObserved, "2 differences are only reported");
  change.reported = {Difference(DriftClass::kMissing, "user:ana@example.com"),
                     Difference(DriftClass::kUndeclared, "user:eve@example.com")};
  change.severity = Severity::kMedium;
  return change;
}

std::string NoteOf(const PlannedChange& change) {
  return PlanReport({change}, Now()).changes.at(0).note;
}

TEST(PlanReport, ListsEveryTargetAndSumsUp) {
  PlannedChange nothing;
  nothing.target = {"AuthorizationPolicyIamBinding", "", "projects/acme/b"};
  nothing.resources = {"quiet"};
  EXPECT_EQ(ToJson(PlanReport({Update(), nothing}, Now())).dump(),
            R"({"changes":[{"target":"projects/acme/a","kind":"AuthorizationPolicyIamBinding",)"
            R"("action":"update","adds":[{"role":"roles/viewer","member":"user:ana@example.com"},)"
            R"({"role":"roles/editor","member":"group:sre@example.com",)"
            R"("condition":{"expression":"true","title":"always"}}],)"
            R"("removes":[{"role":"roles/viewer","member":"user:eve@example.com"}],)"
            R"("resources":["payments-viewers","payments-editors"],"severity":"high","note":""},)"
            R"({"target":"projects/acme/b","kind":"AuthorizationPolicyIamBinding","action":"none",)"
            R"("adds":[],"removes":[],"resources":["quiet"],"severity":null,"note":"",)"
            R"("standing":"declared"}],)"
            R"("summary":{"adds":2,"removes":1,"replaces":0,"targets":1,"held":0,)"
            R"("observed":0,"suspended":0,"stalled":0,"waits":0,"reported":0}})");
}

TEST(PlanReport, WhatDiffersLessBadlyCanBeLeftOut) {
  PlannedChange medium = Board(PlanAction::kUpdate);
  medium.severity = Severity::kMedium;
  const PassPlan plan = PlanReport({Update(), medium, PlannedChange{}}, Now());
  const PassPlan high = PlanAtLeast(plan, Severity::kHigh);
  ASSERT_EQ(high.changes.size(), 1U);
  EXPECT_EQ(high.changes[0].target, kPolicy.name);
  EXPECT_EQ(ToJson(high)["leastSeverity"], "high");
  EXPECT_EQ(ToJson(high.summary).dump(),
            R"({"adds":2,"removes":1,"replaces":0,"targets":1,"held":0,"observed":0,"suspended":0,)"
            R"("stalled":0,"waits":0,"reported":0})");
  EXPECT_EQ(PlanAtLeast(plan, Severity::kMedium).changes.size(), 2U);
  EXPECT_EQ(PlanText(PlanAtLeast(plan, Severity::kCritical), {}),
            "No changes of severity critical or worse.\n");
}

TEST(PlanReport, RestrictionPoliciesHaveTheirOwnWords) {
  const Json report = ToJson(PlanReport({Board(PlanAction::kUpdate)}, Now()));
  EXPECT_EQ(report["changes"][0]["removes"].dump(),
            R"([{"relation":"editor","principal":"team:t1"}])");
}

TEST(PlanReport, ARestrictionPolicyThatLosesItsLastBindingOpensTheResource) {
  const std::string opens = "this opens dashboard:abc-def-ghi to everyone in the organization";
  EXPECT_EQ(PlanReport({Board(PlanAction::kDelete)}, Now()).changes.at(0).warning, opens);
  EXPECT_EQ(NoteOf(Board(PlanAction::kDelete)), opens);
  EXPECT_EQ(NoteOf(Board(PlanAction::kUpdate)), "");
  PlannedChange emptied = Board(PlanAction::kHeld);
  emptied.empties = true;
  emptied.note = "60 removals are more than guard.maxRemovedGrants (50)";
  EXPECT_EQ(NoteOf(emptied), opens + "; 60 removals are more than guard.maxRemovedGrants (50)");
  PlannedChange iam = Update();
  iam.action = PlanAction::kDelete;
  EXPECT_EQ(NoteOf(iam), "") << "an IAM policy without bindings grants nothing";
  EXPECT_EQ(NoteOf(Board(PlanAction::kDelete, {})), "") << "nothing restricted it before";
}

TEST(PlanText, SaysInWordsWhoGainsAndWhoLoses) {
  EXPECT_EQ("\n" + PlanText(PlanReport({Update(), Board(PlanAction::kDelete)}, Now()), {}), R"(
update projects/acme/a (payments-viewers, payments-editors)
  + user:ana@example.com gains roles/viewer on projects/acme/a
  + group:sre@example.com gains roles/editor if always on projects/acme/a
  - user:eve@example.com loses roles/viewer on projects/acme/a
delete dashboard:abc-def-ghi (dash)
  - team:t1 loses editor on dashboard:abc-def-ghi
  ! this opens dashboard:abc-def-ghi to everyone in the organization

Plan: 2 grants to add, 2 to remove, on 2 targets.
)");
}

TEST(PlanText, FitsATerminalAndCutsNothing) {
  TextStyle narrow;
  narrow.width = 30;
  EXPECT_THAT(PlanText(PlanReport({Update()}, Now()), narrow),
              ::testing::HasSubstr("\n  (payments-viewers,\n   payments-editors)\n"
                                   "  + user:ana@example.com\n      gains roles/viewer\n"));
}

TEST(PlanText, SaysWhatTheGuardWouldHold) {
  EXPECT_EQ("\n" + PlanText(PlanReport({Board(PlanAction::kHeld)}, Now()), {}), R"(
held dashboard:abc-def-ghi (dash)
  - team:t1 would lose editor on dashboard:abc-def-ghi (held)

Plan: 0 grants to add, 1 to remove, on 1 target.
The guard holds 1 removal until they are approved: bindery guard
)");
}

TEST(PlanText, SaysWhichRemovalsWaitAndForWhat) {
  PlannedChange change = Update();
  change.plan.changes.push_back(
      ComposePlan({}, {{"roles/viewer", "user:bob@example.com"}}).changes[0]);
  change.plan.changes.back().Lower(
      reconcilers::Verdict::kWait, reconcilers::Gate::kEvidence,
      {reconcilers::ReasonCode::kEvidencePending, "the directory must rest"});
  change.note = "1 of its removals waits: the directory must rest";
  const PassPlan plan = PlanReport({change}, Now());
  EXPECT_EQ(ToJson(plan)["changes"][0]["removes"].dump(),
            R"([{"role":"roles/viewer","member":"user:eve@example.com"},)"
            R"({"role":"roles/viewer","member":"user:bob@example.com",)"
            R"("waits":"the directory must rest","gate":"evidence"}])");
  EXPECT_EQ("\n" + PlanText(plan, {}), R"(
update projects/acme/a (payments-viewers, payments-editors)
  + user:ana@example.com gains roles/viewer on projects/acme/a
  + group:sre@example.com gains roles/editor if always on projects/acme/a
  - user:eve@example.com loses roles/viewer on projects/acme/a
  - user:bob@example.com would lose roles/viewer on projects/acme/a (waits)
  ! 1 of its removals waits: the directory must rest

Plan: 2 grants to add, 2 to remove, on 1 target.
1 removal waits for what the note on the target says.
)");
}

TEST(PlanText, LeavesOutWhatDoesNotChange) {
  const PlannedChange nothing = Left(PlanStanding::kDeclared);
  EXPECT_EQ(PlanText(PlanReport({nothing}, Now()), {}), "No changes. 1 target is as declared.\n");
  EXPECT_EQ(PlanText(PlanReport({}, Now()), {}), "No changes. 0 targets are as declared.\n");
}

TEST(PlanText, WhatIsNotAsDeclaredIsNotCalledSo) {
  const PlannedChange declared = Left(PlanStanding::kDeclared);
  const PlannedChange suspended = Left(PlanStanding::kSuspended, "suspended: not checked");
  EXPECT_EQ("\n" + PlanText(PlanReport({declared, Observed(), suspended, declared}, Now()), {}), R"(
observed projects/acme/a (viewers)
  + user:ana@example.com would gain roles/viewer on projects/acme/a (only reported)
  - user:eve@example.com would lose roles/viewer on projects/acme/a (only reported)
  ! 2 differences are only reported
suspended projects/acme/a (viewers)
  ! suspended: not checked

No changes. 2 targets are as declared, 1 differs but is only observed, 1 has suspended resources.
)");
  const PlannedChange stalled = Left(PlanStanding::kStalled, "viewers: ImportMismatch: it differs");
  PlannedChange changed = Observed();
  changed.reported = {Difference(DriftClass::kConditionChanged, "user:ana@example.com")};
  EXPECT_EQ(
      "\n" +
          PlanText(PlanReport({Board(PlanAction::kUpdate), stalled, changed, changed}, Now()), {}),
      R"(
update dashboard:abc-def-ghi (dash)
  - team:t1 loses editor on dashboard:abc-def-ghi
stalled projects/acme/a (viewers)
  ! viewers: ImportMismatch: it differs
observed projects/acme/a (viewers)
  ~ user:ana@example.com would hold roles/viewer on projects/acme/a (only reported)
  ! 2 differences are only reported
observed projects/acme/a (viewers)
  ~ user:ana@example.com would hold roles/viewer on projects/acme/a (only reported)
  ! 2 differences are only reported

Plan: 0 grants to add, 1 to remove, on 1 target.
Of the other targets, 2 differ but are only observed, 1 cannot be brought to what is declared.
)");
  EXPECT_THAT(PlanText(PlanAtLeast(PlanReport({Observed()}, Now()), Severity::kMedium), {}),
              ::testing::EndsWith("\nNo changes of severity medium or worse.\n"
                                  "Of the targets, 1 differs but is only observed.\n"));
}

TEST(PlanReport, TellsWhatIsOnlyReported) {
  const Json change = ToJson(PlanReport({Observed()}, Now()).changes.at(0));
  EXPECT_EQ(change.at("action"), "none");
  EXPECT_EQ(change.at("standing"), "observed");
  EXPECT_EQ(change.at("adds").size() + change.at("removes").size(), 0U);
  EXPECT_EQ(change.at("reported").at(0).dump(),
            R"({"class":"missing","severity":"medium","resource":"viewers",)"
            R"("grant":{"role":"roles/viewer","member":"user:ana@example.com"},)"
            R"("desired":"granted","observed":"absent"})");
}

TEST(PlanReport, DiffersWhereSomethingIsNotAsDeclaredUnlessItIsSuspended) {
  struct Case {
    const char* why;
    std::vector<PlannedChange> changes;
    bool differs;
  };
  const std::vector<Case> cases = {
      {"nothing is declared", {}, false},
      {"all is as declared", {Left(PlanStanding::kDeclared)}, false},
      {"a pass would write", {Update()}, true},
      {"a pass would write once it may", {Board(PlanAction::kHeld)}, true},
      {"drift differs there too", {Left(PlanStanding::kDeclared), Observed()}, true},
      {"someone wanted it left alone", {Left(PlanStanding::kSuspended, "suspended")}, false},
      {"it cannot become as declared", {Left(PlanStanding::kStalled, "why")}, true},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(PlanDiffers(PlanReport(one.changes, Now())), one.differs) << one.why;
  }
  PassPlan waiting = PlanReport({}, Now());
  waiting.waiting.push_back({"dash", "waits for \"me\""});
  EXPECT_TRUE(PlanDiffers(waiting));
}

TEST(PlanText, SaysWhatCannotBeToldYet) {
  PlannedChange same;
  same.target = kPolicy;
  const auto text = [](PassPlan plan, std::size_t waiting, std::size_t errors) {
    for (std::size_t i = 0; i < waiting; ++i) {
      plan.waiting.push_back({"dash", "waits for \"me\""});
    }
    for (std::size_t i = 0; i < errors; ++i) {
      plan.errors.push_back({"t", "UNAVAILABLE", "away"});
    }
    return "\n" + PlanText(plan, {});
  };
  EXPECT_EQ(text(PlanReport({same}, Now()), 1, 0), R"(
wait dash
  ! waits for "me"

No changes where all is known: 1 target is as declared.
1 manifest waits for values that are not known yet.
)");
  EXPECT_EQ(text(PlanReport({}, Now()), 0, 2),
            "\nNothing could be read.\n2 targets could not be read.\n");
  EXPECT_EQ(text(PlanReport({Board(PlanAction::kUpdate)}, Now()), 2, 1), R"(
update dashboard:abc-def-ghi (dash)
  - team:t1 loses editor on dashboard:abc-def-ghi
wait dash
  ! waits for "me"
wait dash
  ! waits for "me"

Plan: 0 grants to add, 1 to remove, on 1 target.
2 manifests wait for values that are not known yet.
1 target could not be read.
)");
}

ProblemLine ProblemOf(const std::string& file, const std::string& resource,
                      ProblemSeverity severity = ProblemSeverity::kError) {
  ProblemLine problem;
  problem.file = file;
  problem.resource = resource;
  problem.severity = severity;
  problem.message = "no";
  return problem;
}

TEST(PlanText, WithoutAllManifestsItIsNotSaidThatNothingChanges) {
  PlannedChange same;
  same.target = kPolicy;
  PassPlan plan = PlanReport({same}, Now());
  AddProblems(plan, {ProblemOf("a.yaml", "a", ProblemSeverity::kWarning)}, {});
  EXPECT_EQ(PlanText(plan, {}), "No changes. 1 target is as declared.\n");
  AddProblems(plan, {ProblemOf("b.yaml", "b")}, {});
  EXPECT_EQ(PlanText(plan, {}),
            "No changes where all is known: 1 target is as declared.\n"
            "1 manifest has errors and is not taken up: see bindery validate.\n");
  PassPlan empty = PlanReport({}, Now());
  AddProblems(empty, {ProblemOf("b.yaml", "b"), ProblemOf("b.yaml", "c")}, {});
  EXPECT_EQ(PlanText(empty, {}),
            "2 manifests have errors and are not taken up: see bindery validate.\n");
  PassPlan stale = PlanReport({same}, Now());
  stale.load_error = "NOT_FOUND: there is no \"manifests\"";
  EXPECT_EQ(PlanText(stale, {}),
            "No changes where all is known: 1 target is as declared.\n"
            "The manifests directory cannot be read: this is what was in force before.\n");
}

TEST(PlanText, SaysWhoOfThoseWithErrorsStaysInForce) {
  ProblemLine e = ProblemOf("e.yaml", "e");
  ProblemLine f = ProblemOf("f.yaml", "f");
  e.line = f.line = 1;
  PassPlan plan = PlanReport({}, Now());
  AddProblems(plan, {e, e, f}, {}, [](const std::string& name) { return name == "e"; });
  EXPECT_EQ(ToJson(plan)["problems"][0]["inForce"], true);
  EXPECT_EQ(ToJson(plan)["problems"][2]["inForce"], false);
  EXPECT_EQ(PlanText(plan, {}),
            "2 manifests have errors and are not taken up: see bindery validate.\n"
            "Of these, e (e.yaml:1) stays in force as it was before.\n");
  AddProblems(plan, {e, f}, {}, [](const std::string& /*name*/) { return true; });
  EXPECT_EQ(PlanText(plan, {}),
            "2 manifests have errors and are not taken up: see bindery validate.\n"
            "Of these, e (e.yaml:1), f (f.yaml:1) stay in force as they were before.\n");
}

TEST(PlanReport, CountsTheManifestsThatAreNotTakenUp) {
  struct Case {
    const char* why;
    std::vector<ProblemLine> problems;
    std::vector<std::string> names;
    std::size_t refused;
  };
  const std::vector<Case> cases = {
      {"nothing is wrong", {}, {}, 0},
      {"a warning keeps nobody out", {ProblemOf("a.yaml", "a", ProblemSeverity::kWarning)}, {}, 0},
      {"several errors of one manifest",
       {ProblemOf("a.yaml", "a"), ProblemOf("a.yaml", "a")},
       {},
       1},
      {"two manifests of one file", {ProblemOf("a.yaml", "a"), ProblemOf("a.yaml", "b")}, {}, 2},
      {"files that cannot be read", {ProblemOf("a.yaml", ""), ProblemOf("b.yaml", "")}, {}, 2},
      {"only who was asked for", {ProblemOf("a.yaml", "a"), ProblemOf("b.yaml", "b")}, {"b"}, 1},
  };
  for (const Case& one : cases) {
    PassPlan plan = PlanReport({}, Now());
    AddProblems(plan, one.problems, one.names);
    EXPECT_EQ(RefusedManifests(plan), one.refused) << one.why;
  }
}

TEST(PlanText, GainsAreGreenAndLossesRed) {
  TextStyle style;
  style.colour = true;
  const std::string text = PlanText(PlanReport({Update()}, Now()), style);
  EXPECT_NE(text.find("\x1b[32m  + user:ana@example.com gains roles/viewer on projects/acme/a"
                      "\x1b[0m\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\x1b[31m  - user:eve@example.com loses"), std::string::npos) << text;
}

/// A command reads the plan that a daemon made.
TEST(PlanReport, EveryStandingIsReadBack) {
  for (const PlanStanding standing :
       {PlanStanding::kDeclared, PlanStanding::kObserved, PlanStanding::kReported,
        PlanStanding::kSuspended, PlanStanding::kStalled}) {
    const Json sent = ToJson(PlanReport({Left(standing, "why")}, Now()));
    EXPECT_EQ(ToJson(FromJson<PassPlan>(sent).value()).dump(), sent.dump());
  }
}

}  // namespace
}  // namespace bindery::report
