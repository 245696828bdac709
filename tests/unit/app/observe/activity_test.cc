#include "app/observe/activity.h"

#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::app {
namespace {

using namespace std::chrono_literals;

class ActivityTest : public ::testing::Test {
 protected:
  void SampleAfter(std::chrono::seconds time) {
    world_.now.mono += time;
    world_.now.wall += time;
    activity_.Sample(*world_.engine, world_.now);
  }
  Json Samples() { return report::ToJson(activity_.Report()).at("samples"); }

  testing::EngineWorld world_;
  Activity activity_;
};

TEST_F(ActivityTest, SamplesOncePerPeriod) {
  EXPECT_EQ(report::ToJson(activity_.Report())["since"], nullptr);
  SampleAfter(0s);
  SampleAfter(4s);
  EXPECT_EQ(Samples().size(), 1U);
  SampleAfter(1s);
  EXPECT_EQ(Samples().size(), 2U);
  EXPECT_EQ(report::ToJson(activity_.Report())["since"], Samples()[0]["time"]);
}

TEST_F(ActivityTest, APassIsFromTheFirstWorkToTheLast) {
  const MonoTime start = world_.now.mono;
  activity_.WorkBegan(start);
  activity_.WorkBegan(start + 100ms);
  activity_.WorkEnded(start + 200ms);
  activity_.WorkEnded(start + 1500ms);
  activity_.WorkBegan(start + 2s);
  activity_.WorkEnded(start + 2100ms);
  SampleAfter(5s);
  EXPECT_EQ(Samples()[0]["passSeconds"], 1.5);
  EXPECT_EQ(Samples()[0]["checks"], 3);
  SampleAfter(5s);
  EXPECT_EQ(Samples()[1]["passSeconds"], 0.0);
  EXPECT_EQ(Samples()[1]["checks"], 0);
}

TEST_F(ActivityTest, WorkThatEndsWithoutAWordIsForgotten) {
  activity_.WorkBegan(world_.now.mono);
  SampleAfter(5s);
  activity_.WorkBegan(world_.now.mono);
  activity_.WorkEnded(world_.now.mono + 1s);
  SampleAfter(5s);
  EXPECT_EQ(Samples()[1]["passSeconds"], 1.0);
}

TEST_F(ActivityTest, IsBoundedAndReachesBackToTheStart) {
  for (std::size_t i = 0; i < 100 * Activity::kMostSamples; ++i) SampleAfter(5s);
  const report::ActivityReport report = activity_.Report();
  EXPECT_LE(report.samples.size(), Activity::kMostSamples);
  EXPECT_GE(report.samples.size(), Activity::kMostSamples / 2);
  EXPECT_GT(report.period_seconds, 400);
}

TEST_F(ActivityTest, CountsResources) {
  world_.Declare("a", "x", "roles/viewer", {"user:ana@example.com"});
  world_.Scan();
  SampleAfter(5s);
  EXPECT_EQ(Samples()[0]["resources"], 1);
  EXPECT_EQ(Samples()[0]["ready"], 0);
}

TEST_F(ActivityTest, SamplesFollowWhateverChanges) {
  world_.cloud->AddTarget(testing::EngineWorld::TargetName("x"));
  world_.Declare("a", "x", "roles/viewer", {"user:ana@example.com"});
  world_.Scan();
  SampleAfter(5s);
  const auto expect = [&](int resources, int ready, int open) {
    const Json last = Samples().back();
    EXPECT_EQ(last["resources"], resources) << last;
    EXPECT_EQ(last["ready"], ready) << last;
    EXPECT_EQ(last["open"], open) << last;
  };
  expect(1, 0, 0);
  world_.Work();
  SampleAfter(5s);
  expect(1, 1, 0);
  world_.settings.catalog.mode = Mode::kObserve;
  world_.Configure();
  world_.cloud->AddTarget(testing::EngineWorld::TargetName("x"), "[]");
  world_.NextInterval();
  SampleAfter(5s);
  expect(1, 0, 1);
  world_.Declare("b", "x", "roles/editor", {"user:ana@example.com"});
  world_.Scan();
  SampleAfter(5s);
  EXPECT_EQ(Samples().back()["resources"], 2);
}

}  // namespace
}  // namespace bindery::app
