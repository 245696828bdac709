#include "app/observe/hour_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::app {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class RecordingHours final : public store::HourStore {
 public:
  void AddToHour(const store::HourRecord& more) override { told.push_back(more); }
  [[nodiscard]] Expected<std::vector<store::HourRecord>> Hours(WallTime /*from*/,
                                                               WallTime /*until*/) const override {
    return told;
  }

  std::vector<store::HourRecord> told;
};

class HourTallyTest : public ::testing::Test {
 protected:
  void After(std::chrono::seconds time) {
    world_.now.mono += time;
    world_.now.wall += time;
    tally_.Sample(*world_.engine, world_.now, hours_);
  }

  testing::EngineWorld world_;  // It begins with an hour.
  RecordingHours hours_;
  HourTally tally_;
};

TEST_F(HourTallyTest, TellsWhatHappenedSinceTheLastMinute) {
  After(0s);
  tally_.Found();
  tally_.Written();
  tally_.Written();
  tally_.Failed();
  for (int i = 0; i < 4; ++i) tally_.Called();
  After(59s);
  ASSERT_THAT(hours_.told, SizeIs(1)) << "within the minute";
  After(1s);
  ASSERT_THAT(hours_.told, SizeIs(2));
  const store::HourRecord& told = hours_.told.back();
  EXPECT_EQ(told.hour, std::chrono::floor<std::chrono::hours>(world_.now.wall));
  EXPECT_EQ(told.found, 1);
  EXPECT_EQ(told.writes, 2);
  EXPECT_EQ(told.errors, 1);
  EXPECT_EQ(told.calls, 4);
  tally_.Called();
  After(60s);
  EXPECT_EQ(hours_.told.back().calls, 1) << "each is told once";
  EXPECT_EQ(hours_.told.back().writes, 0);
}

TEST_F(HourTallyTest, AnIdleDaemonTellsOncePerHour) {
  for (int minute = 0; minute < 180; ++minute) After(60s);
  EXPECT_THAT(hours_.told, SizeIs(4)) << "three hours, and the first minute of the fourth";
}

TEST_F(HourTallyTest, WhatIsLeftIsToldAtTheEnd) {
  After(0s);
  tally_.Called();
  tally_.Finish(*world_.engine, world_.now, hours_);
  EXPECT_EQ(hours_.told.back().calls, 1);
  hours_.told.clear();
  tally_.Finish(*world_.engine, world_.now, hours_);
  EXPECT_THAT(hours_.told, IsEmpty());
}

TEST_F(HourTallyTest, AClockThatIsSetBackStopsNothing) {
  After(0s);
  world_.now.wall -= std::chrono::hours(30);
  tally_.Called();
  After(60s);
  EXPECT_EQ(hours_.told.back().hour, std::chrono::floor<std::chrono::hours>(world_.now.wall));
}

}  // namespace
}  // namespace bindery::app
