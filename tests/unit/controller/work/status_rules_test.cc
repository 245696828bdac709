#include "controller/work/status_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"
#include "unit/controller/guard_cases.h"

namespace bindery::controller {
namespace {

using testing::EngineWorld;
using ::testing::HasSubstr;
using testing::kViewer;
using namespace std::chrono_literals;

/// A resource that is in force, and work on its target that found everything as declared.
class StatusRulesTest : public ::testing::Test {
 protected:
  StatusRulesTest() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.Declare("m", "t", kViewer, {"user:ana@example.com"});
    world.Pass();
    entry = catalog.claims().FindResource("m");
    auto job = std::make_shared<CheckJob>(
        catalog.treatments().MakeJob(*catalog.claims().FindTarget(entry->place.target)));
    work.reading.desired = MakeDesired(*job);
    work.job = std::move(job);
  }
  /// "Ready ReconciliationSucceeded"
  std::string Status(const Error* error = nullptr) {
    const StatusContext context{catalog, holds, oscillation, clock, 24h};
    const SharedStatus status = MakeStatus(context, *entry, work, error);
    message = status->message;
    return std::string(ToString(status->state)) + " " + status->reason;
  }
  void AddDifference(const std::string& resource) {
    work.plan.changes.emplace_back();
    work.plan.changes.back().resource = resource;
  }

  EngineWorld world;
  Catalog& catalog = world.engine->catalog();
  Rollbacks rollbacks;
  RemovalHolds holds{catalog, rollbacks};
  OscillationWatch oscillation{catalog};
  ClockJudgement clock;
  ResourceEntry* entry = nullptr;
  TargetUnderWork work;
  std::string message;
};

TEST_F(StatusRulesTest, WithoutADifferenceAllIsAsDeclared) {
  EXPECT_EQ(Status(), "Ready ReconciliationSucceeded");
}

TEST_F(StatusRulesTest, DifferencesOfOthersAreNotItsOwn) {
  AddDifference("other");
  EXPECT_EQ(Status(), "Ready ReconciliationSucceeded");
  AddDifference("m");
  EXPECT_EQ(Status(), "Stalled DriftObserved");
  EXPECT_THAT(message, HasSubstr("1 difference from"));
}

TEST_F(StatusRulesTest, WhatHoldsInAnyCaseComesBeforeFailures) {
  const Error refused{Code::kPermissionDenied, "no"};
  EXPECT_EQ(Status(&refused), "Stalled PERMISSION_DENIED");
  entry->suspended_by_operator = true;
  EXPECT_EQ(Status(&refused), "Suspended Suspended");
  EXPECT_EQ(ChooseEventType(*entry), std::nullopt) << "its status was not set";
}

TEST_F(StatusRulesTest, AFailureThatMayPassIsRetriedAndNamesWhoDeclaresThePrincipal) {
  const Error failed{Code::kUnavailable, "ana@example.com cannot be looked up"};
  EXPECT_EQ(Status(&failed), "Reconciling ProgressingWithRetry");
  EXPECT_THAT(message, HasSubstr("declared by m"));
}

TEST_F(StatusRulesTest, RefusedWithheldAndHeldComeInThatOrder) {
  AddDifference("m");
  work.awaits_evidence["m"] = {EvidenceAnswer::kPending, "the directory settles"};
  for (reconcilers::GrantChange& change :
       reconcilers::ComposePlan({}, {{kViewer, "user:a@x"}, {kViewer, "user:b@x"}}).changes) {
    change.Lower(reconcilers::Verdict::kWait, reconcilers::Gate::kEvidence,
                 {reconcilers::ReasonCode::kEvidencePending});
    work.plan.changes.push_back(change);
  }
  EXPECT_EQ(Status(), "Reconciling RemovalPending");
  EXPECT_EQ(message, "2 grants on its target wait to be removed: the directory settles");
  work.awaits_evidence["m"].answer = EvidenceAnswer::kBlocked;
  EXPECT_EQ(Status(), "Stalled RemovalBlocked");
  AddDifference("other");
  work.plan.changes.back().Lower(reconcilers::Verdict::kKeep, reconcilers::Gate::kOperatorAnswer,
                                 {reconcilers::ReasonCode::kDenied});
  EXPECT_EQ(Status(), "Stalled RemovalDenied") << "the guard withholds nothing there";
  Removals removals;
  removals.target = *entry->place.target;
  removals.grants.push_back({{kViewer, "user:eve@example.com"}});
  holds.guard().held().Hold(removals, testing::Because("too many"));
  EXPECT_EQ(Status(), "Stalled GuardHeld");
  work.ask = "the directory was exchanged";
  EXPECT_EQ(Status(), "Stalled RemovalBlocked");
  EXPECT_THAT(message, HasSubstr("bindery guard approve " + holds.guard().held().Digest()));
  AddDifference("m");
  work.plan.changes.back().Lower(reconcilers::Verdict::kRefuse, reconcilers::Gate::kLockout,
                                 {reconcilers::ReasonCode::kSelfLockout, "would lock out"});
  EXPECT_EQ(Status(), "Stalled SelfLockout");
  EXPECT_EQ(message, "would lock out");
}

TEST_F(StatusRulesTest, AnotherWritersTargetIsOscillatingWhileItDiffers) {
  AddDifference("other");
  work.plan.changes.back().Lower(reconcilers::Verdict::kWait, reconcilers::Gate::kOscillation,
                                 {reconcilers::ReasonCode::kOscillating});
  EXPECT_EQ(Status(), "Ready ReconciliationSucceeded");
  AddDifference("");
  EXPECT_EQ(Status(), "Stalled Oscillating");
}

TEST_F(StatusRulesTest, EventsTellOfWhatPeopleMustKnow) {
  entry->standing.status = ResourceStatus{ResourceState::kStalled, "DriftObserved", ""};
  EXPECT_EQ(ChooseEventType(*entry), EventType::kWarning);
  entry->standing.status = ResourceStatus{ResourceState::kReady, "ReconciliationSucceeded", ""};
  EXPECT_EQ(ChooseEventType(*entry), std::nullopt);
  entry->standing.status = ResourceStatus{ResourceState::kSuspended, "Suspended", ""};
  EXPECT_EQ(ChooseEventType(*entry), EventType::kNormal);
  entry->suspended_by_operator = true;
  EXPECT_EQ(ChooseEventType(*entry), std::nullopt) << "the order has an event of its own";
}

}  // namespace
}  // namespace bindery::controller
