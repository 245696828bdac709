#include "controller/claims/recheck_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace bindery::controller {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

RecheckPlan::Load Targets(std::size_t quiet, std::size_t drifting, std::uint8_t level = 8) {
  RecheckPlan::Load load;
  load.targets[0] = quiet;
  load.targets[level] = drifting;
  return load;
}

RecheckPlan ComposePlan(const RecheckLimits& limits, const RecheckPlan::Load& load) {
  RecheckPlan plan;
  plan.SetLimits(limits);
  plan.Make(load);
  return plan;
}

DriftRate Habit(std::uint8_t level) { return {level, MonoTime{}}; }

double Minutes(milliseconds time) { return static_cast<double>(time.count()) / 60'000; }

TEST(RecheckPlan, ReadsEveryTargetOnceAnIntervalUnlessToldOtherwise) {
  const RecheckPlan plan = ComposePlan({minutes(5)}, Targets(900, 100));
  EXPECT_EQ(plan.GetPeriod(Habit(0)), minutes(5));
  EXPECT_EQ(plan.GetPeriod(Habit(15)), minutes(5));
  EXPECT_EQ(plan.Bound(), minutes(5));
  EXPECT_NEAR(plan.RequestsPerMinute(), 200, 0.1);
}

TEST(RecheckPlan, HasThePeriodOfTheIntervalBeforeAnythingIsKnown) {
  RecheckPlan plan;
  plan.SetLimits({minutes(3), seconds(10), hours(1), 10});
  EXPECT_EQ(plan.GetPeriod(Habit(0)), minutes(3));
}

TEST(RecheckPlan, ReadsWhatDriftsMoreOftenAndTheRestLessOftenWithTheSameNumberOfReads) {
  const RecheckPlan plan = ComposePlan({minutes(5), seconds(30), minutes(30)}, Targets(900, 100));
  EXPECT_LT(plan.GetPeriod(Habit(8)), minutes(5));
  EXPECT_GT(plan.GetPeriod(Habit(0)), minutes(5));
  EXPECT_NEAR(plan.RequestsPerMinute(), 200, 0.5);
}

TEST(RecheckPlan, SpreadsReadsByTheSquareRootOfTheRateOfDrift) {
  const RecheckPlan plan =
      ComposePlan({minutes(5), milliseconds(1), hours(24)}, Targets(1000, 1000, 3));
  const double ratio = Minutes(plan.GetPeriod(Habit(0))) / Minutes(plan.GetPeriod(Habit(3)));
  EXPECT_NEAR(ratio, std::sqrt(3.1 / 0.1), 0.01);
}

TEST(RecheckPlan, NoOtherSpreadOfTheSameReadsFindsDriftSooner) {
  const RecheckLimits limits{minutes(5), milliseconds(1), hours(24)};
  const RecheckPlan::Load load = Targets(1000, 50, 5);
  const RecheckPlan plan = ComposePlan(limits, load);
  const auto expected = [](double quiet_period, double drifting_period) {
    const double quiet = 1000 * 0.1;
    const double drifting = 50 * 5.1;
    return (quiet * quiet_period + drifting * drifting_period) / 2 / (quiet + drifting);
  };
  const double budget = 1050.0 / 5;
  for (const double share : {0.1, 0.3, 0.5, 0.7, 0.9, 0.95}) {  // Of the reads, for the quiet.
    const double other = expected(1000 / (budget * share), 50 / (budget * (1 - share)));
    EXPECT_LE(Minutes(plan.Expected()), other + 1e-3) << share;
  }
}

TEST(RecheckPlan, WithTheShortestPeriodAloneReadsWhatDriftsMoreOftenAndTheRestAsBefore) {
  const RecheckPlan plan = ComposePlan({minutes(5), minutes(1), {}}, Targets(900, 100));
  EXPECT_EQ(plan.GetPeriod(Habit(0)), minutes(5));
  EXPECT_EQ(plan.GetPeriod(Habit(8)), minutes(1));
}

TEST(RecheckPlan, WithTheLongestPeriodAloneLeavesWhatDoesNotDriftAloneAndTheRestAsBefore) {
  const RecheckPlan plan = ComposePlan({minutes(5), {}, minutes(30)}, Targets(900, 100));
  EXPECT_EQ(plan.GetPeriod(Habit(0)), minutes(30));
  EXPECT_EQ(plan.GetPeriod(Habit(8)), minutes(5));
}

TEST(RecheckPlan, KeepsPeriodsWithinTheirBounds) {
  const RecheckPlan plan =
      ComposePlan({minutes(5), minutes(1), minutes(10)}, Targets(10'000, 1, 15));
  EXPECT_GE(plan.GetPeriod(Habit(15)), minutes(1));
  EXPECT_LE(plan.GetPeriod(Habit(0)), minutes(10));
  EXPECT_LE(plan.Bound(), minutes(10));
}

TEST(RecheckPlan, StaysWithinABudget) {
  const RecheckPlan plan = ComposePlan({minutes(5), seconds(30), {}, 50}, Targets(950, 50));
  EXPECT_LE(plan.RequestsPerMinute(), 50.001);
  EXPECT_GT(plan.RequestsPerMinute(), 49.9);
  EXPECT_FALSE(plan.budget_too_small());
  EXPECT_GT(plan.Bound(), minutes(5));
}

TEST(RecheckPlan, ReadsNoMoreThanItNeedsToOfALargeBudget) {
  const RecheckPlan plan =
      ComposePlan({minutes(5), minutes(1), minutes(5), 100'000}, Targets(100, 0));
  EXPECT_EQ(plan.GetPeriod(Habit(0)), minutes(1));
  EXPECT_NEAR(plan.RequestsPerMinute(), 100, 0.1);
}

TEST(RecheckPlan, CountsWhatIsReadAtPeriodsOfItsOwn) {
  RecheckPlan::Load load = Targets(100, 0);
  load.fixed_per_minute = 40;
  load.longest_fixed = hours(2);
  const RecheckPlan plan = ComposePlan({minutes(5), {}, {}, 50}, load);
  EXPECT_NEAR(plan.RequestsPerMinute(), 50, 0.1);
  EXPECT_EQ(plan.GetPeriod(Habit(0)), minutes(10));
  EXPECT_EQ(plan.Bound(), hours(2));
}

TEST(RecheckPlan, SaysWhenTheBudgetIsTooSmallForTheLongestPeriodAndKeepsTheBudget) {
  const RecheckPlan plan = ComposePlan({minutes(5), {}, minutes(10), 50}, Targets(1000, 0));
  EXPECT_TRUE(plan.budget_too_small());
  EXPECT_NEAR(plan.RequestsPerMinute(), 50, 0.1);
  EXPECT_EQ(plan.Bound(), minutes(20));
}

TEST(DriftRate, RisesWithEachDriftAndIsForgottenDayByDay) {
  DriftRate habit;
  MonoTime now{hours(100)};
  habit.Drifted(now);
  habit.Drifted(now);
  EXPECT_EQ(habit.level, 2);
  habit.Quiet(now + hours(23));
  EXPECT_EQ(habit.level, 2);
  habit.Quiet(now + hours(24));
  EXPECT_EQ(habit.level, 1);
  habit.Quiet(now + hours(25));
  EXPECT_EQ(habit.level, 1);
  habit.Quiet(now + hours(48));
  habit.Quiet(now + hours(99));
  EXPECT_EQ(habit.level, 0);
}

TEST(DriftRate, HasAHighestLevel) {
  DriftRate habit;
  for (int i = 0; i < 100; ++i) habit.Drifted({});
  EXPECT_EQ(habit.level, DriftRate::kLevels - 1);
}

}  // namespace
}  // namespace bindery::controller
