// What people ask for over the socket: reconcile, suspend, resume, rollback, forget.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kEditor;
using testing::kOwnerByHand;
using testing::kViewer;
using ::testing::SizeIs;

class EngineCommand : public ::testing::Test {
 protected:
  EngineCommand() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"), kOwnerByHand);
    world.Declare("m", "t", kViewer, {kAna});
    world.Pass();
    world.cloud->ResetCounts();
  }
  Engine::Reply Note() {
    return [this](const WorkAnswer& answer) { answers.push_back(answer); };
  }
  [[nodiscard]] store::RevisionRecord First() const { return world.store.state.revisions.at(0); }
  [[nodiscard]] Expected<void> RollBack() {
    return world.engine->commands().Rollback("m", First(), "ops", world.now, Note());
  }
  EngineWorld world;
  std::vector<WorkAnswer> answers;
};

TEST_F(EngineCommand, ReconcileChecksAtOnceAndAnswersForEachName) {
  world.Declare("e", "t", kEditor, {kAna});
  world.Pass();
  world.cloud->ResetCounts();
  ASSERT_TRUE(world.engine->commands().Reconcile({"m", "e"}, world.now, Note()).has_value());
  world.Work();
  EXPECT_EQ(world.Reads(), 1);
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_TRUE(answers[0].done);
  EXPECT_EQ(answers[0].message, "as declared");
}

TEST_F(EngineCommand, WhoAsksDuringAReadIsToldOfTheNextOne) {
  ASSERT_TRUE(world.engine->commands().Reconcile({"m"}, world.now, nullptr).has_value());
  Engine::Actions actions = world.Step();
  ASSERT_THAT(actions.checks, SizeIs(1));
  ASSERT_TRUE(world.engine->commands().Reconcile({"m"}, world.now, Note()).has_value());
  world.Check(actions.checks[0]);
  actions = world.Step();
  EXPECT_THAT(answers, IsEmpty());
  ASSERT_THAT(actions.checks, SizeIs(1));
  world.Check(actions.checks[0]);
  world.Work();
  EXPECT_THAT(answers, SizeIs(1));
}

TEST_F(EngineCommand, ReconcileOfWhatIsNotThereSaysSo) {
  const auto unknown = world.engine->commands().Reconcile({"nobody"}, world.now, Note());
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(ToString(unknown.error()), "NOT_FOUND: no resource \"nobody\"");
  world.Declare("payments-viewers", "t", kEditor, {kAna});
  world.Pass();
  const auto misspelled =
      world.engine->commands().Suspend({"payment-viewers"}, true, "ops", world.now);
  ASSERT_FALSE(misspelled.has_value());
  EXPECT_EQ(misspelled.error().message,
            "no resource \"payment-viewers\"; did you mean \"payments-viewers\"?");
  world.Declare("rival", "t", kViewer, {kAna});
  world.Pass();
  const auto rejected = world.engine->commands().Reconcile({"rival"}, world.now, Note());
  ASSERT_FALSE(rejected.has_value());
  EXPECT_EQ(rejected.error().code, Code::kFailedPrecondition);
  EXPECT_THAT(answers, IsEmpty());
}

TEST_F(EngineCommand, ASuspendedTargetIsNotEvenRead) {
  ASSERT_TRUE(world.engine->commands().Suspend({"m"}, true, "ops", world.now).has_value());
  world.Work();
  EXPECT_EQ(world.Status("m"), "Suspended Suspended");
  EXPECT_EQ(world.Message("m"), "suspended by an operator: bindery resume m");
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.NextInterval();
  EXPECT_EQ(world.Reads(), 0);
  ASSERT_TRUE(world.engine->commands().Suspend({"m"}, false, "ops", world.now).has_value());
  world.Work();
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_THAT(world.Grants("t"), SizeIs(1));
  EXPECT_EQ(world.Events("Suspended"), 1) << "the order, no warning";
  EXPECT_EQ(world.Events("Resumed"), 1);
}

TEST_F(EngineCommand, WhatBecameOfAnUnansweredWriteIsLookedUpThoughItIsSuspended) {
  world.cloud->Fail({.operation = "setIamPolicy", .lost = true});
  world.cloud->Fail({.operation = "getIamPolicy", .status = 503, .code = "UNAVAILABLE"});
  world.Declare("m", "t", kViewer, {kAna, "user:bob@example.com"});
  world.Scan();
  Engine::Actions actions = world.Step();
  ASSERT_THAT(actions.checks, SizeIs(1));
  world.Check(actions.checks[0]);  // Refused; the next one reads.
  world.Advance(std::chrono::seconds(1));
  ASSERT_THAT(world.store.state.intents, SizeIs(1));
  ASSERT_TRUE(world.engine->commands().Suspend({"m"}, true, "ops", world.now).has_value());
  world.Advance(std::chrono::seconds(5));
  EXPECT_THAT(world.store.state.intents, IsEmpty());
  EXPECT_EQ(world.Events("WriteConfirmed"), 1);
  world.cloud->ResetCounts();
  world.NextInterval();
  EXPECT_EQ(world.Reads(), 0) << "and then it is left alone";
}

