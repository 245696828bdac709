// What is on record of a webhook, and what is said about it.

#include "notify/progress.h"

#include "unit/notify/notify_fixture.h"

namespace bindery::notify {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ProgressTest : public testing::DeliveryTest {
 protected:
  ProgressTest() { progress_.Begin(Record()); }

  [[nodiscard]] bool Shows(const std::string& line) {
    return ("\n" + metrics_.Render()).find("\n" + line + "\n") != std::string::npos;
  }
  [[nodiscard]] bool Failing() { return Shows("bindery_notifications_failing{webhook=\"ops\"} 1"); }

  Progress progress_{"ops", Services{*store_, *store_, log_, metrics_.notifications, clock_}};
};

TEST_F(ProgressTest, AFailureIsOnRecordUntilAMessageIsAccepted) {
  progress_.Failed("HTTP 503", 0);
  const WallTime since = clock_.Wall();
  clock_.Pass(1min);
  progress_.Failed("HTTP 500", 0);
  EXPECT_EQ(Record().failure, "HTTP 500");
  EXPECT_EQ(Record().failing_since, since) << "since the first one";
  EXPECT_TRUE(Failing());
  progress_.Accepted(4);
  EXPECT_EQ(Record().failure, "");
  EXPECT_EQ(Record().failing_since, std::nullopt);
  EXPECT_EQ(Record().delivered_at, clock_.Wall());
  EXPECT_EQ(Record().cursor, 4);
  EXPECT_FALSE(Failing());
  EXPECT_THAT(logged_, HasSubstr("notifications are accepted again"));
}

TEST_F(ProgressTest, AFailureThatStandsIsNotPutOnRecordAgain) {
  progress_.Failed("HTTP 503", 1);
  progress_.Failed("HTTP 503", 2);
  EXPECT_EQ(Record().cursor, 1);
  const std::string line = "a notification was not accepted";
  EXPECT_EQ(logged_.find(line), logged_.rfind(line));
}

TEST_F(ProgressTest, AfterARestartItGoesOnWithWhatIsOnRecord) {
  progress_.Accepted(1);
  progress_.Failed("HTTP 503", 1);
  telemetry::Metrics metrics({{"K"}, "test"});
  Progress next("ops", Services{*store_, *store_, log_, metrics.notifications, clock_});
  EXPECT_FALSE(next.begun());
  next.Begin(Record());
  EXPECT_TRUE(next.begun());
  EXPECT_EQ(next.failure(), "HTTP 503");
  EXPECT_THAT(metrics.Render(), HasSubstr("bindery_notifications_failing{webhook=\"ops\"} 1"));
}

TEST_F(ProgressTest, WhatIsPassedOverGoesOnRecordAfterAnHourOrAThousandEvents) {
  EXPECT_EQ(progress_.Idle(0), std::nullopt) << "there is nothing new";
  EXPECT_EQ(progress_.Idle(1), clock_.Mono() + 1h);
  clock_.Pass(30min);
  EXPECT_EQ(progress_.Idle(999), clock_.Mono() + 30min) << "since the first of them";
  EXPECT_EQ(Record().cursor, 0);
  EXPECT_EQ(progress_.Idle(1'000), std::nullopt);
  EXPECT_EQ(Record().cursor, 1'000);
  EXPECT_EQ(progress_.Idle(1'001), clock_.Mono() + 1h);
  clock_.Pass(1h);
  EXPECT_EQ(progress_.Idle(1'001), std::nullopt);
  EXPECT_EQ(Record().cursor, 1'001);
}

TEST_F(ProgressTest, AnErrorAboutTheWebhookIsAnEventThatNamesIt) {
  EXPECT_THAT(Reasons(), IsEmpty());
  progress_.Gone("HTTP 410", 0);
  EXPECT_THAT(Reasons(), ElementsAre("WebhookGone"));
  EXPECT_THAT(store_->Events({})->back().second.message,
              HasSubstr("webhook \"ops\": the receiver is gone"));
  EXPECT_EQ(Record().failure, "HTTP 410");
  EXPECT_TRUE(Failing());
}

TEST_F(ProgressTest, StoppingBeforeItBeganLeavesWhatIsOnRecord) {
  progress_.Accepted(7);
  Progress next("ops", Services{*store_, *store_, log_, metrics_.notifications, clock_});
  next.Stop(0);
  EXPECT_EQ(Record().cursor, 7);
  next.Begin(Record());
  next.Stop(8);
  EXPECT_EQ(Record().cursor, 8);
}

}  // namespace
}  // namespace bindery::notify
