#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>

#include "fixture.h"
#include "held_writer.h"
#include "sqlite/database.h"
#include "store/group_writer.h"
#include "store/sqlite/sqlite_connection.h"

namespace bindery::store {
namespace {

using testing::Binding;
using ::testing::ElementsAre;
using testing::EventChange;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::HeldWriter;
using testing::IsOk;
using ::testing::SizeIs;
using testing::StoreTest;
using testing::TempDir;

class GroupCommit : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    store().OnCommit([this](std::chrono::nanoseconds duration, std::size_t changes) {
      EXPECT_GT(duration.count(), 0);
      const std::lock_guard lock(mutex_);
      commits_.push_back(changes);
    });
  }

  /// What is submitted next waits together, until Release().
  void Block() { held_.emplace(store()); }
  void Release() { held_->Release(); }

  std::vector<std::size_t> Commits() {
    const std::lock_guard lock(mutex_);
    return commits_;
  }

  std::optional<HeldWriter> held_;
  std::mutex mutex_;
  std::vector<std::size_t> commits_;
};

TEST_F(GroupCommit, EverythingThatWaitsIsCommittedTogether) {
  Block();
  std::atomic<int> answered = 0;
  for (int i = 0; i < 100; ++i) {
    store().Submit(EventChange("Grouped"), [&answered](const Expected<void>& result) {
      EXPECT_THAT(result, IsOk());
      ++answered;
    });
  }
  EXPECT_EQ(answered, 0);
  Release();
  ASSERT_THAT(store().Flush(), IsOk());
  EXPECT_EQ(answered, 100);
  EXPECT_THAT(Commits(), ElementsAre(1U, 100U));
  EXPECT_THAT(EventReasons(), SizeIs(101));
}

TEST_F(GroupCommit, AGroupIsBoundedAndKeepsTheOrder) {
  Block();
  std::vector<int> order;
  const int count = static_cast<int>(GroupWriter::kLargestGroup) + 1;
  for (int i = 0; i < count; ++i) {
    store().Submit(EventChange("E"), [&order, i](const Expected<void>&) { order.push_back(i); });
  }
  Release();
  ASSERT_THAT(store().Flush(), IsOk());
  EXPECT_THAT(Commits(), ElementsAre(1U, GroupWriter::kLargestGroup, 1U));
  EXPECT_THAT(order, SizeIs(count));
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(GroupCommit, ManyThreadsNeedFewerCommitsThanChanges) {
  Block();
  constexpr int kThreads = 8;
  constexpr int kChanges = 25;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this] {
      for (int j = 0; j < kChanges; ++j) EXPECT_THAT(store().Apply(EventChange("E")), IsOk());
    });
  }
  Release();
  for (std::thread& thread : threads) thread.join();

  const auto commits = Commits();
  std::size_t changes = 0;
  for (const std::size_t group : commits) changes += group;
  EXPECT_EQ(changes, static_cast<std::size_t>(kThreads * kChanges + 1));
  EXPECT_LT(commits.size(), changes);
  EXPECT_EQ(Value(store().Counts()).events, kThreads * kChanges + 1);
}

TEST_F(GroupCommit, AChangeThatFailsIsUndoneAlone) {
  StoreChange bad = EventChange("Bad");
  bad.upsert_resources = {Binding("a", "t", "r"), Binding("b", "t", "r")};
  Block();
  std::vector<bool> good;
  const auto note = [&good](const Expected<void>& result) { good.push_back(result.has_value()); };
  store().Submit(EventChange("Before"), note);
  store().Submit(bad, [&](const Expected<void>& result) {
    note(result);
    EXPECT_THAT(result, FailsWith(Code::kAlreadyExists, HasSubstr("which \"a\" holds")));
  });
  store().Submit(EventChange("After"), note);
  Release();
  ASSERT_THAT(store().Flush(), IsOk());
  EXPECT_THAT(good, ElementsAre(true, false, true));
  EXPECT_THAT(Commits(), ElementsAre(1U, 2U));
  EXPECT_THAT(EventReasons(), ElementsAre("Block", "Before", "After"));
  EXPECT_THAT(Claims(), ElementsAre());
}

TEST_F(GroupCommit, AnEmptyChangeAndAFlushCommitNothing) {
  EXPECT_THAT(store().Apply({}), IsOk());
  EXPECT_THAT(store().Flush(), IsOk());
  EXPECT_THAT(Commits(), ElementsAre());
}

