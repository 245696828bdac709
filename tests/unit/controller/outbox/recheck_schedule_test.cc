#include "controller/outbox/recheck_schedule.h"

#include <gtest/gtest.h>

#include <memory>
#include <tuple>
#include <utility>

namespace bindery::controller {
namespace {

using namespace std::chrono_literals;

class RecheckScheduleTest : public ::testing::Test {
 protected:
  RecheckScheduleTest() {
    schedule.SetSettings({5min}, /*exact=*/{}, /*jitter=*/0);
    target.target = TargetKey(Target{"K", "", "t"});
  }
  RecheckSchedule::Turn After(const Error& error, int failures) {
    target.calls.failures = failures;
    return *schedule.NextTurn(target, &error, /*in_turn=*/true, now);
  }

  RecheckSchedule schedule{1};
  TargetEntry target;
  Now now{MonoTime(1h), WallTime(std::chrono::hours(500'000))};
};

TEST_F(RecheckScheduleTest, NewSettingsEndWhatWasPutOffByFormerOnes) {
  Claims claims;
  TargetEntry& watched = claims.ObtainTarget(target.target);
  watched.provider = Interned("cloud");
  watched.reading.policy_digest = Sha256Digest::Of("policy");
  watched.last_synced_digest = Sha256Digest::Of("as declared");
  watched.calls.checked = true;
  const auto shown = std::make_shared<const TargetPolicies>(
      1, std::pair(*target.target, watched.reading.policy_digest));
  schedule.SetSettings({5min}, /*exact=*/12h, /*jitter=*/0);
  schedule.SetHints({"cloud", shown, {now.mono + 48h, now.wall + 48h}}, claims.targets());
  std::ignore = schedule.NextTurn(watched, nullptr, /*in_turn=*/true, now);
  EXPECT_FALSE(schedule.Plan(claims.targets(), now));
  now.mono += 5min;
  ASSERT_TRUE(schedule.PutOff(watched, /*in_turn=*/true, now));
  now.mono += 1min;
  EXPECT_FALSE(schedule.Plan(claims.targets(), now));
  EXPECT_TRUE(schedule.TakeEnded().empty());
  schedule.SetSettings({5min}, /*exact=*/1h, /*jitter=*/0);
  EXPECT_FALSE(schedule.Plan(claims.targets(), now));
  const auto ended = schedule.TakeEnded();
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended.front().first, target.target);
  EXPECT_LE(ended.front().second, now.mono + 5min);
  EXPECT_TRUE(schedule.TakeEnded().empty()) << "each is given once";
}

TEST_F(RecheckScheduleTest, WhatWasCheckedInItsTurnIsDueAfterThePeriod) {
  const auto turn = schedule.NextTurn(target, nullptr, /*in_turn=*/true, now);
  ASSERT_TRUE(turn);
  EXPECT_EQ(turn->due, now.mono + 5min);
  EXPECT_EQ(turn->priority, Priority::kPeriodic);
  EXPECT_FALSE(turn->retry);
}

TEST_F(RecheckScheduleTest, WhatWasCheckedOutOfTurnIsSpreadOverThePeriod) {
  for (int i = 0; i < 100; ++i) {
    const auto turn = schedule.NextTurn(target, nullptr, /*in_turn=*/false, now);
    ASSERT_TRUE(turn);
    EXPECT_GE(turn->due, now.mono);
    EXPECT_LE(turn->due, now.mono + 5min);
  }
}

TEST_F(RecheckScheduleTest, WhatIsRefusedWaitsAsIfItHadSucceeded) {
  const Error refused{Code::kPermissionDenied, "no"};
  EXPECT_EQ(After(refused, 1).due, now.mono + 5min);
  EXPECT_FALSE(After(refused, 1).retry);
}

TEST_F(RecheckScheduleTest, WhatFailsIsTriedAgainTheLaterTheOfterItFailed) {
  const Error away{Code::kUnavailable, "away"};
  EXPECT_LE(After(away, 1).due, now.mono + 500ms);
  EXPECT_GE(After(away, 8).due, now.mono + 30s);
  EXPECT_TRUE(After(away, 1).retry);
  EXPECT_EQ(After(away, 3).priority, Priority::kRetry);
  EXPECT_EQ(After(away, 4).priority, Priority::kPeriodic) << "it goes after what may well succeed";
}

TEST_F(RecheckScheduleTest, AMovedEtagIsTriedAgainSoonAndAServicesWaitIsKept) {
  EXPECT_LE(After({Code::kAborted, "moved"}, 5).due, now.mono + 750ms);
  Error busy{Code::kResourceExhausted, "busy"};
  EXPECT_LE(After(busy, 9).due, now.mono + 500ms) << "the quota's budget says when calls go on";
  busy.retry_after = 90s;
  EXPECT_EQ(After(busy, 1).due, now.mono + 90s);
}

TEST_F(RecheckScheduleTest, AfterTheEndOfRechecksOnlyFailuresAreTriedAgain) {
  schedule.EndRechecks();
  EXPECT_FALSE(schedule.NextTurn(target, nullptr, true, now));
  EXPECT_TRUE(After({Code::kUnavailable, "away"}, 1).retry);
}

TEST_F(RecheckScheduleTest, ABudgetThatBecomesTooSmallIsToldOnce) {
  schedule.SetSettings({5min, 1min, 5min, /*requests_per_minute=*/0.1}, {}, 0);
  Claims::Targets targets;
  for (const char* name : {"a", "b", "c"}) {
    const TargetKey key(Target{"K", "", name});
    targets[key].target = key;
  }
  const auto told = schedule.Plan(targets, now);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->reason, "RecheckBudgetTooSmall");
  now.mono += 1min;
  EXPECT_FALSE(schedule.Plan(targets, now));
}

TEST_F(RecheckScheduleTest, OnlyReChecksThatFindSomethingNewRaiseTheHabit) {
  NoteHabit(target, Priority::kChange, /*drifted=*/true, now);
  EXPECT_EQ(target.habit.level, 0);
  NoteHabit(target, Priority::kPeriodic, /*drifted=*/true, now);
  EXPECT_EQ(target.habit.level, 1);
  target.drift.open.Set({{"known", {}}});
  NoteHabit(target, Priority::kPeriodic, /*drifted=*/true, now);
  EXPECT_EQ(target.habit.level, 1) << "the difference was there before";
}

}  // namespace
}  // namespace bindery::controller
