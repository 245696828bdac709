#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "fixture.h"
#include "held_writer.h"
#include "store/open_store.h"
#include "store/postgres/postgres_values.h"
#include "support/begin_write.h"
#include "support/postgres_proxy.h"
#include "test_postgres.h"

namespace bindery::store {
namespace {

using ::testing::ElementsAre;
using testing::EventChange;
using testing::FailsWith;
using testing::FixedClock;
using ::testing::HasSubstr;
using testing::HeldWriter;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::PostgresProxy;
using testing::TestPostgres;

/// What only a database does: sessions that end, answers that are lost, other programs.
class PostgresTest : public testing::PostgresDatabaseTest {
 protected:
  [[nodiscard]] Expected<std::unique_ptr<Store>> Open(StoreAccess access,
                                                      const std::string& url) const {
    StoreLocation location;
    location.database = url;
    return OpenStore(location, access, clock_);
  }

  [[nodiscard]] static std::vector<std::string> ListReasons(Store& store) {
    const auto events = store.Events({});
    EXPECT_THAT(events, IsOk());
    std::vector<std::string> reasons;
    if (!events) return reasons;
    for (const auto& [id, event] : *events) reasons.push_back(event.reason);
    return reasons;
  }

  FixedClock clock_;
};

TEST_F(PostgresTest, ReadersFindNothingBeforeADaemonMadeIt) {
  EXPECT_THAT(Open(StoreAccess::kReadOnly, url_),
              FailsWith(Code::kNotFound, HasSubstr("no store in the database")));
  { ASSERT_THAT(Open(StoreAccess::kReadWrite, url_), IsOk()); }
  auto reader = Open(StoreAccess::kReadOnly, url_);
  ASSERT_THAT(reader, IsOk());
  EXPECT_THAT((*reader)->Apply(EventChange("Refused")),
              FailsWith(Code::kFailedPrecondition, HasSubstr("reading only")));
}

TEST_F(PostgresTest, ReadersWorkBesideADaemonAndASecondDaemonDoesNot) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  ASSERT_THAT((*store)->Apply(EventChange("First")), IsOk());
  auto reader = Open(StoreAccess::kReadOnly, url_);
  ASSERT_THAT(reader, IsOk());
  EXPECT_THAT(ListReasons(**reader), ElementsAre("First"));
  EXPECT_THAT(Open(StoreAccess::kReadWrite, url_),
              FailsWith(Code::kFailedPrecondition, HasSubstr("is in use by the replica")));
}

TEST_F(PostgresTest, ACommitWhoseAnswerIsLostIsFoundToBeDone) {
  PostgresProxy proxy(server_->Socket());
  auto store = Open(StoreAccess::kReadWrite, proxy.MakeUrl(database_));
  ASSERT_THAT(store, IsOk());
  ASSERT_THAT((*store)->Apply(EventChange("Before")), IsOk());
  proxy.Lose(PostgresProxy::Loses::kAnswerToCommit);
  EXPECT_THAT((*store)->Apply(EventChange("Answered by the row it left")), IsOk());
  EXPECT_TRUE(proxy.lost());
  EXPECT_EQ(Ask("SELECT count(*) FROM events"), "2");
}

TEST_F(PostgresTest, ACommitThatIsLostIsFoundNotToBeDone) {
  PostgresProxy proxy(server_->Socket());
  auto store = Open(StoreAccess::kReadWrite, proxy.MakeUrl(database_));
  ASSERT_THAT(store, IsOk());
  proxy.Lose(PostgresProxy::Loses::kCommit);
  EXPECT_THAT((*store)->Apply(EventChange("Lost")),
              FailsWith(Code::kUnavailable, HasSubstr("the connection to PostgreSQL is lost")));
  EXPECT_TRUE(proxy.lost());
  EXPECT_THAT((*store)->Apply(EventChange("After")), IsOk());
  EXPECT_THAT(ListReasons(**store), ElementsAre("After"));
}

TEST_F(PostgresTest, ASessionThatWasEndedIsReplacedUnnoticed) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  ASSERT_THAT((*store)->Apply(EventChange("Before")), IsOk());
  static_cast<void>(
      Ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
          "current_database() AND pid <> pg_backend_pid()"));
  EXPECT_THAT((*store)->Apply(EventChange("After")), IsOk());
  EXPECT_THAT(ListReasons(**store), ElementsAre("Before", "After"));
}

