#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "store/postgres/postgres_link.h"
#include "store/sql/engine_error.h"
#include "support/postgres_pooler.h"
#include "support/postgres_server.h"

namespace bindery::testing {

/// What BINDERY_TEST_STORE says: the database that tests use. Empty: none.
[[nodiscard]] inline std::string_view TestStore() {
  const char* store = std::getenv("BINDERY_TEST_STORE");  // NOLINT(concurrency-mt-unsafe): not set
  return store == nullptr ? "" : store;
}

/// The server of tests; where BINDERY_TEST_STORE says "pgbouncer", it is reached through that.
class TestPostgres : public PostgresServer {
 public:
  [[nodiscard]] static bool Pooled() { return TestStore() == "pgbouncer"; }
  [[nodiscard]] static bool Installed() {
    return PostgresServer::Installed() && (!Pooled() || PostgresPooler::Installed());
  }

  TestPostgres() : PostgresServer({"max_connections = 300"}) {
    if (Pooled()) pooler_.emplace(*this);
  }

  [[nodiscard]] std::string MakeUrl(const std::string& database) {
    last_url_ = PostgresServer::MakeUrl(database);
    if (pooler_) last_url_ = pooler_->MakeUrl(database);
    return last_url_;
  }
  /// The URL of a new schema, which is quicker to make than a database. A pooler does not take the
  /// parameter that chooses it, so there it is that of a new user.
  [[nodiscard]] std::string UrlOfSchema(const std::string& database, const std::string& schema) {
    const std::string direct = PostgresServer::MakeUrl(database);
    auto link = store::PostgresLink::Connect(direct);
    if (!link) throw std::runtime_error(ToString(link.error()));
    (*link)->Run("CREATE SCHEMA " + schema);
    if (!pooler_) return direct + "&options=-csearch_path%3D" + schema;
    (*link)->Run("CREATE ROLE " + schema + " LOGIN SUPERUSER; ALTER ROLE " + schema +
                 " SET search_path = " + schema);
    return pooler_->MakeUrl(database, schema);
  }
  [[nodiscard]] std::string Socket() const {
    return pooler_ ? pooler_->Socket() : PostgresServer::Socket();
  }

  /// A pooler that found the server away tries it again a little later.
  void Start() {
    PostgresServer::Start();
    while (pooler_ && !Answers()) std::this_thread::yield();
  }

 private:
  [[nodiscard]] bool Answers() const {
    const auto link = store::PostgresLink::Connect(last_url_);
    if (!link) return false;
    const auto asked = store::Attempt("ask", [&] { (*link)->Run("SELECT 1"); });
    return asked.has_value();
  }

  std::optional<PostgresPooler> pooler_;
  std::string last_url_;
};

/// Each test has a new database; it is skipped where there is no server.
class PostgresDatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!TestPostgres::Installed()) GTEST_SKIP() << "no PostgreSQL server here";
    static TestPostgres server;
    static int count = 0;
    server_ = &server;
    database_ = "database_" + std::to_string(++count);
    url_ = server.MakeUrl(database_);
  }

  /// What psql prints for a statement in the database.
  [[nodiscard]] std::string Ask(const std::string& sql) const {
    return server_->Ask(database_, sql);
  }

  TestPostgres* server_ = nullptr;
  std::string database_;
  std::string url_;
};

}  // namespace bindery::testing