TEST_F(GroupCommit, ClosingTheStoreFirstWritesWhatWaits) {
  Block();
  bool answered = false;
  store().Submit(EventChange("Last"), [this, &answered](const Expected<void>& result) {
    EXPECT_THAT(result, IsOk());
    EXPECT_THAT(EventReasons(), ElementsAre("Block", "Last")) << "reading still works";
    answered = true;
  });
  Release();
  Store* closing = store_.get();
  ASSERT_NE(closing, nullptr);
  closing->OnCommit({});
  ASSERT_THAT(store().Flush(), IsOk());
  store_.reset();
  EXPECT_TRUE(answered);
}

TEST_F(GroupCommit, ReadersSeeWholeChangesWhileOthersWrite) {
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; i < 50; ++i) {
      StoreChange change = EventChange("E");
      change.revisions.push_back(
          testing::RevisionOf(testing::PolicyTarget("a"), std::to_string(i)));
      EXPECT_THAT(store().Apply(change), IsOk());
    }
    done = true;
  });
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!done) {
        const StoreCounts counts = Value(store().Counts());
        EXPECT_EQ(counts.events, counts.revisions);
        EXPECT_EQ(counts.policies, counts.revisions);
      }
    });
  }
  writer.join();
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(Value(store().Counts()).events, 50);
}

class GroupWriterTest : public ::testing::Test {
 protected:
  GroupWriterTest() {
    sqlite::OpenOptions options;
    options.busy_timeout = std::chrono::milliseconds(1);
    auto database = sqlite::OpenDatabase(path_, options);
    EXPECT_THAT(database, IsOk());
    (*database)->exec("CREATE TABLE t (a INTEGER) STRICT");
    writer_ =
        std::make_unique<GroupWriter>(std::make_unique<SqliteConnection>(std::move(*database)));
  }

  static Expected<void> Insert(Connection& connection) {
    store::Run(connection, "INSERT INTO t VALUES (1)");
    return {};
  }
  int Rows() {
    SQLite::Database database(path_, SQLite::OPEN_READONLY);
    return database.execAndGet("SELECT count(*) FROM t").getInt();
  }

  TempDir dir_;
  const std::string path_ = dir_ / "t.db";
  std::unique_ptr<GroupWriter> writer_;
};

TEST_F(GroupWriterTest, ALostTransactionFailsTheWholeGroupAndNotTheNext) {
  std::promise<void> blocked;
  std::promise<void> release;
  writer_->Submit(Insert, [&](const Expected<void>&) {
    blocked.set_value();
    release.get_future().wait();
  });
  blocked.get_future().wait();
  std::vector<std::string> results;
  const auto note = [&results](const Expected<void>& result) {
    results.push_back(result ? "ok" : result.error().message);
  };
  writer_->Submit(Insert, note);
  writer_->Submit(
      [](Connection& connection) {
        connection.Rollback();
        return Expected<void>(Fail(Code::kResourceExhausted, "the disk is full"));
      },
      note);
  writer_->Submit(Insert, note);
  release.set_value();
  std::ignore = writer_->Flush();  // fails too if it was in time to join the group
  EXPECT_THAT(results, ElementsAre("the disk is full", "the disk is full", "the disk is full"));

  EXPECT_THAT(writer_->Run(Insert), IsOk());
  EXPECT_EQ(Rows(), 2);
}

TEST_F(GroupWriterTest, ALockedDatabaseFailsTheGroupAndNotTheNext) {
  SQLite::Database other(path_, SQLite::OPEN_READWRITE);
  other.exec("BEGIN IMMEDIATE");
  EXPECT_THAT(writer_->Run(Insert),
              FailsWith(Code::kUnavailable, "write the store: database is locked"));
  other.exec("ROLLBACK");
  EXPECT_THAT(writer_->Run(Insert), IsOk());
  EXPECT_EQ(Rows(), 1);
}

TEST_F(GroupWriterTest, AThrownFailureIsThatOfItsCallerAlone) {
  EXPECT_THAT(writer_->Run([](Connection& connection) -> Expected<void> {
    store::Run(connection, "INSERT INTO t VALUES ('text')");
    return {};
  }),
              FailsWith(Code::kAlreadyExists, HasSubstr("write the store: ")));
  EXPECT_THAT(writer_->Run(Insert), IsOk());
  EXPECT_EQ(Rows(), 1);
}

}  // namespace
}  // namespace bindery::store