TEST_F(PostgresTest, WhileTheDatabaseIsAwayWritesFailAndGoOnAfterwards) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  server_->Stop();
  EXPECT_THAT((*store)->Apply(EventChange("Away")), FailsWith(Code::kUnavailable, HasSubstr("")));
  EXPECT_THAT((*store)->Events({}), FailsWith(Code::kUnavailable, HasSubstr("")));
  server_->Start();
  EXPECT_THAT((*store)->Apply(EventChange("Back")), IsOk());
  EXPECT_THAT(ListReasons(**store), ElementsAre("Back"));
}

Expected<void> Submitted(Store& store, StoreChange change) {
  std::promise<Expected<void>> done;
  store.Submit(std::move(change), [&done](Expected<void> result) { done.set_value(result); });
  return done.get_future().get();
}

TEST_F(PostgresTest, WhatIsInTheWayOfOneChangeOfAGroupIsTold) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  HeldWriter writer(**store);
  std::vector<Expected<void>> results(3);
  for (std::size_t i = 0; i < results.size(); ++i) {
    StoreChange change;
    change.upsert_resources.push_back(testing::Binding("binding-" + std::to_string(i),
                                                       i == 2 ? "other" : "same", "roles/viewer"));
    (*store)->Submit(std::move(change),
                     [&results, i](Expected<void> done) { results[i] = std::move(done); });
  }
  writer.Release();
  ASSERT_THAT((*store)->Flush(), IsOk());
  EXPECT_THAT(results[0], IsOk());
  EXPECT_THAT(results[1], FailsWith(Code::kAlreadyExists, HasSubstr("which \"binding-0\" holds")));
  EXPECT_THAT(results[2], IsOk());
  EXPECT_EQ(Ask("SELECT string_agg(n.name, ' ' ORDER BY n.name) FROM resources r JOIN names n ON "
                "n.id = r.id"),
            "binding-0 binding-2");
}

/// Ids are drawn before the rows that they are for: a session that is made anew draws its own.
TEST_F(PostgresTest, ASessionThatWasEndedLeavesItsIdsUnused) {
  if (TestPostgres::Pooled()) GTEST_SKIP() << "the session with the pooler does not end";
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  IntentRecord intent;
  intent.target = {Interned("K"), {}, "projects/acme"};
  const auto first = testing::BeginWrite(**store, intent);
  ASSERT_THAT(first, IsOk());
  const auto second = testing::BeginWrite(**store, intent);
  EXPECT_EQ(*second, *first + 1);
  static_cast<void>(
      Ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
          "current_database() AND pid <> pg_backend_pid()"));
  const auto third = testing::BeginWrite(**store, intent);
  ASSERT_THAT(third, IsOk());
  EXPECT_GT(*third, *second + 1);
}

TEST_F(PostgresTest, AfterAChangeThatIsMissingNoWriteBeginsUntilTheStoreIsOpenedAgain) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  IntentRecord intent;
  intent.target = {Interned("K"), {}, "projects/acme"};
  ASSERT_THAT(testing::BeginWrite(**store, intent), IsOk());
  static_cast<void>(
      Ask("CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING "
          "ERRCODE = '57014'; END $$; CREATE TRIGGER fails BEFORE INSERT ON events FOR EACH ROW "
          "EXECUTE FUNCTION fail()"));
  // In one group, and in one after it.
  std::promise<Expected<void>> changed;
  std::promise<Expected<std::int64_t>> begun;
  (*store)->Submit(EventChange("Missing"),
                   [&](Expected<void> result) { changed.set_value(std::move(result)); });
  (*store)->BeginWrite(intent, [&](Expected<std::int64_t> id) { begun.set_value(std::move(id)); });
  EXPECT_THAT(changed.get_future().get(), FailsWith(Code::kUnavailable, HasSubstr("no")));
  EXPECT_THAT(begun.get_future().get(), FailsWith(Code::kUnavailable, HasSubstr("")));
  static_cast<void>(Ask("DROP TRIGGER fails ON events"));
  EXPECT_THAT(testing::BeginWrite(**store, intent),
              FailsWith(Code::kUnavailable, HasSubstr("could not be recorded")));
  EXPECT_THAT(Submitted(**store, {}), FailsWith(Code::kUnavailable, HasSubstr("")))
      << "who waits for a change is told";
  const auto fault = (*store)->Examine(false);
  ASSERT_TRUE(fault);
  EXPECT_TRUE(fault->lost);
  store->reset();
  store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  EXPECT_THAT(testing::BeginWrite(**store, intent), IsOk());
  EXPECT_FALSE((*store)->Examine(false));
}

