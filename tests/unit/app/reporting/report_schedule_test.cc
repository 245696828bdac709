// When drift reports are due.

#include "app/reporting/report_schedule.h"

#include <gtest/gtest.h>

#include "core/text/time_text.h"

namespace bindery::app {
namespace {

using namespace std::chrono_literals;

class ReportScheduleTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::optional<MonoTime::duration> DueIn(MonoTime::duration later = 0s) const {
    return schedule_.DueIn(mono_ + later, /*ending=*/false);
  }

  const MonoTime mono_{1h};
  const WallTime noon_ = ParseRfc3339("2026-11-21T12:00:00Z").value();
  ReportSchedule schedule_;
};

TEST_F(ReportScheduleTest, NoneIsDueWithoutARequestOrAnInterval) {
  EXPECT_EQ(DueIn(), std::nullopt);
  schedule_.Plan({}, noon_, {mono_, noon_});
  EXPECT_EQ(DueIn(), std::nullopt);
}

TEST_F(ReportScheduleTest, OneThatIsRequestedIsDueNow) {
  schedule_.Request(noon_);
  EXPECT_EQ(DueIn(), 0s);
  EXPECT_EQ(schedule_.Begin(), noon_);
  EXPECT_FALSE(schedule_.requested());
}

TEST_F(ReportScheduleTest, OneWithoutARequestIsDueAnIntervalAfterTheNewest) {
  schedule_.Plan({.most = 1h}, noon_ - 20min, {mono_, noon_});
  EXPECT_EQ(DueIn(), 40min);
  schedule_.Plan({.most = 1h}, std::nullopt, {mono_, noon_});
  EXPECT_EQ(DueIn(), 1h);
  schedule_.Plan({.most = 1h}, noon_ - 2h, {mono_, noon_});
  EXPECT_EQ(DueIn(), 0s);
  schedule_.Plan({.most = 1h}, noon_ + 2h, {mono_, noon_});
  EXPECT_EQ(DueIn(), 1h) << "a newest report in the future does not put the next one off";
}

TEST_F(ReportScheduleTest, ARequestWaitsUntilTheNewestIsOldEnough) {
  schedule_.Request(noon_);
  schedule_.Plan({.least = 5min}, std::nullopt, {mono_, noon_});
  EXPECT_EQ(DueIn(), 0s) << "there is none to be apart from";
  schedule_.Plan({.least = 5min}, noon_ - 1min, {mono_, noon_});
  EXPECT_EQ(DueIn(), 4min);
  EXPECT_EQ(DueIn(4min), 0s);
  EXPECT_EQ(schedule_.DueIn(mono_, /*ending=*/true), 0s);
  schedule_.Plan({.least = 5min}, noon_ + 1h, {mono_, noon_});
  EXPECT_EQ(DueIn(), 5min) << "the clock went back";
  schedule_.Plan({}, noon_ - 1min, {mono_, noon_});
  EXPECT_EQ(DueIn(), 0s);
}

TEST_F(ReportScheduleTest, TheLeastDistanceHoldsWithoutARequestToo) {
  schedule_.Plan({.least = 1h, .most = 5min}, noon_ - 20min, {mono_, noon_});
  EXPECT_EQ(DueIn(), 40min);
}

TEST_F(ReportScheduleTest, AReportIsFollowedByAPauseOfTenTimesItsWork) {
  schedule_.Request(noon_);
  EXPECT_EQ(schedule_.Begin(), noon_);
  schedule_.Written(mono_, 2s);
  EXPECT_EQ(DueIn(), std::nullopt);
  schedule_.Request(noon_ + 1s);
  EXPECT_EQ(DueIn(), 20s);
  schedule_.Written(mono_, 1ms);
  EXPECT_EQ(DueIn(), 1s);
}

TEST_F(ReportScheduleTest, PausesAfterFailuresDoubleUpToFiveMinutes) {
  schedule_.Failed(mono_, noon_);
  EXPECT_EQ(DueIn(), 1s);
  schedule_.Failed(mono_, noon_);
  EXPECT_EQ(DueIn(), 2s);
  for (int i = 0; i < 20; ++i) schedule_.Failed(mono_, noon_);
  EXPECT_EQ(DueIn(), 5min);
  schedule_.Written(mono_, 0s);
  schedule_.Failed(mono_, noon_);
  EXPECT_EQ(DueIn(), 1s) << "a success ends the row";
}

TEST_F(ReportScheduleTest, AFailedReportIsRequestedAgainUnlessALaterOneIs) {
  schedule_.Failed(mono_, noon_);
  EXPECT_EQ(schedule_.Begin(), noon_);
  schedule_.Request(noon_ + 1h);
  schedule_.Failed(mono_, noon_);
  EXPECT_EQ(schedule_.Begin(), noon_ + 1h);
}

TEST_F(ReportScheduleTest, NoPauseHoldsAtTheEndOrWithNewSettings) {
  schedule_.Failed(mono_, noon_);
  EXPECT_EQ(schedule_.DueIn(mono_, /*ending=*/true), 0s);
  schedule_.Reset();
  EXPECT_EQ(DueIn(), 0s);
}

TEST_F(ReportScheduleTest, ThePlanIsMadeAgainAfterAReportAndForNewSettings) {
  EXPECT_TRUE(schedule_.TakeReplan());
  EXPECT_FALSE(schedule_.TakeReplan());
  schedule_.Failed(mono_, noon_);
  EXPECT_FALSE(schedule_.TakeReplan());
  schedule_.Written(mono_, 0s);
  EXPECT_TRUE(schedule_.TakeReplan());
  schedule_.Reset();
  EXPECT_TRUE(schedule_.TakeReplan());
}

}  // namespace
}  // namespace bindery::app
