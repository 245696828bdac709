#include "store/postgres/lease.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "store/postgres/postgres_connection.h"
#include "store/postgres/postgres_link.h"
#include "store/postgres/postgres_opening.h"
#include "store/sql/engine_error.h"
#include "store/witness/run_mark.h"
#include "store/witness/witness.h"
#include "support/matchers.h"
#include "support/postgres_proxy.h"
#include "test_postgres.h"

namespace bindery::store {
namespace {

using bindery::testing::FailsWith;
using bindery::testing::IsOk;
using bindery::testing::TestPostgres;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

/// Of a holder that renews, and of others that need not wait long for one that does not.
constexpr LeaseTimes kQuick{milliseconds(20), milliseconds(2'000), milliseconds(300),
                            milliseconds(500), milliseconds(10)};
/// Of a holder that stands still from its start.
constexpr LeaseTimes kNeverRenews{std::chrono::hours(1), milliseconds(2'000), milliseconds(300),
                                  milliseconds(500), milliseconds(10)};

bool WaitsForEver(const LeaseHolder* /*holder*/, const std::string& /*why*/) { return true; }

class LeaseTest : public bindery::testing::PostgresDatabaseTest {
 protected:
  [[nodiscard]] Expected<std::unique_ptr<Lease>> Take(const std::string& host,
                                                      const LeaseTimes& times = kQuick,
                                                      StoreSharing::Waiting waiting = {}) const {
    return Lease::Take(url_, {{host, "1.0"}, times, std::move(waiting)});
  }

  [[nodiscard]] std::unique_ptr<PostgresConnection> WriterOf(const Lease& lease) const {
    return std::make_unique<PostgresConnection>(url_, lease.fence());
  }
};

/// Writes an event in a transaction of its own.
Expected<void> WriteAs(PostgresConnection& writer, const std::string& reason) {
  auto written = Attempt("write", [&] {
    writer.BeginWrite();
    store::Run(writer, "INSERT INTO words (text) VALUES (?1)", reason);
    writer.Commit();
  });
  if (!written) writer.Rollback();
  return written;
}

TEST_F(LeaseTest, OneReplicaHasItAndTheNextIsToldWho) {
  const auto first = Take("host-a");
  ASSERT_THAT(first, IsOk());
  EXPECT_TRUE((*first)->holds());
  EXPECT_THAT(Take("host-b"),
              FailsWith(Code::kFailedPrecondition, "the store is in use by the replica on host-a"));
}

TEST_F(LeaseTest, WhoTakesItSetsTheSequencesThatAreBehindTheRows) {
  { ASSERT_THAT(Take("host-a"), IsOk()); }
  {
    auto link = PostgresLink::Connect(url_);
    ASSERT_THAT(link, IsOk());
    // What logical replication leaves: the rows, and sequences that were never asked.
    (*link)->Run("INSERT INTO words (id, text) VALUES (1, 'a'), (7, 'b')");
    (*link)->Run("ALTER SEQUENCE words_id_seq RESTART; ALTER SEQUENCE lease_log_no_seq RESTART");
  }
  const auto lease = Take("host-b");
  ASSERT_THAT(lease, IsOk());
  auto writer = WriterOf(**lease);
  EXPECT_THAT(WriteAs(*writer, "a new one"), IsOk());
  EXPECT_EQ(Ask("SELECT CAST(id AS TEXT) FROM words WHERE text = 'a new one'"), "8");
}

TEST_F(LeaseTest, EveryTableHasAPrimaryKey) {
  ASSERT_THAT(Take("host-a"), IsOk());
  // A publication FOR ALL TABLES refuses updates of a table without one.
  EXPECT_EQ(Ask("SELECT coalesce(string_agg(relname, ' '), '') FROM pg_class c"
                " WHERE relkind = 'r' AND relnamespace = current_schema::regnamespace AND NOT"
                " EXISTS (SELECT 1 FROM pg_index WHERE indrelid = c.oid AND indisprimary)"),
            "");
}

TEST_F(LeaseTest, OneThatIsToldOfItsGrantTooLateHasIt) {
  { ASSERT_THAT(Take("host-a"), IsOk()); }
  bindery::testing::PostgresProxy proxy(server_->Socket());
  proxy.Lose(bindery::testing::PostgresProxy::Loses::kAnswerToCommit);
  const auto lease =
      Lease::Take(proxy.MakeUrl(database_), {{"host-b", "1.0"}, kQuick, WaitsForEver});
  ASSERT_THAT(lease, IsOk());
  EXPECT_TRUE(proxy.lost());
  EXPECT_TRUE((*lease)->holds());
  auto writer = WriterOf(**lease);
  EXPECT_THAT(WriteAs(*writer, "in its term"), IsOk());
  EXPECT_EQ(Ask("SELECT epoch FROM lease"), "2");
}

TEST_F(LeaseTest, EndsWhenABackupIsRestoredInItsPlace) {
  const auto lease = Take("host-a");
  ASSERT_THAT(lease, IsOk());
  auto writer = WriterOf(**lease);
  ASSERT_THAT(WriteAs(*writer, "before"), IsOk());
  static_cast<void>(
      Ask("CREATE TABLE restored (LIKE lease INCLUDING ALL); INSERT INTO restored SELECT * FROM "
          "lease; DROP TABLE lease; ALTER TABLE restored RENAME TO lease"));
  EXPECT_THAT(WriteAs(*writer, "after"),
              FailsWith(Code::kFailedPrecondition, HasSubstr("another replica holds the lease")));
  while (!(*lease)->lost()) std::this_thread::yield();
}

TEST_F(LeaseTest, EndsWhenTheHeartbeatIsPutBack) {
  const auto lease = Take("host-a");
  ASSERT_THAT(lease, IsOk());
  while (Ask("SELECT beat > 3 FROM replicas") != "t") std::this_thread::yield();
  static_cast<void>(Ask("UPDATE replicas SET beat = 0"));
  while (!(*lease)->lost()) std::this_thread::yield();
  EXPECT_FALSE((*lease)->holds());
}

TEST_F(LeaseTest, EndsWhenTheContentIsPutBackAndTheLeaseIsNot) {
  const auto lease = Take("host-a");
  ASSERT_THAT(lease, IsOk());
  static_cast<void>(Ask("INSERT INTO runs VALUES ('a-run', 1, 1)"));
  const auto run = std::make_shared<RunMark>("a-run", 1, "");
  run->NoteCommit();
  (*lease)->Require(run);
  const auto writer = std::make_unique<PostgresConnection>(url_, (*lease)->fence(), "", run);
  EXPECT_THAT(WriteAs(*writer, "before"), IsOk());
  EXPECT_EQ(Ask("SELECT writes FROM runs"), "2");
  EXPECT_TRUE((*lease)->holds());
  static_cast<void>(Ask("UPDATE runs SET writes = 1"));
  EXPECT_THAT(WriteAs(*writer, "after"),
              FailsWith(Code::kFailedPrecondition, HasSubstr("put back to an older state")));
  while (!(*lease)->lost()) std::this_thread::yield();
}

TEST_F(LeaseTest, WhoStandsByRemembersHowFarTheOneAtWorkIs) {
  const auto first = Take("host-a");
  ASSERT_THAT(first, IsOk());
  static_cast<void>(Ask("INSERT INTO runs VALUES ('a-run', 1, 5)"));
  StoreSharing sharing{{"host-b", "1.0"}, kQuick};
  sharing.witness = std::make_shared<StoreWitness>();
  EXPECT_FALSE(Lease::Take(url_, sharing));
  ASSERT_TRUE(sharing.witness->seen());
  EXPECT_EQ(sharing.witness->seen()->run, "a-run");
  EXPECT_EQ(sharing.witness->seen()->writes, 5);
  static_cast<void>(Ask("UPDATE runs SET writes = 4"));
  EXPECT_FALSE(Lease::Take(url_, sharing));
  EXPECT_EQ(sharing.witness->seen()->writes, 5) << "the database was put back";
}

TEST_F(LeaseTest, IsFreeAtOnceWhenItsHolderEnds) {
  { ASSERT_THAT(Take("host-a"), IsOk()); }
  ASSERT_THAT(Take("host-b"), IsOk());
  EXPECT_EQ(Ask("SELECT string_agg(epoch || ' ' || why, ', ' ORDER BY no) FROM lease_log"),
            "1 free, 2 free");
}

TEST_F(LeaseTest, IsKeptByAHolderThatRenews) {
  const auto first = Take("host-a");
  ASSERT_THAT(first, IsOk());
  const auto began = std::chrono::steady_clock::now();
  const auto second = Take("host-b", kQuick, [&](const LeaseHolder* holder, const std::string&) {
    EXPECT_EQ(holder == nullptr ? "" : holder->host, "host-a");
    return std::chrono::steady_clock::now() - began < 3 * kQuick.steal;
  });
  EXPECT_THAT(second, FailsWith(Code::kFailedPrecondition, HasSubstr("host-a")));
  EXPECT_TRUE((*first)->holds());
}

TEST_F(LeaseTest, IsTakenFromAHolderThatStandsStillAfterItStoppedTrusting) {
  const auto first = Take("host-a", kNeverRenews);
  ASSERT_THAT(first, IsOk());
  bool held_when_taken = true;
  const auto second = Take("host-b", kQuick, WaitsForEver);
  held_when_taken = (*first)->holds();
  ASSERT_THAT(second, IsOk());
  EXPECT_FALSE(held_when_taken);
  EXPECT_TRUE((*second)->holds());
  EXPECT_EQ(Ask("SELECT string_agg(epoch || ' ' || why, ', ' ORDER BY no) FROM lease_log"),
            "1 free, 2 stolen");
}

TEST_F(LeaseTest, AHolderFromWhichItWasTakenWritesNothingMore) {
  const auto first = Take("host-a", kNeverRenews);
  ASSERT_THAT(first, IsOk());
  const auto old_writer = WriterOf(**first);
  ASSERT_THAT(WriteAs(*old_writer, "before"), IsOk());
  const auto second = Take("host-b", kQuick, WaitsForEver);
  ASSERT_THAT(second, IsOk());
  EXPECT_THAT(WriteAs(*old_writer, "after"),
              FailsWith(Code::kFailedPrecondition, HasSubstr("another replica holds the lease")));
  EXPECT_THAT(WriteAs(*WriterOf(**second), "successor"), IsOk());
  EXPECT_EQ(Ask("SELECT string_agg(text, ' ' ORDER BY text) FROM words"), "before successor");
}

TEST_F(LeaseTest, IsNotTakenInTheMiddleOfATransactionOfItsHolder) {
  const auto first = Take("host-a", kNeverRenews);
  ASSERT_THAT(first, IsOk());
  const auto writer = WriterOf(**first);
  writer->BeginWrite();
  store::Run(*writer, "INSERT INTO words (text) VALUES ('under way')");
  int refusals = 0;
  const auto second = Take("host-b", kQuick, [&](const LeaseHolder* holder, const std::string&) {
    // An attempt to take it ends with the time to wait for a lock.
    if (holder == nullptr && ++refusals == 1) writer->Commit();
    return true;
  });
  ASSERT_THAT(second, IsOk());
  EXPECT_GE(refusals, 1);
  EXPECT_EQ(Ask("SELECT text FROM words"), "under way");
}

TEST_F(LeaseTest, AHolderWhoseTermWasTakenNoticesAtItsNextRenewal) {
  const auto first = Take("host-a");
  ASSERT_THAT(first, IsOk());
  static_cast<void>(Ask("UPDATE replicas SET dead = TRUE"));
  while (!(*first)->lost()) std::this_thread::yield();
  EXPECT_FALSE((*first)->holds());
  EXPECT_THAT((*first)->Why(), HasSubstr("another replica has taken the lease of the store"));
}

TEST_F(LeaseTest, ATermEndsWithAFailoverOfTheDatabase) {
  const auto first = Take("host-a");
  ASSERT_THAT(first, IsOk());
  const auto writer = WriterOf(**first);
  static_cast<void>(Ask("UPDATE lease SET timeline = '00000000'"));
  EXPECT_THAT(WriteAs(*writer, "after"), FailsWith(Code::kFailedPrecondition, HasSubstr("lease")));
  while (!(*first)->lost()) std::this_thread::yield();
}

TEST_F(LeaseTest, AfterAFailoverAlsoAFreeOneIsWaitedFor) {
  { ASSERT_THAT(Take("host-a"), IsOk()); }
  static_cast<void>(Ask("UPDATE lease SET timeline = '00000000'"));
  const auto began = std::chrono::steady_clock::now();
  const auto second = Take("host-b", kQuick, WaitsForEver);
  ASSERT_THAT(second, IsOk());
  EXPECT_GE(std::chrono::steady_clock::now() - began, kQuick.steal);
  EXPECT_EQ(Ask("SELECT why FROM lease_log ORDER BY no DESC LIMIT 1"), "stolen");
}

TEST_F(LeaseTest, IsHeldThroughARestartOfTheDatabase) {
  const auto first = Take("host-a", {milliseconds(20), milliseconds(2'000), milliseconds(60'000),
                                     milliseconds(90'000), milliseconds(10)});
  ASSERT_THAT(first, IsOk());
  const auto writer = WriterOf(**first);
  ASSERT_THAT(WriteAs(*writer, "before"), IsOk());
  server_->StopAtOnce();
  EXPECT_THAT(WriteAs(*writer, "away"), FailsWith(Code::kUnavailable, HasSubstr("")));
  server_->Start();
  EXPECT_THAT(WriteAs(*writer, "after"), IsOk());
  EXPECT_FALSE((*first)->lost());
  EXPECT_EQ(Ask("SELECT string_agg(text, ' ' ORDER BY text) FROM words"), "after before");
}

TEST_F(LeaseTest, WaitsForADatabaseThatIsAway) {
  server_->Stop();
  int asked = 0;
  auto taken = Take("host-a", kQuick, [&](const LeaseHolder* holder, const std::string& why) {
    EXPECT_EQ(holder, nullptr);
    EXPECT_THAT(why, HasSubstr("connection"));
    if (++asked == 2) server_->Start();
    return true;
  });
  EXPECT_THAT(taken, IsOk());
}

TEST_F(LeaseTest, AWrongUserIsAnErrorAtOnce) {
  std::string wrong = url_;
  wrong.replace(wrong.find("bindery@"), 8, "nobody@");
  EXPECT_THAT(Lease::Take(wrong, {{"host-a", "1"}, kQuick, WaitsForEver}),
              FailsWith(Code::kPermissionDenied,
                        HasSubstr(TestPostgres::Pooled() ? "no such user" : "nobody")));
}

TEST_F(LeaseTest, AStoreWithOtherTablesIsLeftAlone) {
  struct Case {
    const char* change;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"UPDATE bindery_schema SET version = 99",
       "schema version 99, this program reads version 100"},
      {"UPDATE bindery_schema SET version = 100, tables = 'others'",
       "version 100, but other tables"},
      {"ALTER TABLE bindery_schema DROP COLUMN tables", "version 100, but other tables"},
  };
  { ASSERT_THAT(Take("host-a"), IsOk()); }
  const std::string epoch = Ask("SELECT epoch FROM lease");
  for (const Case& one : cases) {
    static_cast<void>(Ask(one.change));
    EXPECT_THAT(Take("host-b", kQuick, WaitsForEver),
                FailsWith(Code::kFailedPrecondition,
                          AllOf(HasSubstr(one.message),
                                HasSubstr("use the version of bindery that made it"))))
        << one.change;
  }
  EXPECT_EQ(Ask("SELECT epoch FROM lease"), epoch);
}

}  // namespace
}  // namespace bindery::store