TEST_F(PostgresTest, AChangeThatIsBeingWrittenIsNotMissing) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  auto other = PostgresLink::Connect(url_);
  ASSERT_THAT(other, IsOk());
  (*other)->Run("BEGIN; LOCK TABLE events IN EXCLUSIVE MODE");
  std::promise<Expected<void>> changed;
  (*store)->Submit(EventChange("Slow"),
                   [&](Expected<void> result) { changed.set_value(std::move(result)); });
  while (Ask("SELECT count(*) FROM pg_locks WHERE NOT granted") == "0") std::this_thread::yield();
  std::promise<void> asks;
  auto examined = std::async(std::launch::async, [&] {
    asks.set_value();
    return (*store)->Examine(false);
  });
  asks.get_future().wait();
  (*other)->Run("COMMIT");
  EXPECT_THAT(changed.get_future().get(), IsOk());
  EXPECT_EQ(examined.get(), std::nullopt) << "the daemon would open the store again";
}

/// As the migration of somebody else's tool, or VACUUM FULL.
TEST_F(PostgresTest, ALockOfSomebodyElseIsWaitedForOnceByAllChangesOfAGroup) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  auto other = PostgresLink::Connect(url_);
  ASSERT_THAT(other, IsOk());
  HeldWriter writer(**store);
  (*other)->Run("BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE");
  std::vector<std::promise<Expected<void>>> results(3);
  for (auto& result : results) {
    (*store)->Submit(EventChange("Waits"),
                     [&result](Expected<void> done) { result.set_value(std::move(done)); });
  }
  writer.Release();
  const std::string cancel_who_waits =
      "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE datname = "
      "current_database() AND wait_event_type = 'Lock'";
  while (Ask(cancel_who_waits) == "0") std::this_thread::yield();
  for (auto& result : results) {
    EXPECT_THAT(result.get_future().get(), FailsWith(Code::kUnavailable, HasSubstr("user request")))
        << "who had waited for itself was told that its own time was over";
  }
}

TEST_F(PostgresTest, TablesThatSomebodyElseLocksTakeNoWrites) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  auto other = PostgresLink::Connect(url_);
  ASSERT_THAT(other, IsOk());
  (*other)->Run("BEGIN; LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE");
  const auto fault = (*store)->Examine(/*try_write=*/true);
  ASSERT_TRUE(fault);
  EXPECT_THAT(fault->error.message, HasSubstr("could not obtain lock"));
  EXPECT_FALSE(fault->lost);
  (*other)->Run("COMMIT");
  EXPECT_EQ((*store)->Examine(/*try_write=*/true), std::nullopt);
}

TEST_F(PostgresTest, AnotherEncodingIsRefused) {
  static_cast<void>(Ask("CREATE DATABASE latin_1_" + database_ +
                        " ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"));
  std::string url = url_;
  url.replace(url.find("/" + database_ + "?"), database_.size() + 2, "/latin_1_" + database_ + "?");
  EXPECT_THAT(Open(StoreAccess::kReadWrite, url),
              FailsWith(Code::kFailedPrecondition, HasSubstr("encoding LATIN1")));
}

TEST_F(PostgresTest, IdsOfATransactionThatIsNotCommittedAreNoEventsYet) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  StoreChange change = EventChange("First");
  change.webhooks = {{"ops"}};
  ASSERT_THAT((*store)->Apply(std::move(change)), IsOk());
  static_cast<void>(Ask("SELECT nextval('events_id_seq') FROM generate_series(1, 5)"));
  const auto webhooks = (*store)->Webhooks();
  ASSERT_THAT(webhooks, IsOk());
  EXPECT_EQ(webhooks->at(0).last_event, 1);
}

