#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/text/digest.h"
#include "store/open_store.h"
#include "store/postgres/postgres_connection.h"
#include "store/sqlite/sqlite_connection.h"
#include "support/matchers.h"
#include "support/temp_dir.h"
#include "test_postgres.h"

namespace bindery::testing {

/// 2026-11-21T10:20:30Z and so many seconds.
[[nodiscard]] inline WallTime At(int seconds) {
  return WallTime(std::chrono::seconds(std::int64_t{1795256430} + seconds));
}

class FixedClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return At(0); }
  [[nodiscard]] MonoTime Mono() const override { return {}; }
};

[[nodiscard]] inline Target PolicyTarget(const std::string& name) {
  return {"AuthorizationPolicyIamBinding", "",
          "projects/p/locations/l/authorizationPolicies/" + name};
}

[[nodiscard]] inline store::ResourceRecord Binding(const std::string& name,
                                                   const std::string& target,
                                                   const std::string& role) {
  store::ResourceRecord record;
  record.name = name;
  record.token = {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"};
  record.target = PolicyTarget(target);
  record.provider = "cloudnative";
  record.role = role;
  record.accepted = true;
  record.spec = R"({"name":"x"})";
  record.status_since = At(0);
  return record;
}

[[nodiscard]] inline store::RevisionRecord RevisionOf(const Target& target, const std::string& body,
                                                      Origin origin = Origin::kObserved) {
  store::RevisionRecord record;
  record.target = target;
  record.time = At(1);
  record.origin = origin;
  record.etag = "etag";
  record.digest = Sha256Hex(body);
  record.policy = body;
  record.actor = "bindery";
  return record;
}

[[nodiscard]] inline store::TargetRecord Observed(const Target& target, const std::string& body) {
  store::TargetRecord record;
  record.target = target;
  record.provider = "cloudnative";
  record.observed = true;
  record.exists = true;
  record.etag = "etag";
  if (!body.empty()) record.policy_digest = Sha256Hex(body);
  record.observed_at = At(1);
  return record;
}

[[nodiscard]] inline Event EventNamed(const std::string& reason, WallTime time = At(0)) {
  Event event;
  event.time = time;
  event.reason = reason;
  event.message = "something happened";
  event.actor = "bindery";
  return event;
}

[[nodiscard]] inline store::StoreChange EventChange(const std::string& reason) {
  store::StoreChange change;
  change.events.push_back(EventNamed(reason));
  return change;
}

/// More than an index of either engine holds in one row, and hardly to be compressed.
[[nodiscard]] inline std::string LongText() {
  std::string text;
  for (int i = 0; i < 200; ++i) text += Sha256Hex(std::to_string(i));
  return text;
}

/// A store of its own for each test: in a file, or in a database where BINDERY_TEST_STORE names
/// one, so that both engines keep the same contract.
class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (InDatabase() && !TestPostgres::Installed()) GTEST_SKIP() << "no PostgreSQL server here";
    Reopen();
  }

  void Reopen() {
    store_.reset();
    if (location_ == StoreLocation()) location_ = InDatabase() ? NewSchema() : path();
    auto opened = store::OpenStore(location_, store::StoreAccess::kReadWrite, clock_);
    ASSERT_THAT(opened, IsOk());
    store_ = std::move(*opened);
  }

  [[nodiscard]] static bool InDatabase() { return !TestStore().empty(); }

  [[nodiscard]] std::string path() const { return dir_ / "state/bindery.db"; }
  [[nodiscard]] store::Store& store() { return *store_; }

  template <typename T>
  [[nodiscard]] static T Value(Expected<T> result) {
    EXPECT_THAT(result, IsOk());
    return result ? std::move(*result) : T{};
  }

  /// The manifest files on record, by path.
  [[nodiscard]] std::vector<store::FileRecord> Files() {
    std::vector<store::FileRecord> files;
    EXPECT_THAT(
        store().ReadFiles([&](store::FileRecord&& file) { files.push_back(std::move(file)); }),
        IsOk());
    std::ranges::sort(files, {}, &store::FileRecord::path);
    return files;
  }

  /// The resources on record as "name" or "(name)" when not accepted, with their roles.
  [[nodiscard]] std::vector<std::string> Claims() {
    std::vector<std::string> claims;
    for (const store::ResourceRecord& record : Value(store().Resources())) {
      const std::string name = record.accepted ? record.name : "(" + record.name + ")";
      claims.push_back(name + " " + record.role);
    }
    return claims;
  }

  /// How many rows there are of "TABLE WHERE …".
  [[nodiscard]] std::int64_t Count(const std::string& what) {
    const auto connection = Connect();
    const std::string sql = "SELECT count(*) FROM " + what;
    const store::ReadTransaction transaction(*connection);
    store::Query query(*connection, sql.c_str());
    return query.Next() ? query.Int(0) : -1;
  }

  /// Changes rows behind the back of the store.
  void Alter(const std::function<void(store::Connection&)>& write) {
    store_.reset();
    const auto connection = Connect();
    connection->BeginWrite();
    write(*connection);
    connection->Commit();
  }

  [[nodiscard]] std::vector<std::string> EventReasons() {
    std::vector<std::string> reasons;
    for (const auto& [id, event] : Value(store().Events({}))) reasons.push_back(event.reason);
    return reasons;
  }

  TempDir dir_;
  FixedClock clock_;
  StoreLocation location_;
  std::unique_ptr<store::Store> store_;

 private:
  [[nodiscard]] std::unique_ptr<store::Connection> Connect() const {
    if (!InDatabase()) {
      return std::make_unique<store::SqliteConnection>(
          std::make_unique<SQLite::Database>(path(), SQLite::OPEN_READWRITE));
    }
    return std::make_unique<store::PostgresConnection>(location_.database, "SELECT 1");
  }

  /// One server for all tests of the program, and a schema of its own for each.
  [[nodiscard]] static StoreLocation NewSchema() {
    static TestPostgres server;
    static int count = 0;
    StoreLocation location;
    location.database = server.UrlOfSchema("bindery", "test_" + std::to_string(++count));
    return location;
  }
};

}  // namespace bindery::testing
