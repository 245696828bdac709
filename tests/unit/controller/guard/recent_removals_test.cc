#include "controller/guard/recent_removals.h"

#include <gtest/gtest.h>

#include "unit/controller/guard_cases.h"

namespace bindery::controller {
namespace {

using std::chrono::hours;
using testing::At;
using testing::Of;

/// What of 5 removals on a target counts, which an earlier write has let go.
struct OutcomeCase {
  const char* name;
  void (*happens)(RecentRemovals& recent);
  std::int64_t counts;       ///< Right after it.
  std::int64_t beside_next;  ///< When 3 more were let go there.
};

class RecentRemovalsTest : public ::testing::TestWithParam<OutcomeCase> {};

TEST_P(RecentRemovalsTest, ARemovalThatMayHaveHappenedCounts) {
  RecentRemovals recent;
  recent.PassTime(At(0));
  recent.LetGo(Of("a", 0), {5, 4}, 2);
  GetParam().happens(recent);
  EXPECT_EQ(recent.declared().Total(), GetParam().counts);
  EXPECT_EQ(recent.adopted().Total(), GetParam().counts == 0 ? 0 : 4);
  EXPECT_EQ(recent.foreign().Total(), GetParam().counts == 0 ? 0 : 2);
  recent.LetGo(Of("a", 0), {3, 0}, 0);
  EXPECT_EQ(recent.declared().Total(), GetParam().beside_next);
}

INSTANTIATE_TEST_SUITE_P(
    Writes, RecentRemovalsTest,
    ::testing::Values(
        OutcomeCase{"LetGo", [](RecentRemovals& /*recent*/) {}, 5, 3},
        OutcomeCase{"TakenBack", [](RecentRemovals& recent) { recent.TakeBack(Of("a", 0).target); },
                    0, 3},
        OutcomeCase{"Sent", [](RecentRemovals& recent) { recent.Sent(Of("a", 0).target); }, 5, 8},
        OutcomeCase{"SentAndNotTakenBack",
                    [](RecentRemovals& recent) {
                      recent.Sent(Of("a", 0).target);
                      recent.TakeBack(Of("a", 0).target);
                    },
                    5, 8},
        OutcomeCase{"Happened",
                    [](RecentRemovals& recent) {
                      recent.Sent(Of("a", 0).target);
                      recent.Answered(Of("a", 0).target, RecentRemovals::Outcome::kHappened);
                    },
                    5, 8},
        OutcomeCase{"MayHaveHappened",
                    [](RecentRemovals& recent) {
                      recent.Sent(Of("a", 0).target);
                      recent.Answered(Of("a", 0).target, RecentRemovals::Outcome::kMayHaveHappened);
                    },
                    5, 8},
        OutcomeCase{"Refused",
                    [](RecentRemovals& recent) {
                      recent.Sent(Of("a", 0).target);
                      recent.Answered(Of("a", 0).target, RecentRemovals::Outcome::kNothingHappened);
                    },
                    0, 3}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(RecentRemovals, WhatOthersCausedCountsForAWindowOfItsOwn) {
  RecentRemovals recent;
  recent.SetLengths({});
  recent.PassTime(At(0));
  recent.LetGo(Of("a", 0), {1, 1}, 1);
  recent.Sent(Of("a", 0).target);
  recent.Answered(Of("a", 0).target, RecentRemovals::Outcome::kHappened);
  recent.PassTime(At(5));
  EXPECT_EQ(recent.foreign().Total(), 0);
  EXPECT_EQ(recent.declared().Total() + recent.adopted().Total(), 2);
  recent.PassTime(At(60));
  EXPECT_EQ(recent.declared().Total() + recent.adopted().Total(), 0);
}

TEST(RecentRemovals, ARunMeasuresByWhatTheDirectoryHeldBeforeTheLastRunsRemovals) {
  RecentRemovals recent;
  recent.PassTime(At(0));
  store::RemovalRecord removal;
  removal.target = Of("a", 0).target;
  removal.started = At(0).wall;
  removal.declared = 30;
  removal.adopted = 7;
  recent.Restore(removal);
  EXPECT_EQ(recent.declared().OnTarget(removal.target.Key()), 30);
  EXPECT_EQ(recent.adopted().Total(), 7);
  recent.BeginPass(100 + recent.declared().Total());
  EXPECT_EQ(recent.MostHeld(), 130);
  recent.BeginPass(50);
  EXPECT_EQ(recent.MostHeld(), 130) << "the most counts";
}

/// What services say of the local clock, by which removals of the last run are three hours old.
struct ToldTimeCase {
  const char* name;
  ClockJudgement::Verdict verdict;
  hours ahead;
  std::int64_t counts;
};

class ToldTime : public ::testing::TestWithParam<ToldTimeCase> {};

TEST_P(ToldTime, SaysWhichRemovalsOfTheLastRunCount) {
  RecentRemovals recent;
  recent.SetLengths({});
  recent.PassTime(At(190));
  store::RemovalRecord removal;
  removal.target = Of("a", 0).target;
  removal.started = At(0).wall;
  removal.declared = 30;
  recent.Restore(removal);
  EXPECT_EQ(recent.declared().Total(), 0);
  recent.HearTime({GetParam().verdict, GetParam().ahead});
  EXPECT_EQ(recent.declared().Total(), GetParam().counts);
  EXPECT_EQ(recent.AwaitsTime(), GetParam().verdict == ClockJudgement::Verdict::kUnknown);
  recent.PassTime(At(190 + 60));
  EXPECT_EQ(recent.declared().Total(), 0) << "its window has passed";
}

TEST(RecentRemovals, OfAClockThatWasAheadIsOldWhenTheServicesSaySo) {
  RecentRemovals recent;
  recent.SetLengths({});
  recent.PassTime(At(0));
  for (const bool open : {false, true}) {
    store::RemovalRecord removal;
    removal.target = Of(open ? "open" : "done", 0).target;
    removal.started = At(190).wall;
    removal.declared = open ? 2 : 30;
    removal.open = open;
    recent.Restore(removal);
  }
  EXPECT_EQ(recent.declared().Total(), 32) << "of the future, until somebody tells the time";
  recent.HearTime({ClockJudgement::Verdict::kDisputed, hours(-5)});
  EXPECT_EQ(recent.declared().Total(), 2) << "what may still happen counts in any case";
  recent.Answered(Of("open", 0).target, RecentRemovals::Outcome::kNothingHappened);
  EXPECT_EQ(recent.declared().Total(), 0);
}

/// Ten minutes old by the local clock. Services that are ahead make them no older, and an outcome
/// that was late counts also before a service tells the time.
TEST(RecentRemovals, OfTheLastRunHaveTheYoungerOfTheirAges) {
  RecentRemovals recent;
  recent.SetLengths({});
  recent.PassTime(At(200));
  store::RemovalRecord started_late;
  started_late.target = Of("a", 0).target;
  started_late.started = At(190).wall;
  started_late.declared = 30;
  recent.Restore(started_late);
  store::RemovalRecord ended_late = started_late;
  ended_late.target = Of("b", 0).target;
  ended_late.started = At(0).wall;
  ended_late.ended = At(190).wall;
  ended_late.declared = 4;
  recent.Restore(ended_late);
  EXPECT_EQ(recent.declared().Total(), 34) << "before a service tells the time";
  recent.HearTime({ClockJudgement::Verdict::kDisputed, hours(-3)});
  EXPECT_EQ(recent.declared().Total(), 34) << "by services that are three hours ahead";
  recent.PassTime(At(200 + 60));
  EXPECT_EQ(recent.declared().Total(), 0) << "its window has passed";
}

INSTANTIATE_TEST_SUITE_P(
    , ToldTime,
    ::testing::Values(ToldTimeCase{"Unknown", ClockJudgement::Verdict::kUnknown, hours(0), 0},
                      ToldTimeCase{"Right", ClockJudgement::Verdict::kConfirmed, hours(0), 0},
                      ToldTimeCase{"Ahead", ClockJudgement::Verdict::kDisputed, hours(3), 30},
                      ToldTimeCase{"LittleAhead", ClockJudgement::Verdict::kDisputed, hours(1), 0},
                      ToldTimeCase{"Behind", ClockJudgement::Verdict::kDisputed, hours(-3), 0}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::controller
