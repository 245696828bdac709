// Manifests that go while their target is answered with NOT_FOUND.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::testing {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EngineMissing : public ::testing::Test {
 protected:
  EngineMissing() {
    world.settings.catalog.keep_undeclared = true;
    world.Configure();
    world.cloud->AddTarget(EngineWorld::TargetName("t"),
                           R"([{"role":"roles/owner","members":["user:eve@example.com"]}])");
    world.Declare("m", "t", kViewer, {kAna});
    world.Pass();
  }
  void Answer(int status, const char* code, int times = 1'000'000) {
    world.cloud->Fail(
        {.operation = "getIamPolicy", .status = status, .code = code, .times = times});
  }
  void ExpectRemovedAfterAll() {
    EXPECT_EQ(world.Events("Deleted"), 0);
    world.cloud->EndFaults();
    world.NextInterval();
    EXPECT_THAT(world.Grants("t"), ElementsAre(kEveOwns));
    EXPECT_EQ(world.Status("m"), "gone");
    EXPECT_EQ(world.Events("Deleted"), 1);
  }
  EngineWorld world;
};

TEST_F(EngineMissing, ForSecondsTheyStayOnTheirWayOutUntilAReadingShowsThemGone) {
  Answer(404, "NOT_FOUND");
  world.Remove("m");
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Reconciling TargetNotFound");
  EXPECT_EQ(world.Message("m"),
            "its manifest is gone, but its target is not found, so that what it granted cannot be "
            "seen to be gone: it is looked for each interval, and released after 1d without it "
            "(now: bindery forget \"m\")");
  EXPECT_EQ(world.Events("TargetNotFound"), 1);
  world.Advance(seconds(20));
  ExpectRemovedAfterAll();
}

TEST_F(EngineMissing, AlsoWhereOtherRefusalsComeBetween) {
  Answer(403, "PERMISSION_DENIED", 1);
  Answer(404, "NOT_FOUND", 1);
  Answer(403, "PERMISSION_DENIED", 1);
  Answer(404, "NOT_FOUND");
  world.Remove("m");
  world.Pass();
  for (int i = 0; i < 5; ++i) world.NextInterval();
  EXPECT_EQ(world.Status("m"), "Reconciling TargetNotFound");
  ExpectRemovedAfterAll();
}

TEST_F(EngineMissing, AlsoWhereTheWriteIsAnsweredSo) {
  world.cloud->Fail({.operation = "setIamPolicy", .status = 404, .code = "NOT_FOUND"});
  world.Remove("m");
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Reconciling TargetNotFound");
  ExpectRemovedAfterAll();
}

TEST_F(EngineMissing, AlsoWhereTheManifestMovedToAnotherTarget) {
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  world.cloud->Fail({.operation = "getIamPolicy",
                     .target = EngineWorld::TargetName("t"),
                     .status = 404,
                     .code = "NOT_FOUND",
                     .times = 1'000'000});
  world.Declare("m", "u", kViewer, {kAna});
  world.Pass();
  EXPECT_THAT(world.Grants("u"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Status("m (before generation 2)"), "Reconciling TargetNotFound");
  world.cloud->EndFaults();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kEveOwns));
  EXPECT_THAT(world.Names(), ElementsAre("m"));
}

TEST_F(EngineMissing, AfterADayTheyAreReleasedAndThatIsWhatIsSaid) {
  world.cloud->RemoveTarget(EngineWorld::TargetName("t"));
  world.Remove("m");
  world.Pass();
  EXPECT_TRUE(world.engine->Settled(3)) << "run --once does not wait for it";
  for (const store::DriftRecord& record : world.store.state.drift) {
    EXPECT_NE(record.item.drift_class, DriftClass::kTargetMissing) << "nobody misses it";
  }
  world.Advance(hours(23));
  EXPECT_EQ(world.Status("m"), "Reconciling TargetNotFound");
  world.Advance(hours(2));
  EXPECT_EQ(world.Status("m"), "gone");
  EXPECT_EQ(world.Events("Released"), 1);
  EXPECT_EQ(world.Events("Deleted"), 0);
  EXPECT_THAT(world.store.state.targets, IsEmpty());
}

TEST_F(EngineMissing, ATargetThatShowsUpInBetweenBeginsTheDayAnew) {
  world.Remove("m");
  Answer(404, "NOT_FOUND");
  world.Pass();
  world.Advance(hours(20));
  world.cloud->EndFaults();
  Answer(403, "PERMISSION_DENIED", 1);
  Answer(404, "NOT_FOUND");
  world.Advance(hours(20));
  EXPECT_EQ(world.Status("m"), "Reconciling TargetNotFound");
  ExpectRemovedAfterAll();
}

TEST_F(EngineMissing, ProcessesThatRunOnceCountTheDayTogether) {
  world.cloud->RemoveTarget(EngineWorld::TargetName("t"));
  world.Remove("m");
  world.Pass();
  for (int i = 0; i < 23; ++i) {
    world.MoveOn(hours(1));
    world.Restart();
    world.Pass();
    ASSERT_EQ(world.Status("m"), "Reconciling TargetNotFound") << i;
  }
  world.MoveOn(hours(1));
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.Status("m"), "gone");
}

TEST_F(EngineMissing, AnOperatorReleasesThemAtOnce) {
  Answer(404, "NOT_FOUND");
  world.Remove("m");
  world.Pass();
  ASSERT_TRUE(world.engine->commands().Forget({"m"}, "ops", world.now).has_value());
  world.Work();
  EXPECT_EQ(world.Status("m"), "gone");
}

TEST_F(EngineMissing, WhatTheGuardHoldsStaysHeld) {
  world.settings.guard.max_removed_grants = 0;
  world.Configure();
  world.Remove("m");
  world.Pass();
  const std::string digest = world.HoldDigest();
  ASSERT_NE(digest, "");
  Answer(404, "NOT_FOUND");
  for (int i = 0; i < 5; ++i) world.NextInterval();
  EXPECT_EQ(world.HoldDigest(), digest);
  world.cloud->EndFaults();
  world.NextInterval();
  EXPECT_EQ(world.HoldDigest(), digest);
  EXPECT_THAT(world.Grants("t"), ElementsAre(kEveOwns, kAnaViews));
}

TEST_F(EngineMissing, WhatTheyDependOnDoesNotWaitForThem) {
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  world.Declare("base", "u", kViewer, {kAna});
  auto rare = std::make_shared<manifests::ExtraOptions>();
  rare->depends_on = {"base"};
  world.Declare("m", "t", kViewer, {kAna}).options.rare = rare;
  world.Pass();
  world.cloud->RemoveTarget(EngineWorld::TargetName("t"));
  world.Remove("m");
  world.Remove("base");
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("u"), IsEmpty());
  EXPECT_THAT(world.Names(), ElementsAre("m"));
}

}  // namespace
}  // namespace bindery::testing