TEST_F(EngineCommand, ASuspendedRoleIsLeftAloneWhileOthersAreEnforced) {
  world.Declare("e", "t", kEditor, {kAna});
  world.Pass();
  ASSERT_TRUE(world.engine->commands().Suspend({"m"}, true, "ops", world.now).has_value());
  world.Work();
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/viewer","members":["user:eve@example.com"]}])");
  world.NextInterval();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:ana@example.com",
                                             "roles/viewer user:eve@example.com"));
}

TEST_F(EngineCommand, ARollbackBringsTheRecordedPolicyBackAndSuspends) {
  ASSERT_TRUE(RollBack().has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/owner user:eve@example.com"));
  EXPECT_EQ(world.Status("m"), "Suspended Suspended");
  EXPECT_EQ(world.store.state.revisions.back().origin, Origin::kRollback);
  EXPECT_EQ(world.store.state.revisions.back().actor, "ops");
  EXPECT_EQ(world.Events("PolicyRestored"), 1);
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_TRUE(answers[0].done);
  EXPECT_EQ(answers[0].message, "1 added, 1 removed");
  world.NextInterval();
  EXPECT_EQ(world.Writes(), 1) << "neither undone nor repeated";
}

TEST_F(EngineCommand, ARollbackToWhatIsThereIsOverAtOnce) {
  ASSERT_TRUE(RollBack().has_value());
  world.Work();
  ASSERT_TRUE(RollBack().has_value());
  world.Work();
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_TRUE(answers[1].done);
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), IsEmpty()) << "it is not brought back for ever";
}

TEST_F(EngineCommand, ARollbackGoesThroughTheGuardInFull) {
  world.settings.guard = {0, 1.0};
  world.Configure();
  ASSERT_TRUE(RollBack().has_value());
  world.Work();
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_FALSE(answers[0].done);
  EXPECT_EQ(answers[0].held, world.HoldDigest());
  EXPECT_THAT(world.Grants("t"),
              ElementsAre("roles/owner user:eve@example.com", "roles/viewer user:ana@example.com"));
  EXPECT_EQ(world.Events("PolicyRestored"), 0);
  EXPECT_EQ(world.store.state.holds.begin()->second.purpose, HoldPurpose{First().id});
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/owner user:eve@example.com"));
  EXPECT_EQ(world.Events("PolicyRestored"), 1);
  EXPECT_EQ(world.store.state.holds.begin()->second.state, HoldState::kReleased);
}

TEST_F(EngineCommand, ResumingEndsARollbackThatIsHeld) {
  world.settings.guard = {0, 1.0};
  world.Configure();
  ASSERT_TRUE(RollBack().has_value());
  world.Work();
  world.settings.guard = {50, 1.0};
  world.Configure();
  ASSERT_TRUE(world.engine->commands().Suspend({"m"}, false, "ops", world.now).has_value());
  world.Declare("m", "t", kViewer, {kAna, "user:bob@example.com"});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com",
                                             "roles/viewer user:bob@example.com"));
}

TEST_F(EngineCommand, ARollbackThatIsRefusedLeavesEverythingEnforced) {
  world.Declare("suspended", "t", kEditor, {kAna});
  world.Pass();
  ASSERT_TRUE(world.engine->commands().Suspend({"suspended"}, true, "ops", world.now).has_value());
  world.Work();
  world.cloud->Fail({.operation = "setIamPolicy",
                     .status = 400,
                     .code = "INVALID_ARGUMENT",
                     .message = "User eve@example.com does not exist."});
  ASSERT_TRUE(RollBack().has_value());
  world.Work();
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_FALSE(answers[0].done);
  EXPECT_THAT(answers[0].message,
              ::testing::EndsWith("does not exist. (HTTP 400); nothing was brought back, and what "
                                  "is declared is enforced again"));
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Status("suspended"), "Suspended Suspended") << "not by the rollback";
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

TEST_F(EngineCommand, ARollbackThatFailsForNowSaysThatItIsTriedAgain) {
  world.cloud->Fail({.operation = "setIamPolicy", .status = 503, .code = "UNAVAILABLE"});
  ASSERT_TRUE(RollBack().has_value());
  world.Work();
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_FALSE(answers[0].done);
  EXPECT_THAT(answers[0].message, ::testing::HasSubstr("it is tried again until it succeeds"));
  world.Advance(std::chrono::seconds(5));
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/owner user:eve@example.com"));
}

TEST_F(EngineCommand, ARollbackThatIsAskedForWhileAnotherIsWrittenIsCarriedOut) {
  ASSERT_TRUE(RollBack().has_value());
  Engine::Actions actions = world.Step();
  ASSERT_THAT(actions.checks, SizeIs(1));
  world.Check(actions.checks[0]);
  actions = world.Step();
  ASSERT_THAT(actions.writes, SizeIs(1));
  const store::RevisionRecord& other = world.store.state.revisions.back();
  ASSERT_NE(other.id, First().id);
  ASSERT_TRUE(world.engine->commands().Rollback("m", other, "ops", world.now, Note()).has_value());
  world.Write(actions.writes[0]);
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
  EXPECT_THAT(world.store.state.rollbacks, IsEmpty());
}