TEST_F(PostgresTest, AServerThatBecameAStandbyIsNeitherWrittenNorRead) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  ASSERT_THAT((*store)->Apply(EventChange("Before")), IsOk());
  ASSERT_THAT(ListReasons(**store), ElementsAre("Before"));
  server_->Stop();
  server_->StartAsStandby();
  EXPECT_THAT((*store)->Apply(EventChange("Refused")),
              FailsWith(Code::kUnavailable, HasSubstr("")));
  EXPECT_THAT((*store)->Events({}), FailsWith(Code::kUnavailable, HasSubstr("")));
  server_->Promote();
  // Its term ended with the timeline. Who has no lease reads.
  EXPECT_THAT((*store)->Events({}), FailsWith(Code::kUnavailable, HasSubstr("its lease")));
  auto reader = Open(StoreAccess::kReadOnly, url_);
  ASSERT_THAT(reader, IsOk());
  EXPECT_THAT(ListReasons(**reader), ElementsAre("Before"));
}

TEST_F(PostgresTest, APoolerBetweenIsNoticed) {
  auto link = PostgresLink::Connect(url_);
  ASSERT_THAT(link, IsOk());
  EXPECT_EQ((*link)->IsPooled(), TestPostgres::Pooled());
}

TEST_F(PostgresTest, ATakenLeaseIsALostStore) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  EXPECT_EQ((*store)->Examine(/*try_write=*/true), std::nullopt);
  static_cast<void>(Ask("UPDATE lease SET holder = 'other', epoch = epoch + 1"));
  EXPECT_THAT((*store)->Apply(EventChange("Refused")),
              FailsWith(Code::kFailedPrecondition, HasSubstr("another replica holds the lease")));
  EXPECT_EQ(Ask("SELECT count(*) FROM events"), "0");
}

TEST_F(PostgresTest, TextsOfAnyBytesComeBack) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  StoreChange change;
  for (const std::string& odd :
       {std::string("a\0b", 3), std::string("\xff\xfe"), std::string("\x1A"),
        std::string("\x1A"
                    "1a"),
        std::string("\xed\xa0\x80"), std::string("äö😀")}) {
    change.events.push_back(testing::EventNamed(odd));
    change.events.back().message = odd + odd;
  }
  ASSERT_THAT((*store)->Apply(change), IsOk());
  const auto events = (*store)->Events({});
  ASSERT_THAT(events, IsOk());
  ASSERT_EQ(events->size(), change.events.size());
  for (std::size_t i = 0; i < events->size(); ++i) {
    EXPECT_EQ((*events)[i].second.reason, change.events[i].reason);
    EXPECT_EQ((*events)[i].second.message, change.events[i].message);
  }
}

TEST_F(PostgresTest, AnIdleStoreHoldsNoTransactionOpen) {
  auto store = Open(StoreAccess::kReadWrite, url_);
  ASSERT_THAT(store, IsOk());
  ASSERT_THAT((*store)->Apply(EventChange("E")), IsOk());
  EXPECT_THAT(ListReasons(**store), ElementsAre("E"));
  EXPECT_EQ(Ask("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "
                "state LIKE 'idle in%'"),
            "0");
}

TEST(PostgresValues, ATextIsEscapedOnlyWhereItMustBe) {
  EXPECT_EQ(EscapedText("roles/viewer äö"), "roles/viewer äö");
  EXPECT_EQ(EscapedText(std::string_view("a\0b", 3)),
            "a\x1A"
            "00b");
  EXPECT_EQ(EscapedText("\xff"),
            "\x1A"
            "ff");
  EXPECT_EQ(UnescapedText(EscapedText("\x1A"
                                      "ff")),
            "\x1A"
            "ff");
}

TEST(PostgresValues, NumbersKeepTheirSign) {
  for (const std::int64_t value : {INT64_MIN, INT64_C(-1), INT64_C(0), INT64_C(258), INT64_MAX}) {
    EXPECT_EQ(IntOfBytes(BigintBytes(value)), value);
  }
  EXPECT_EQ(IntOfBytes(IntBytes(-2)), -2);
}

}  // namespace
}  // namespace bindery::store
