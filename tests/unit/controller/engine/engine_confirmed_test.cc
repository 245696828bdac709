// An answer that is the one last found as declared is not compared again: decision 15.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

class EngineConfirmed : public ::testing::Test {
 protected:
  EngineConfirmed() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.Declare("m", "t", kViewer, {kAna});
    world.Pass();
    world.NextInterval();  // The answer to its own write is confirmed by this check.
  }
  /// The next check of the target, and whether it would compare an answer that is the same.
  [[nodiscard]] bool Compares() {
    world.MoveOn(world.settings.recheck.interval + std::chrono::seconds(1));
    controller::Engine::Actions actions = world.Step();
    bool compares = false;
    for (const auto& task : actions.checks) {
      compares = compares || task.job->known_body.empty();
      world.Check(task);
    }
    world.Work();
    return compares;
  }

  EngineWorld world;
};

TEST_F(EngineConfirmed, TheSameAnswerIsNotComparedAgain) {
  EXPECT_FALSE(Compares());
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineConfirmed, AnotherAnswerIs) {
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  std::ignore = Compares();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

TEST_F(EngineConfirmed, SettingsThatChangedHaveItComparedAgain) {
  world.Configure();
  EXPECT_TRUE(Compares());
}

TEST_F(EngineConfirmed, AReloadDuringACheckLeavesNothingConfirmedByTheOldRules) {
  world.Configure();
  world.MoveOn(world.settings.recheck.interval + std::chrono::seconds(1));
  controller::Engine::Actions actions = world.Step();
  ASSERT_THAT(actions.checks, Not(IsEmpty()));
  world.settings.catalog.keep_undeclared = true;
  world.Configure();
  for (const auto& task : actions.checks) world.Check(task);
  world.Work();
  EXPECT_TRUE(Compares());
}

TEST_F(EngineConfirmed, AChangedManifestHasItComparedAgain) {
  world.Declare("m", "t", kViewer, {kAna, kBob});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com",
                                             "roles/viewer user:bob@example.com"));
}

TEST_F(EngineConfirmed, AFailedCheckHasItComparedAgainSoThatTheStatusRecovers) {
  world.cloud->Fail({.operation = "getIamPolicy", .status = 403, .code = "PERMISSION_DENIED"});
  world.NextInterval();
  ASSERT_EQ(world.Status("m"), "Stalled PERMISSION_DENIED");
  world.NextInterval();
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineConfirmed, TimesOfObservationsAreOnRecordWithinASecond) {
  const WallTime before = world.store.state.targets.begin()->second.observed_at;
  world.NextInterval();
  world.Advance(std::chrono::seconds(1));
  EXPECT_GT(world.store.state.targets.begin()->second.observed_at, before);
}

TEST(EngineNotRecorded, AStoreThatLacksAChangeIsNotTrustedByTheNextStart) {
  EngineWorld world;
  world.settings.catalog.rules = "of today";
  world.Configure();
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  ASSERT_EQ(world.store.state.generations.back().rules, "of today");
  world.engine->scans().OnStoreWriteFailed(world.now);
  world.Advance(std::chrono::seconds(3));
  EXPECT_EQ(world.store.state.generations.back().rules, "");
  world.Declare("m", "t", kViewer, {kAna, kBob});
  world.Pass();
  EXPECT_EQ(world.store.state.generations.back().rules, "");
}

}  // namespace
}  // namespace bindery::testing
