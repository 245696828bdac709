// Where a store reads: on which connection, in which transaction, and who is told of a failure.

#include "store/read_connections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/matchers.h"

namespace bindery::store {
namespace {

using ::bindery::testing::FailsWith;
using ::bindery::testing::IsOk;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Log = std::vector<std::string>;

/// Says in a log that a transaction begins and ends on it, and when it is closed.
class LoggingConnection final : public Connection {
 public:
  LoggingConnection(std::string name, Log& log) : name_(std::move(name)), log_(log) {}
  ~LoggingConnection() override { log_.push_back(name_ + " closed"); }
  LoggingConnection(const LoggingConnection&) = delete;
  LoggingConnection& operator=(const LoggingConnection&) = delete;

  [[nodiscard]] Statement& Prepared(const char* sql) override {
    throw store::EngineError(Code::kUnavailable, EngineError::Cause::kOther, sql);
  }
  [[nodiscard]] Statement& PreparedInsert(const char* sql) override { return Prepared(sql); }
  void BeginRead() override { log_.push_back(name_ + " begins"); }
  void BeginWrite() override {}
  void Settle() override {}
  void Commit() override {}
  void Rollback() noexcept override { log_.push_back(name_ + " ends"); }
  void Savepoint() override {}
  void RollbackToSavepoint() override {}
  void ReleaseSavepoint() override {}
  [[nodiscard]] bool InTransaction() const override { return false; }
  [[nodiscard]] bool IsRemote() const override { return false; }
  [[nodiscard]] bool AsksBefore() const override { return false; }
  [[nodiscard]] std::int64_t LastGiven(const char* /*table*/) override { return 0; }
  [[nodiscard]] std::int64_t LastEvent() override { return 0; }

 private:
  std::string name_;
  Log& log_;
};

class LoggingEngine final : public Engine {
 public:
  explicit LoggingEngine(Log& log) : log_(log) {}

  [[nodiscard]] Expected<std::unique_ptr<Connection>> OpenReader() const override {
    return std::make_unique<LoggingConnection>("own", log_);
  }
  [[nodiscard]] Expected<void> ConfirmCommit() const override { return {}; }
  void NoteFailure(const Error& error) override { log_.push_back("failed: " + error.message); }
  std::optional<StoreFault> Examine(bool /*try_write*/) override { return std::nullopt; }
  Expected<bool> PutBack(Connection& /*reader*/) override { return true; }
  Expected<void> TryWrite(Connection& /*writer*/) override { return {}; }
  void Closing() override {}
  void Closed() override {}

 private:
  Log& log_;
};

class ReadConnectionsTest : public ::testing::Test {
 protected:
  Log log_;
  ReadConnections reads_{std::make_unique<LoggingEngine>(log_),
                         std::make_unique<LoggingConnection>("kept", log_)};
};

TEST_F(ReadConnectionsTest, AReadIsATransactionOnTheConnectionThatIsKept) {
  const Expected<int> read = reads_.Read("resources", [&](Connection& /*connection*/) {
    log_.emplace_back("read");
    return 3;
  });
  EXPECT_EQ(read.value(), 3);
  EXPECT_THAT(log_, ElementsAre("kept begins", "read", "kept ends"));
}

TEST_F(ReadConnectionsTest, ALargeReadHasAConnectionOfItsOwn) {
  EXPECT_THAT(reads_.ReadApart("files", [](Connection& /*connection*/) {}), IsOk());
  EXPECT_THAT(log_, ElementsAre("own begins", "own ends", "own closed"));
}

TEST_F(ReadConnectionsTest, ReadsThatGoTogetherAreOneTransaction) {
  const auto read = [&](const char* what) {
    EXPECT_THAT(reads_.Read(what, [&](Connection& /*connection*/) { log_.emplace_back(what); }),
                IsOk());
  };
  EXPECT_THAT(reads_.ReadTogether([&] {
    read("targets");
    EXPECT_THAT(reads_.ReadTogether([&] { read("resources"); }), IsOk());
    read("drift");
  }),
              IsOk());
  EXPECT_THAT(log_, ElementsAre("kept begins", "targets", "resources", "drift", "kept ends"));
  log_.clear();
  read("holds");
  EXPECT_THAT(log_, ElementsAre("kept begins", "holds", "kept ends"));
}

TEST_F(ReadConnectionsTest, ReadsOfOtherThreadsDoNotGoWithThoseThatGoTogether) {
  std::thread other;
  EXPECT_THAT(reads_.ReadTogether([&] {
    other = std::thread([&] {
      EXPECT_THAT(
          reads_.Read("other", [&](Connection& /*connection*/) { log_.emplace_back("other"); }),
          IsOk());
    });
    log_.emplace_back("own");
  }),
              IsOk());
  other.join();
  EXPECT_THAT(log_,
              ElementsAre("kept begins", "own", "kept ends", "kept begins", "other", "kept ends"));
}

TEST_F(ReadConnectionsTest, TheEngineIsToldOfAReadThatFails) {
  const auto fail = [](Connection& connection) { std::ignore = &connection.Prepared("SELECT 1"); };
  EXPECT_THAT(reads_.Read("resources", fail),
              FailsWith(Code::kUnavailable, "read resources: SELECT 1"));
  EXPECT_THAT(log_, ElementsAre("kept begins", "kept ends", "failed: read resources: SELECT 1"));
  log_.clear();
  EXPECT_THAT(reads_.ReadApart("files", fail),
              FailsWith(Code::kUnavailable, "read files: SELECT 1"));
  EXPECT_THAT(log_,
              ElementsAre("own begins", "own ends", "failed: read files: SELECT 1", "own closed"));
}

TEST_F(ReadConnectionsTest, TheConnectionThatIsKeptIsClosedOnRequest) {
  EXPECT_THAT(log_, IsEmpty());
  reads_.Close();
  EXPECT_THAT(log_, ElementsAre("kept closed"));
}

}  // namespace
}  // namespace bindery::store
