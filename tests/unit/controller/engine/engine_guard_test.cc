// Removals over the limits wait, together, until someone lets them through or they are not wanted.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/controller/twelve_targets.h"

namespace bindery::controller {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kViewer;
using ::testing::SizeIs;

class EngineGuard : public testing::TwelveTargets {
 protected:
  void RemoveManifests(int count) {
    for (int i = 0; i < count; ++i) world.Remove(Id(i));
  }
};

TEST_F(EngineGuard, WithinTheLimitTheyGo) {
  RemoveManifests(5);
  world.Pass();
  EXPECT_EQ(EmptyTargets(), 5);
  EXPECT_THAT(world.Names(), SizeIs(kTargets - 5));
  EXPECT_EQ(world.HoldDigest(), "");
}

TEST_F(EngineGuard, OverTheLimitNoneGoes) {
  RemoveManifests(6);
  world.Pass();
  EXPECT_EQ(EmptyTargets(), 0);
  EXPECT_EQ(world.Status(Id(0)), "Stalled GuardHeld");
  EXPECT_EQ(world.Message(Id(0)),
            "removals on its target are held by the guard (6 grants would be removed, more than "
            "guard.maxRemovedGrants (5)): bindery guard");
  EXPECT_EQ(world.Status(Id(7)), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Events("GuardHeld"), 1 + 6);  // the hold, and each resource
  ASSERT_THAT(world.store.state.holds, SizeIs(1));
  const store::HoldRecord& hold = world.store.state.holds.begin()->second;
  EXPECT_EQ(hold.digest, world.HoldDigest());
  EXPECT_EQ(hold.state, HoldState::kOpen);
  EXPECT_EQ(hold.purpose, HoldPurpose{});
  EXPECT_THAT(*ParseJson(hold.items), SizeIs(6));
  for (const store::DriftRecord& record : world.store.state.drift) {
    EXPECT_TRUE(record.resolved_at || record.item.state == DriftState::kHeld);
  }
}

TEST_F(EngineGuard, AdditionsStillGo) {
  for (int i = 0; i < 6; ++i) world.Declare(Id(i), Id(i), kViewer, {"user:bob@example.com"});
  world.Pass();
  EXPECT_EQ(EmptyTargets(), 0);
  EXPECT_THAT(world.Grants(Id(0)), ElementsAre("roles/viewer user:ana@example.com",
                                               "roles/viewer user:bob@example.com"));
  EXPECT_EQ(world.Status(Id(0)), "Stalled GuardHeld");
}

TEST_F(EngineGuard, WhatIsHeldStaysHeldFromCheckToCheckAndWritesNothing) {
  RemoveManifests(6);
  world.Pass();
  world.NextInterval();
  world.cloud->ResetCounts();
  world.changes_with_content = 0;
  world.NextInterval();
  EXPECT_EQ(world.Reads(), kTargets);
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.changes_with_content, 0);
  EXPECT_EQ(world.Status(Id(0)), "Stalled GuardHeld");
}

TEST_F(EngineGuard, AllManifestsGoneIsStillOverTheFractionAtTheNextScanAndRestart) {
  world.settings.guard = {50, 0.25};
  world.Configure();
  RemoveManifests(kTargets);
  world.Pass();
  EXPECT_EQ(EmptyTargets(), 0);
  EXPECT_EQ(
      world.Message(Id(0)),
      "removals on its target are held by the guard (12 grants would be removed of the 12 the "
      "directory held, more than guard.maxRemovedFraction (0.25)): bindery guard");
  const std::string digest = world.HoldDigest();
  world.Pass();  // nothing is left to measure by, but what waits
  world.NextInterval();
  EXPECT_EQ(EmptyTargets(), 0);
  world.Restart();
  EXPECT_EQ(world.HoldDigest(), digest) << "known before anything is read";
  world.Pass();
  world.NextInterval();
  EXPECT_EQ(EmptyTargets(), 0);
  EXPECT_EQ(world.HoldDigest(), digest);
  EXPECT_THAT(world.store.state.holds, SizeIs(1));
}

