#include "controller/removals/work_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/controller/plain_values.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::kA;
using testing::kB;
using namespace std::chrono_literals;

constexpr std::array kPhases = {WorkPhase::kChecking, WorkPhase::kParked, WorkPhase::kReadyToWrite,
                                WorkPhase::kWriting};

class WorkTableTest : public ::testing::Test {
 protected:
  TargetUnderWork& Begin(const TargetKey& key) {
    return table.Begin({key, Priority::kChange, now}, now);
  }
  bool Move(const TargetKey& key, WorkPhase to) { return table.Move(key, to, now).has_value(); }
  /// Work on `a` in that phase.
  void BeginIn(WorkPhase phase) {
    Begin(kA);
    const bool writes = phase == WorkPhase::kReadyToWrite || phase == WorkPhase::kWriting;
    const bool moved = (phase != WorkPhase::kParked || Move(kA, WorkPhase::kParked)) &&
                       (!writes || Move(kA, WorkPhase::kReadyToWrite)) &&
                       (phase != WorkPhase::kWriting || Move(kA, WorkPhase::kWriting));
    EXPECT_TRUE(moved);
  }

  WorkTable table;
  MonoTime now{1h};
};

TEST_F(WorkTableTest, MakesTheLegalMovesAndNoOther) {
  for (const WorkPhase from : kPhases) {
    for (const WorkPhase to : kPhases) {
      BeginIn(from);
      const Expected<void> moved = table.Move(kA, to, now);
      EXPECT_EQ(moved.has_value(), MayMove(from, to));
      EXPECT_TRUE(table.IsIn(kA, moved ? to : from)) << "an illegal move changes nothing";
      EXPECT_TRUE(moved || moved.error().code == Code::kInternal);
      table.End(kA);
    }
  }
}

TEST(WorkPhases, GoForwardAndAreWrittenOnlyFromReadyAndPerhapsAgain) {
  for (const WorkPhase from : kPhases) {
    EXPECT_EQ(MayMove(from, WorkPhase::kWriting), from == WorkPhase::kReadyToWrite);
    EXPECT_FALSE(MayMove(from, WorkPhase::kChecking));
    EXPECT_EQ(MayMove(WorkPhase::kWriting, from), from == WorkPhase::kReadyToWrite);
  }
}

TEST_F(WorkTableTest, HandsOutWhatIsReadyInOrderAndPassesOverWhatWasGivenUp) {
  for (const TargetKey& key : {kA, kB}) {
    Begin(key);
    ASSERT_TRUE(Move(key, WorkPhase::kReadyToWrite));
  }
  EXPECT_EQ(table.At(kA).times.ready_at, now);
  table.End(kA);
  EXPECT_EQ(table.TakeReady(), kB);
  EXPECT_EQ(table.TakeReady(), std::nullopt);
  table.PutBack({kB});
  EXPECT_EQ(table.TakeReady(), kB) << "it is still ready";
}

TEST_F(WorkTableTest, TellsTheParkedOnesSorted) {
  Begin(kB);
  Begin(kA);
  EXPECT_TRUE(Move(kB, WorkPhase::kParked));
  EXPECT_TRUE(Move(kA, WorkPhase::kParked));
  EXPECT_THAT(table.Parked(), ElementsAre(kA, kB));
}

TEST_F(WorkTableTest, TellsOfWorkOnASlowTargetWhenItEnds) {
  Begin(kA).slow = true;
  Begin(kB);
  EXPECT_TRUE(table.End(kA));
  EXPECT_FALSE(table.End(kA));
  EXPECT_FALSE(table.End(kB));
}

TEST_F(WorkTableTest, TellsHowLongTheWorkOnAKindTakes) {
  Begin(kA);
  now += 1s;
  Begin(kB);
  const WorkTable::Unfinished unfinished = table.UnfinishedOn("K", now + 2s);
  EXPECT_EQ(unfinished.total, 5s);
  EXPECT_EQ(unfinished.longest, 3s);
  EXPECT_EQ(table.UnfinishedOn("L", now).total, 0s);
}

}  // namespace
}  // namespace bindery::controller
