// What a webhook is told, when, and what happens when it does not listen.

#include <SQLiteCpp/SQLiteCpp.h>

#include "unit/notify/notify_fixture.h"

namespace bindery::notify {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using testing::DeliveryTest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::Not;
using ::testing::SizeIs;

TEST_F(DeliveryTest, EventsAreToldInTheirOrder) {
  Happened("A");
  Happened("B");
  Run();
  EXPECT_THAT(Types(), ElementsAre("A", "B"));
  EXPECT_EQ(next_, std::nullopt) << "until something is recorded";
  EXPECT_EQ(Record().cursor, 2);
  EXPECT_EQ(Record().delivered_at, clock_.Wall());
  EXPECT_EQ(Counted("delivered"), 2);
  Happened("C");
  Run();
  EXPECT_THAT(Types(), ElementsAre("A", "B", "C"));
}

TEST_F(DeliveryTest, WhatWasBeforeTheWebhookIsNotToldOf) {
  Happened("A");
  SetWebhooks({});
  SetWebhooks({"ops"});
  Happened("B");
  Run();
  EXPECT_THAT(Types(), ElementsAre("B"));
}

TEST_F(DeliveryTest, AFailureIsRetriedWithTheSameMessageAndGrowingPauses) {
  transport_.Answer(503);
  Happened("A");
  std::vector<MonoTime::duration> pauses;
  for (int i = 0; i < 12; ++i) {
    Run();
    pauses.push_back(*next_ - clock_.Mono());
    clock_.PassUntil(*next_);
  }
  EXPECT_LE(pauses.front(), 500ms);
  EXPECT_GE(pauses.back(), 150s);
  EXPECT_LE(pauses.back(), 5min);
  for (const cloud::HttpRequest& request : transport_.requests) {
    EXPECT_EQ(request.body, transport_.requests.front().body);
    EXPECT_EQ(request.headers.front(), transport_.requests.front().headers.front());
  }
  EXPECT_EQ(Record().cursor, 0);
  EXPECT_THAT(Record().failure, HasSubstr("HTTP 503"));
  EXPECT_NE(Record().failing_since, std::nullopt);
  EXPECT_EQ(Counted("failed"), 12);
  EXPECT_THAT(metrics_.Render(), HasSubstr("bindery_notifications_failing{webhook=\"ops\"} 1"));

  transport_.Forget();
  Run();
  EXPECT_THAT(Types(), ElementsAre("A"));
  EXPECT_EQ(Record().failure, "");
  EXPECT_EQ(Record().failing_since, std::nullopt);
  EXPECT_THAT(metrics_.Render(), HasSubstr("bindery_notifications_failing{webhook=\"ops\"} 0"));
}

TEST_F(DeliveryTest, AReceiverSaysHowLongToWait) {
  transport_.Answer(429, {{"retry-after", "90"}});
  Happened("A");
  Run();
  EXPECT_EQ(*next_ - clock_.Mono(), 90s);
}

TEST_F(DeliveryTest, AStandingFailureIsSaidOnce) {
  transport_.FailWith(Code::kUnavailable, "no answer from https://receiver.example: refused");
  Happened("A");
  RunFor(10min);
  const std::string line = "a notification was not accepted";
  EXPECT_EQ(logged_.find(line), logged_.rfind(line));
  EXPECT_THAT(logged_, Not(HasSubstr("SECRET")));
}

TEST_F(DeliveryTest, WhatWasNotAcceptedIsToldAfterARestart) {
  transport_.Answer(204);
  transport_.Answer(503);
  Happened("A");
  Happened("B");
  Run();
  Restart();
  transport_.Forget();
  Run();
  EXPECT_THAT(Types(), ElementsAre("B"));
}

TEST_F(DeliveryTest, AnAttemptThatWasBrokenOffIsNoFailure) {
  transport_.FailWith(Code::kCancelled, "cancelled");
  Happened("A");
  std::ignore = delivery().Step();
  EXPECT_EQ(Record().failure, "");
  EXPECT_EQ(Counted("failed"), 0);
}

TEST_F(DeliveryTest, TheSameIsToldOnceInAnInterval) {
  Happened("A");
  Happened("A");
  RunFor(30min);
  Happened("A");
  Run();
  EXPECT_THAT(Types(), ElementsAre("A"));
  EXPECT_EQ(Counted("repeated"), 2);
  Restart();
  Happened("A");
  Run();
  EXPECT_THAT(Types(), ElementsAre("A")) << "also over a restart";
  clock_.Pass(30min);
  Happened("A");
  Run();
  EXPECT_THAT(Types(), ElementsAre("A", "A"));
}

TEST_F(DeliveryTest, OverTheLimitWhatWaitsIsToldTogether) {
  webhook_.per_minute = 6;
  webhook_.burst = 3;
  for (int i = 0; i < 15; ++i) Happened("A", std::to_string(i));
  Run();
  EXPECT_THAT(Types(), ElementsAre("A", "A", "Summary"));
  EXPECT_EQ(Sent(2).at("data").at("count"), 13);
  EXPECT_EQ(Record().cursor, 15);

  Happened("B");
  Happened("C");
  RunFor(9s);
  EXPECT_THAT(transport_.requests, SizeIs(3)) << "one message in ten seconds";
  RunFor(2s);
  EXPECT_THAT(Types(), ElementsAre("A", "A", "Summary", "Summary"));
  EXPECT_EQ(Counted("delivered"), 17);
}

TEST_F(DeliveryTest, OneMessageTellsOfSoManyAtMost) {
  webhook_.burst = 1;
  for (int i = 0; i < 250; ++i) Happened("A", std::to_string(i));
  RunFor(1min);
  ASSERT_THAT(Types(), ElementsAre("Summary", "Summary", "Summary"));
  EXPECT_EQ(Sent(0).at("data").at("count"), 100);
  EXPECT_EQ(Sent(2).at("data").at("count"), 50);
}

TEST_F(DeliveryTest, WhatIsRefusedForTooLongIsGivenUpAndSaid) {
  transport_.Answer(503);
  Happened("A");
  RunFor(23h);
  Happened("B");
  RunFor(90min);
  EXPECT_EQ(Counted("given_up"), 1);
  EXPECT_THAT(Reasons(), ElementsAre("A", "B", "NotificationsDropped"));
  EXPECT_THAT(store_->Events({})->back().second.message,
              HasSubstr("webhook \"ops\": 1 event went untold: not accepted within 1d, last: HTTP "
                        "503"));
  EXPECT_EQ(Record().cursor, 1);
  transport_.Forget();
  RunFor(5min);
  EXPECT_THAT(Types(), ElementsAre("B")) << "it is not told of itself";
  EXPECT_THAT(logged_, HasSubstr("went untold"));
}

TEST_F(DeliveryTest, WhatWasGivenUpIsNoRepetition) {
  webhook_.give_up_after = 60s;
  transport_.Answer(503);
  Happened("A");
  RunFor(10min);
  EXPECT_EQ(Counted("given_up"), 1);
  transport_.Forget();
  Happened("A");
  RunFor(5min);
  EXPECT_THAT(Types(), ElementsAre("A"));
}

TEST_F(DeliveryTest, AMessageThatTheReceiverCannotTakeDoesNotHoldUpTheRest) {
  transport_.Answer(413);
  Happened("A");
  Happened("B");
  RunFor(70min);
  EXPECT_GE(Counted("given_up"), 1);
  transport_.Forget();
  RunFor(5min);
  EXPECT_THAT(Types(), ElementsAre("B"));
}

TEST_F(DeliveryTest, OfEventsToldTogetherOnlyTheOneThatIsRefusedIsGivenUp) {
  webhook_.burst = 1;
  transport_.Answer([](const cloud::HttpRequest& request) {
    return request.body.find("poison") == std::string::npos ? 204 : 422;
  });
  for (int i = 0; i < 20; ++i) Happened("A", i == 7 ? "poison" : std::to_string(i));
  RunFor(2h);
  EXPECT_EQ(Counted("given_up"), 1);
  EXPECT_EQ(Counted("delivered"), 19);
  EXPECT_EQ(Record().cursor, 21) << "and past the event that says so";
}

TEST_F(DeliveryTest, SoManyAreToldTogetherAsTheReceiverTakes) {
  webhook_.burst = 1;
  transport_.Answer([](const cloud::HttpRequest& request) {
    const Json message = ParseJson(request.body).value_or(Json::object());
    return message.at("data").value("count", 1) > 30 ? 413 : 204;
  });
  for (int i = 0; i < 100; ++i) Happened("A", std::to_string(i));
  RunFor(10min);
  EXPECT_EQ(Counted("delivered"), 100);
  EXPECT_EQ(Counted("given_up"), 0);
  std::vector<int> sizes;
  for (std::size_t i = 0; i < 4; ++i) sizes.push_back(Sent(i).at("data").at("count"));
  EXPECT_THAT(sizes, ElementsAre(100, 50, 25, 50)) << "more are tried when so many were taken";
}

TEST_F(DeliveryTest, AfterEverythingWasGivenUpNothingFails) {
  transport_.Answer(503);
  Happened("A");
  RunFor(26h);
  EXPECT_EQ(Counted("given_up"), 1);
  EXPECT_EQ(Record().failure, "");
  EXPECT_EQ(Record().failing_since, std::nullopt);
  EXPECT_THAT(metrics_.Render(), HasSubstr("bindery_notifications_failing{webhook=\"ops\"} 0"));
  Happened("B");
  RunFor(6min);
  EXPECT_THAT(Record().failure, HasSubstr("HTTP 503"));
  EXPECT_THAT(metrics_.Render(), HasSubstr("bindery_notifications_failing{webhook=\"ops\"} 1"));
}

TEST_F(DeliveryTest, WhatTheRetentionDeletedIsSaid) {
  transport_.Answer(503);
  Happened("A");
  Run();
  delivery_.reset();
  for (int i = 0; i < 5; ++i) Happened("B", std::to_string(i));
  clock_.Pass(10s);
  ASSERT_THAT(store_->Retain(clock_.Wall(), 1), IsOk());
  transport_.Forget();
  Run();
  EXPECT_THAT(Types(), IsEmpty());
  EXPECT_EQ(Counted("expired"), 6);
  EXPECT_THAT(Reasons(), ElementsAre("NotificationsDropped"));
  Happened("C");
  Run();
  EXPECT_THAT(Types(), ElementsAre("C"));
  EXPECT_EQ(Counted("expired"), 6) << "said once";
}

TEST_F(DeliveryTest, AnIdThatWasNeverGivenIsNoEventThatWasDeleted) {
  Happened("A");
  Run();
  delivery_.reset();
  store_.reset();
  // As a transaction that was undone leaves it in a database.
  SQLite::Database(dir_ / "state.db", SQLite::OPEN_READWRITE)
      .exec("UPDATE sqlite_sequence SET seq = seq + 5 WHERE name = 'events'");
  OpenStore();
  Happened("B");
  Run();
  EXPECT_THAT(Types(), ElementsAre("A", "B"));
  EXPECT_EQ(Counted("expired"), 0);
}

TEST_F(DeliveryTest, AReceiverThatIsGoneIsLeftAloneUntilTheNextStart) {
  transport_.Answer(410);
  Happened("A");
  RunFor(1h);
  Happened("B");
  RunFor(1h);
  EXPECT_THAT(transport_.requests, SizeIs(1));
  EXPECT_THAT(Reasons(), Contains("WebhookGone"));
  Restart();
  transport_.Forget();
  Run();
  EXPECT_THAT(Types(), ElementsAre("A", "B"));
}

TEST_F(DeliveryTest, WhatIsNotWantedNeedsNoMessage) {
  webhook_.filter.reasons = {"B"};
  Happened("A");
  Run();
  EXPECT_THAT(transport_.requests, IsEmpty());
  EXPECT_EQ(Record().cursor, 0) << "no write for nothing";
  ASSERT_TRUE(next_);
  clock_.PassUntil(*next_);
  Run();
  EXPECT_EQ(Record().cursor, 1) << "but before the retention comes";
  Happened("A");
  Run();
  delivery().Stop();
  EXPECT_EQ(Record().cursor, 2);
}

TEST_F(DeliveryTest, OnlyWhatIsWantedCountsAsWaiting) {
  webhook_.filter.reasons = {"B"};
  const auto waiting = [this] { return CountWaiting(webhook_, *store_).value(); };
  EXPECT_EQ(waiting(), 0U);
  for (int i = 0; i < 250; ++i) {
    Happened("A", std::to_string(i));
    Happened("B", std::to_string(i));
  }
  Happened("B", "0");
  EXPECT_EQ(waiting(), 250U) << "and no repetition";
  Run();
  EXPECT_EQ(waiting(), 250U - static_cast<std::size_t>(Counted("delivered")));
}

TEST_F(DeliveryTest, AWebhookThatIsNotOnRecordWaits) {
  SetWebhooks({});
  Happened("A");
  Run();
  EXPECT_THAT(transport_.requests, IsEmpty());
  EXPECT_GT(*next_, clock_.Mono());
}

TEST_F(DeliveryTest, ItIsBusyWhileSomethingMayGoSoon) {
  webhook_.per_minute = 1;
  webhook_.burst = 1;
  Run();
  EXPECT_FALSE(delivery().Busy(clock_.Mono()));
  Happened("A");
  Run();
  Happened("B");
  Run();
  EXPECT_TRUE(delivery().Busy(clock_.Mono())) << "it waits for the limit";
  transport_.Answer(503);
  RunFor(70s);
  EXPECT_FALSE(delivery().Busy(clock_.Mono())) << "the receiver is away";
  EXPECT_TRUE(delivery().Busy(*next_)) << "but is asked again until then";
}

}  // namespace
}  // namespace bindery::notify