TEST_F(EngineGuard, ApprovalLetsThroughExactlyThose) {
  RemoveManifests(6);
  world.Pass();
  const std::string digest = world.HoldDigest();
  const auto wrong = world.engine->commands().Approve("ffffffffffff", "ops", world.now);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(ToString(wrong.error()),
            "NOT_FOUND: nothing is held under \"ffffffffffff\"; what is "
            "held now is \"" +
                digest + "\"");
  ASSERT_TRUE(world.engine->commands().Approve(digest.substr(0, 6), "ops", world.now).has_value());
  // Meanwhile someone else adds another grant to one of them.
  world.cloud->AddTarget(EngineWorld::TargetName(Id(0)),
                         R"([{"role":"roles/viewer","members":["user:ana@example.com",)"
                         R"("user:new@example.com"]}])");
  world.settings.guard = {0, 1.0};
  world.Configure();
  world.Work();
  EXPECT_EQ(EmptyTargets(), 5);
  EXPECT_THAT(world.Grants(Id(0)), ElementsAre("roles/viewer user:new@example.com"));
  EXPECT_EQ(world.Status(Id(0)), "Stalled GuardHeld");
  EXPECT_EQ(world.store.state.holds.at(digest).actor, "ops");
  EXPECT_NE(world.HoldDigest(), digest);
}

TEST_F(EngineGuard, AnApprovalIsClosedWhenItWasCarriedOut) {
  RemoveManifests(6);
  world.Pass();
  const std::string digest = world.HoldDigest();
  ASSERT_TRUE(world.engine->commands().Approve(digest, "ops", world.now).has_value());
  world.Work();
  world.Advance(seconds(1));
  EXPECT_EQ(EmptyTargets(), 6);
  EXPECT_EQ(world.store.state.holds.at(digest).state, HoldState::kReleased);
  EXPECT_THAT(world.Names(), SizeIs(kTargets - 6));
}

TEST_F(EngineGuard, AnApprovalSurvivesARestart) {
  RemoveManifests(6);
  world.Pass();
  const std::string digest = world.HoldDigest();
  ASSERT_TRUE(world.engine->commands().Approve(digest, "ops", world.now).has_value());
  Engine::Actions lost = world.Step();  // stored, but its reads never happen
  ASSERT_THAT(lost.checks, SizeIs(6));
  world.Restart();
  world.Pass();
  EXPECT_EQ(EmptyTargets(), 6);
  EXPECT_EQ(world.store.state.holds.at(digest).state, HoldState::kReleased);
}

TEST_F(EngineGuard, RightAfterARestartWhatIsHeldCanBeApproved) {
  RemoveManifests(6);
  world.Pass();
  const std::string digest = world.HoldDigest();
  world.Restart();
  ASSERT_TRUE(world.engine->commands().Approve(digest, "ops", world.now).has_value());
  world.Pass();
  EXPECT_EQ(EmptyTargets(), 6);
}

TEST_F(EngineGuard, AnApprovedTargetGoesThoughOthersInItsPassAreHeld) {
  RemoveManifests(6);
  world.Pass();
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
  for (int i = 6; i < kTargets; ++i) world.Remove(Id(i));
  world.Pass();
  EXPECT_EQ(EmptyTargets(), 6);
  EXPECT_EQ(world.Status(Id(6)), "Stalled GuardHeld");
}

TEST_F(EngineGuard, ANewGenerationThatFitsReleasesTheRest) {
  RemoveManifests(8);
  world.Pass();
  ASSERT_EQ(EmptyTargets(), 0);
  const std::size_t holds_before = world.store.state.holds.size();
  for (int i = 0; i < 4; ++i) world.Declare(Id(i), Id(i), kViewer, {kAna});
  world.Pass();
  EXPECT_EQ(EmptyTargets(), 4);
  EXPECT_EQ(world.Status(Id(0)), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Status(Id(5)), "gone");
  EXPECT_EQ(world.HoldDigest(), "");
  // The hold did not shrink target by target on record.
  EXPECT_EQ(world.store.state.holds.size(), holds_before);
  EXPECT_EQ(world.store.state.holds.begin()->second.state, HoldState::kWithdrawn);
}

