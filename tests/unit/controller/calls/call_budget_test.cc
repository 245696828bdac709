#include "controller/calls/call_budget.h"

#include <gtest/gtest.h>

#include "unit/controller/plain_values.h"

namespace bindery::controller {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::kStart;

/// How many calls go in that time when somebody asks every millisecond.
int CallsIn(CallBudget& budget, MonoTime& now, milliseconds time) {
  int calls = 0;
  for (const MonoTime end = now + time; now < end; now += milliseconds(1)) {
    if (budget.TryTake(now)) ++calls;
  }
  return calls;
}

cloud::RateLimitReading Reading(double limit, seconds period, double remaining, seconds reset,
                                const std::string& bucket = "b") {
  cloud::RateLimitReading reading;
  reading.bucket = bucket;
  reading.limit = limit;
  reading.period = period;
  reading.remaining = remaining;
  reading.reset = reset;
  return reading;
}

TEST(CallBudget, WithoutLimitsEverythingGoes) {
  CallBudget budget(CallLimits{});
  MonoTime now = kStart;
  EXPECT_EQ(CallsIn(budget, now, seconds(1)), 1000);
  EXPECT_EQ(budget.Rate(now), 0);
  EXPECT_EQ(budget.Headroom(now), 1);
  EXPECT_LE(budget.NextCall(now), now);
}

TEST(CallBudget, WhatIsConfiguredHolds) {
  CallBudget budget({.rate = 10, .burst = 5});
  MonoTime now = kStart;
  EXPECT_NEAR(CallsIn(budget, now, seconds(10)), 105, 1);
  budget.SetLimits({.rate = 20, .burst = 1});
  EXPECT_NEAR(CallsIn(budget, now, seconds(10)), 200, 2);
}

TEST(CallBudget, AnAnnouncedLimitIsKeptToWithHeadroom) {
  CallBudget budget({.headroom = 0.2});
  MonoTime now = kStart;
  budget.Learn(Reading(100, seconds(10), 99, seconds(10)), now);
  EXPECT_DOUBLE_EQ(budget.Rate(now), 8);
  EXPECT_LE(CallsIn(budget, now, seconds(10)), 90);
}

TEST(CallBudget, TheStricterOfConfiguredAndAnnouncedHolds) {
  CallBudget budget({.rate = 2, .burst = 1, .headroom = 0.5});
  budget.Learn(Reading(100, seconds(10), 99, seconds(10), "wide"), kStart);
  EXPECT_DOUBLE_EQ(budget.Rate(kStart), 2);
  budget.Learn(Reading(10, seconds(10), 9, seconds(10), "narrow"), kStart);
  EXPECT_DOUBLE_EQ(budget.Rate(kStart), 0.5);
}

TEST(CallBudget, AnnouncedLimitsAreForgottenWhenNobodySpeaksOfThemAnyMore) {
  CallBudget budget({});
  budget.Learn(Reading(100, seconds(10), 99, seconds(10)), kStart);
  EXPECT_GT(budget.Rate(kStart + seconds(99)), 0);
  EXPECT_EQ(budget.Rate(kStart + seconds(100)), 0);
}

TEST(CallBudget, WhatOthersUsedUpIsWaitedFor) {
  CallBudget budget({.headroom = 0.2});
  MonoTime now = kStart;
  budget.Learn(Reading(100, seconds(60), 20, seconds(7)), now);
  EXPECT_FALSE(budget.TryTake(now));
  EXPECT_EQ(budget.NextCall(now), kStart + seconds(7));
  EXPECT_EQ(budget.Headroom(now), 0);
  EXPECT_EQ(budget.Paused(now), seconds(7));
  EXPECT_TRUE(budget.TryTake(kStart + seconds(7)));
}

TEST(CallBudget, ARefusalStopsCallsForAsLongAsTheServiceAsks) {
  CallBudget budget({});
  MonoTime now = kStart;
  EXPECT_TRUE(budget.TryTake(now));
  budget.Refused(milliseconds(3'500), now);
  EXPECT_EQ(budget.NextCall(now), kStart + milliseconds(3'500));
  EXPECT_FALSE(budget.TryTake(kStart + milliseconds(3'499)));
  EXPECT_TRUE(budget.TryTake(kStart + milliseconds(3'500)));
}

TEST(CallBudget, RefusalsWithoutAWordDoubleTheWaitUpToAMinute) {
  CallBudget budget({});
  MonoTime now = kStart;
  for (const int expected : {1, 2, 4, 8, 16, 32, 60, 60}) {
    EXPECT_TRUE(budget.TryTake(now));
    budget.Refused(std::nullopt, now);
    budget.Refused(std::nullopt, now);  // Another call of the same burst.
    EXPECT_EQ(budget.Paused(now), seconds(expected));
    now = budget.NextCall(now);
  }
}

TEST(CallBudget, RefusalsTeachARateThatGrowsBack) {
  CallBudget budget({});
  MonoTime now = kStart;
  EXPECT_EQ(CallsIn(budget, now, milliseconds(100)), 100);
  budget.Refused(seconds(1), now);
  EXPECT_DOUBLE_EQ(budget.Rate(now), 50);
  EXPECT_DOUBLE_EQ(budget.Rate(now + seconds(10)), 50);  // Nothing is learned in the pause.
  EXPECT_DOUBLE_EQ(budget.Rate(now + seconds(11)), 62.5);
  EXPECT_EQ(budget.Rate(now + seconds(300)), 0);  // Nobody minds any more.
}

TEST(CallBudget, ARefusalRightAfterAWindowBeganTeachesTheRateOfTheOneBefore) {
  CallBudget budget({});
  MonoTime now = kStart;
  EXPECT_EQ(CallsIn(budget, now, milliseconds(1'001)), 1'001);
  budget.Refused(seconds(1), now);
  EXPECT_DOUBLE_EQ(budget.Rate(now), 500);
}

TEST(CallBudget, AResetBeyondThePeriodIsNotBelieved) {
  CallBudget budget({});
  budget.Learn(Reading(100, seconds(10), 0, seconds(86'400)), kStart);
  EXPECT_EQ(budget.Paused(kStart), seconds(10));
  CallBudget slow({});
  slow.Learn(Reading(100, seconds(86'400), 0, seconds(86'400)), kStart);
  EXPECT_EQ(slow.Paused(kStart), seconds(300));
}

TEST(CallBudget, WhateverIsAnnouncedOrAskedForOneCallGoesInFiveMinutes) {
  for (const cloud::RateLimitReading& reading :
       {Reading(1, seconds(86'400), 0, seconds(86'400)), Reading(1, seconds(86'400), 1, seconds(0)),
        Reading(2, seconds(604'800), 0, seconds(604'800))}) {
    CallBudget budget({});
    budget.Learn(reading, kStart);
    budget.TryTake(kStart);
    EXPECT_LE(budget.NextCall(kStart), kStart + seconds(301));
  }
  CallBudget refused({});
  refused.Refused(std::chrono::hours(72), kStart);
  EXPECT_LE(refused.NextCall(kStart), kStart + seconds(300));
}

TEST(CallBudget, CallsThatWentUnaskedAreMadeUpFor) {
  CallBudget budget({.rate = 1, .burst = 1});
  MonoTime now = kStart;
  ASSERT_TRUE(budget.TryTake(now));
  budget.Owe(2, now);
  EXPECT_EQ(budget.Headroom(now), 0);
  EXPECT_GE(budget.NextCall(now), now + seconds(3));
  EXPECT_LE(budget.NextCall(now), now + seconds(4));
}

TEST(CallBudget, AServiceThatRefusesWhatIsTooMuchIsUsedWell) {
  // It allows 50 calls in each second, says nothing of it, and there is always more to do.
  CallBudget budget({});
  MonoTime now = kStart;
  int answered = 0;
  int in_second = 0;
  for (int milli = 0; milli < 600'000; ++milli, now += milliseconds(1)) {
    if (milli % 1'000 == 0) in_second = 0;
    if (!budget.TryTake(now)) continue;
    if (++in_second > 50) {
      budget.Refused(std::nullopt, now);
    } else {
      budget.Succeeded(now);
      ++answered;
    }
  }
  EXPECT_GT(answered, 600 * 50 / 2);
}

TEST(CallBudget, RefusalsNeverStopCallsForGood) {
  CallBudget budget({});
  MonoTime now = kStart;
  for (int i = 0; i < 50; ++i) {
    budget.TryTake(now);
    budget.Refused(std::nullopt, now);
    now = budget.NextCall(now);
  }
  EXPECT_GE(budget.Rate(now), 0.1);
  EXPECT_LE(budget.NextCall(now), now + seconds(10));
}

}  // namespace
}  // namespace bindery::controller