TEST_F(EngineCommand, ARestartForgetsNoRollbackThatIsHeld) {
  world.settings.guard = {0, 1.0};
  world.Configure();
  ASSERT_TRUE(RollBack().has_value());
  world.Work();
  const std::string digest = world.HoldDigest();
  ASSERT_NE(digest, "");
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.HoldDigest(), digest);
  EXPECT_EQ(world.store.state.holds.at(digest).state, HoldState::kOpen);
  ASSERT_TRUE(world.engine->commands().Approve(digest, "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/owner user:eve@example.com"));
  EXPECT_EQ(world.store.state.revisions.back().origin, Origin::kRollback);
  EXPECT_EQ(world.store.state.revisions.back().actor, "ops");
  EXPECT_THAT(world.store.state.rollbacks, IsEmpty());
}

TEST_F(EngineCommand, ARestartGoesOnWithARollbackThatFailedForNow) {
  world.cloud->Fail({.operation = "setIamPolicy", .status = 503, .code = "UNAVAILABLE"});
  ASSERT_TRUE(RollBack().has_value());
  world.Work();
  world.Restart();
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/owner user:eve@example.com"));
  EXPECT_EQ(world.Status("m"), "Suspended Suspended");
  EXPECT_THAT(world.store.state.rollbacks, IsEmpty());
}

TEST_F(EngineCommand, ARollbackWhoseRevisionIsGoneAfterARestartIsGivenUp) {
  world.cloud->Fail({.operation = "setIamPolicy", .status = 503, .code = "UNAVAILABLE"});
  ASSERT_TRUE(RollBack().has_value());
  world.Work();
  world.store.state.rollbacks.begin()->second.revision = 4711;
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.Events("RollbackGivenUp"), 1);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_THAT(world.store.state.rollbacks, IsEmpty());
}

TEST_F(EngineCommand, ARollbackOfAnotherTargetIsRefused) {
  store::RevisionRecord revision = First();
  revision.id = 77;
  revision.target.name = "other";
  const auto refused = world.engine->commands().Rollback("m", revision, "ops", world.now, Note());
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(ToString(refused.error()),
            "INVALID_ARGUMENT: revision 77 is of another target (other)");
  EXPECT_EQ(world.Record("m").suspended, false);
}

TEST_F(EngineCommand, ForgettingNeedsTheManifestGone) {
  const auto refused = world.engine->commands().Forget({"m"}, "ops", world.now);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(
      ToString(refused.error()),
      "FAILED_PRECONDITION: the manifest of \"m\" is still there (m.yaml:1): remove it first");
}

TEST_F(EngineCommand, NothingIsForgottenThatTheNextCheckWouldRemove) {
  world.Declare("kept", "t", kEditor, {"user:eve@example.com"}).options.protect = true;
  world.Pass();
  world.Remove("kept");
  world.Pass();
  const auto refused = world.engine->commands().Forget({"kept"}, "ops", world.now);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(ToString(refused.error()),
              AllOf(HasSubstr("FAILED_PRECONDITION: to forget \"kept\" would take away"),
                    HasSubstr("\"m\" (m.yaml:1)"), HasSubstr("undeclaredRoles")));
  world.NextInterval();
  EXPECT_EQ(world.Status("kept"), "Stalled Protected");
  EXPECT_THAT(world.Grants("t"), Contains("roles/editor user:eve@example.com"));
}

TEST_F(EngineCommand, WhatItClaimedBeforeIsForgottenWithIt) {
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  world.Declare("n", "u", kViewer, {"user:eve@example.com"}).options.retain_on_delete = true;
  world.Pass();
  world.Declare("n", "u", kEditor, {"user:eve@example.com"}).options.retain_on_delete = true;
  world.Declare("o", "u", "roles/owner", {"user:eve@example.com"}).options.protect = true;
  world.Pass();
  EXPECT_LE(world.Reads(), 8) << "what is retained for good is not looked at again and again";
  world.Remove("n");
  world.Remove("o");
  world.Pass();
  ASSERT_TRUE(world.engine->commands().Forget({"o", "n"}, "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.store.state.resources, SizeIs(1)) << "m";
}

TEST_F(EngineCommand, RestrictionPoliciesGoTheSameWay) {
  world.cloud->SetRestriction("dashboard:abc",
                              R"([{"relation":"editor","principals":["user:u"]}])");
  world.DeclareRestriction("r", "dashboard:abc", "viewer", {"org:o", "role:r"});
  world.Pass();
  EXPECT_EQ(world.cloud->Restriction("dashboard:abc").dump(),
            R"([{"relation":"viewer","principals":["org:o","role:r"]}])");
  EXPECT_EQ(world.Record("r").target.scope.str(), "monitoring");
  world.NextInterval();
  world.Remove("r");
  world.Pass();
  EXPECT_THAT(world.cloud->Restriction("dashboard:abc"), IsEmpty());
  EXPECT_EQ(world.cloud->Calls("delete"), 1);
  EXPECT_EQ(world.Status("r"), "gone");
}

}  // namespace
}  // namespace bindery::controller