TEST_F(EngineGuard, NothingIsRemovedBeforeTheWholePassWasRead) {
  RemoveManifests(6);
  ASSERT_TRUE(world.Scan().confirm);
  world.Scan();
  Engine::Actions actions = world.Step();
  ASSERT_THAT(actions.checks, SizeIs(6));
  for (std::size_t i = 0; i < 5; ++i) {
    world.Check(actions.checks[i]);
    EXPECT_THAT(world.Step().writes, IsEmpty());
  }
  world.Check(actions.checks[5]);
  EXPECT_THAT(world.Step().writes, IsEmpty());
  EXPECT_EQ(world.engine->removals().guard().held().Grants(), 6);
}

TEST_F(EngineGuard, AHangingReadDoesNotHoldUpThePassForEver) {
  RemoveManifests(3);
  world.Scan();
  world.Scan();
  Engine::Actions actions = world.Step();
  ASSERT_THAT(actions.checks, SizeIs(3));
  world.Check(actions.checks[0]);
  world.Check(actions.checks[1]);
  EXPECT_THAT(world.Step().writes, IsEmpty());
  ASSERT_TRUE(world.engine->NextWake().has_value());
  world.now.mono += seconds(11);
  EXPECT_THAT(world.Step().writes, SizeIs(2));
}

TEST_F(EngineGuard, ARepeatedWriteCountsOnce) {
  world.Remove(Id(0));
  world.Remove(Id(1));
  world.Remove(Id(2));
  world.cloud->Fail({"setIamPolicy", "", 503, "UNAVAILABLE", false, false, 9});
  world.Pass();
  world.Advance(seconds(120));
  EXPECT_EQ(EmptyTargets(), 3);
  EXPECT_EQ(world.HoldDigest(), "");
}

TEST_F(EngineGuard, OutsideAPassRemovalsCountByTheInterval) {
  for (int i = 0; i < kTargets; ++i) {
    world.cloud->AddTarget(EngineWorld::TargetName(Id(i)),
                           R"([{"role":"roles/viewer","members":["user:ana@example.com",)"
                           R"("user:eve@example.com"]}])");
  }
  world.Advance(world.settings.recheck.interval - seconds(1));
  int corrected = 0;
  for (int i = 0; i < kTargets; ++i) corrected += world.Grants(Id(i)).size() == 1 ? 1 : 0;
  EXPECT_EQ(corrected, 5);
  EXPECT_EQ(world.engine->removals().guard().held().Grants(), kTargets - 5);
}

/// Two roles of one target, of which the other manifest's is left alone.
class EngineApproval : public ::testing::TestWithParam<std::optional<Mode>> {
 protected:
  EngineApproval() {
    world.settings.guard.hold_severity = Severity::kLow;
    world.Configure();
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    Declare({kAna, testing::kBob});
    world.Declare("other", "t", testing::kEditor, {testing::kEve}).options.mode = GetParam();
    world.Pass();
  }
  void Declare(const std::vector<std::string>& members) {
    world.Declare("m", "t", kViewer, members);
  }
  EngineWorld world;
};

TEST_P(EngineApproval, EndsWhenWhatItIsAboutIsDeclaredAgain) {
  Declare({kAna});
  world.Pass();
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.cloud->Fail({.operation = "setIamPolicy", .status = 403, .code = "PERMISSION_DENIED"});
  world.Work();
  Declare({kAna, testing::kBob});
  world.Pass();
  EXPECT_EQ(world.store.state.holds.begin()->second.state, HoldState::kReleased);
  Declare({kAna});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ::testing::Contains(testing::kBobViews))
      << "nobody was asked about this removal";
  EXPECT_EQ(world.Status("m"), "Stalled GuardHeld");
}

TEST_P(EngineApproval, EndsThoughTheManifestThatDeclaresItAgainIsLeftAlone) {
  Declare({kAna});
  world.Pass();
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.cloud->Fail({.operation = "setIamPolicy", .status = 403, .code = "PERMISSION_DENIED"});
  world.Work();
  Declare({kAna, testing::kBob});
  world.manifests["m"].options.suspend = true;
  world.Pass();
  Declare({kAna});
  world.manifests["m"].options.suspend = false;
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ::testing::Contains(testing::kBobViews));
}

INSTANTIATE_TEST_SUITE_P(Beside, EngineApproval,
                         ::testing::Values(std::optional<Mode>(),
                                           std::optional<Mode>(Mode::kObserve)),
                         [](const auto& mode) { return mode.param ? "Observed" : "Enforced"; });

}  // namespace
}  // namespace bindery::controller
