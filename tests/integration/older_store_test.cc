// A store that came back from elsewhere, whoever brought it: nothing is removed because of it until
// an operator has answered.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "integration/manifests.h"
#include "integration/world.h"
#include "support/postgres_server.h"
#include "support/postgres_user.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

constexpr const char* kRole = "roles/viewer";

class OlderStores : public ::testing::Test {
 protected:
  void Begin() {
    Declare({"bob"});
    // So that the folder is never empty.
    world.dir().Write("manifests/stays.yaml",
                      Binding("stays", "roles/editor", "[\"user:ana@example.com\"]"));
    world.StartDaemon();
    world.Eventually("the first manifest is applied", [this] { return Holds("bob"); });
    world.Eventually("the first pass is over", [this] { return IsReady(); });
  }

  void Declare(const std::vector<std::string>& members) const {
    std::string list;
    for (const std::string& member : members) {
      list += (list.empty() ? "" : ", ") + ("\"user:" + member + "@example.com\"");
    }
    world.dir().Write("manifests/viewers.yaml", Binding("viewers", kRole, "[" + list + "]"));
  }
  [[nodiscard]] bool Holds(const std::string& member) const {
    const auto members = world.Members(kPayments, kRole);
    return std::ranges::find(members, "user:" + member + "@example.com") != members.end();
  }
  [[nodiscard]] bool IsReady() const { return world.Ask("GET", "/readyz").status == 200; }
  void AwaitReopening() const {
    world.Eventually("the store is opened again", [this] {
      return world.Ask("GET", "/api/v1/events").body.find("StoreReopened") != std::string::npos;
    });
  }

  /// After the copy was made, something more is declared and applied.
  void GoOn() const {
    Declare({"bob", "dan"});
    world.Eventually("an edit is applied", [this] { return Holds("dan"); });
  }

  /// The removal that is declared then is asked for and, once it is approved, carried out.
  void ExpectQuestion() const {
    fs::remove(world.dir() / "manifests/viewers.yaml");
    world.Eventually("its removal waits for an operator",
                     [this] { return world.Reason("viewers") == "RemovalBlocked"; });
    EXPECT_TRUE(Holds("bob"));
    EXPECT_TRUE(Holds("dan"));
    const Json holds = world.RunJson({"guard"}).at("holds");
    ASSERT_EQ(holds.size(), 1U);
    EXPECT_THAT(holds.at(0).dump(), HasSubstr("store"));
    const Outcome approved = world.Run({"guard", "approve", StringMember(holds.at(0), "digest")});
    EXPECT_EQ(approved.exit_code, 0) << approved.err;
    world.Eventually("it is carried out", [this] { return !Holds("bob"); });
  }

  void ExpectNoQuestion() const {
    fs::remove(world.dir() / "manifests/viewers.yaml");
    world.Eventually("the removal is carried out", [this] { return !Holds("bob"); });
    EXPECT_THAT(world.RunJson({"guard"}).at("holds"), IsEmpty());
  }
  /// Until the witness says what the store says, as it does soon after the last write.
  void AwaitWitness() const {
    world.Eventually("the witness follows", [this] { return Witnessed() == WritesOfLastRun(); });
  }

  [[nodiscard]] virtual std::string WritesOfLastRun() const = 0;

  World world{kSeed};

 private:
  [[nodiscard]] std::string Witnessed() const {
    for (const auto& file : fs::directory_iterator(world.dir() / "home/bindery/witness")) {
      const auto witness =
          ParseJson(world.dir().Read("home/bindery/witness/" + file.path().filename().string()));
      if (witness) return witness->at("writes").dump();
    }
    return "";
  }
};

constexpr const char* kWritesOfLastRun = "SELECT writes FROM runs ORDER BY no DESC LIMIT 1";

class OlderStoreInItsPlace : public OlderStores {
 protected:
  void SetUp() override { Begin(); }
  [[nodiscard]] std::string WritesOfLastRun() const override {
    Sqlite3(std::string(kWritesOfLastRun) + ";");
    const std::string said = world.dir().Read("sqlite3.txt");
    return said.substr(0, said.find('\n'));
  }

  [[nodiscard]] std::string Store() const { return world.dir() / "state/bindery.db"; }
  [[nodiscard]] std::string Copy() const { return world.dir() / "copy.db"; }

  /// What sqlite3 does with the store.
  void Sqlite3(const std::string& commands) const {
    world.dir().Write("commands.sql", ".bail on\n.timeout 5000\n" + commands + "\n");
    const std::string command = "sqlite3 '" + Store() + "' < '" + (world.dir() / "commands.sql") +
                                "' > '" + (world.dir() / "sqlite3.txt") + "' 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << world.dir().Read("sqlite3.txt");
  }
  /// As `cp` or a tool that restores: the copy, and nothing beside it.
  void PutBack() const {
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(Store() + suffix);
    fs::copy_file(Copy(), Store());
  }
};

TEST_F(OlderStoreInItsPlace, AfterACrashRemovesNothingUnasked) {
  ASSERT_EQ(world.Run({"store", "backup", Copy()}).exit_code, 0);
  GoOn();
  AwaitWitness();
  EXPECT_EQ(world.Kill(SIGKILL), -1);
  PutBack();
  world.StartDaemon();
  ExpectQuestion();
  EXPECT_THAT(world.Ask("GET", "/api/v1/events").body, HasSubstr("StoreReplaced"));
}

/// As litestream: tables of its own, a transaction for reading that stays open over the end of the
/// daemon, and a file that everybody may read after its restore.
TEST_F(OlderStoreInItsPlace, WhileAnotherProcessHeldItOpenAtTheEndRemovesNothingUnasked) {
  Sqlite3(
      "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);"
      "CREATE TABLE _litestream_lock (id INTEGER);"
      "INSERT INTO _litestream_seq VALUES (1, 1);");
  ASSERT_EQ(world.Run({"store", "backup", Copy()}).exit_code, 0);
  GoOn();
  const std::string begun = world.dir() / "begun.txt";
  ::FILE* shell = ::popen(("sqlite3 '" + Store() + "' > '" + begun + "'").c_str(), "w");
  ASSERT_NE(shell, nullptr);
  std::fputs("BEGIN; SELECT seq FROM _litestream_seq;\n", shell);
  std::fflush(shell);
  world.Eventually("the other process reads",
                   [&] { return world.dir().Read("begun.txt").find('1') != std::string::npos; });
  EXPECT_EQ(world.Kill(SIGTERM), 0) << world.DaemonLog();
  EXPECT_TRUE(fs::exists(Store() + "-wal"));
  EXPECT_FALSE(fs::exists(Store() + ".clean")) << "it cannot say how the file was left";
  PutBack();
  ::pclose(shell);
  fs::permissions(Store(), fs::perms::others_read, fs::perm_options::add);
  world.StartDaemon();
  EXPECT_EQ(fs::status(Store()).permissions() & fs::perms::others_all, fs::perms::none);
  ExpectQuestion();
}

TEST_F(OlderStoreInItsPlace, WhatAnotherProcessMergesAfterTheEndAsksNothing) {
  GoOn();
  ::FILE* shell = ::popen(("sqlite3 '" + Store() + "' > '" + Copy() + "'").c_str(), "w");
  ASSERT_NE(shell, nullptr);
  std::fputs("BEGIN; SELECT 'begun' FROM events LIMIT 1;\n", shell);
  std::fflush(shell);
  world.Eventually("the other process reads",
                   [&] { return world.dir().Read("copy.db").find("begun") != std::string::npos; });
  EXPECT_EQ(world.Kill(SIGTERM), 0) << world.DaemonLog();
  std::fputs("COMMIT; PRAGMA wal_checkpoint(TRUNCATE);\n", shell);
  ::pclose(shell);
  world.StartDaemon();
  ExpectNoQuestion();
}

TEST_F(OlderStoreInItsPlace, RestoredUnderTheRunningDaemonRemovesNothingUnasked) {
  Sqlite3(".backup '" + Copy() + "'");
  GoOn();
  Sqlite3(".restore '" + Copy() + "'");
  AwaitReopening();
  ExpectQuestion();
}

TEST_F(OlderStoreInItsPlace, MadeByVacuumIntoAndMovedThereRemovesNothingUnasked) {
  Sqlite3("VACUUM INTO '" + Copy() + "';");
  GoOn();
  fs::rename(Copy(), Store());
  AwaitReopening();
  ExpectQuestion();
}

TEST_F(OlderStoreInItsPlace, TheSameStoreAfterACrashAsksNothing) {
  GoOn();
  EXPECT_EQ(world.Kill(SIGKILL), -1);
  world.StartDaemon();
  ExpectNoQuestion();
}

TEST_F(OlderStoreInItsPlace, ThatLacksRowsLeavesNoManifestOut) {
  for (const std::string table : {"resources", "names", "words", "target_keys"}) {
    SCOPED_TRACE(table);
    EXPECT_EQ(world.Kill(SIGTERM), 0);
    Sqlite3("DELETE FROM " + table + ";");
    world.StartDaemon();
    world.Eventually("all manifests are in force",
                     [this] { return world.IsReady("viewers") && world.IsReady("stays"); });
    const std::string events = world.Ask("GET", "/api/v1/events").body;
    EXPECT_EQ(events.find("StoreRecovered") != std::string::npos, table != "resources") << events;
  }
}

TEST_F(OlderStoreInItsPlace, WithoutAWitnessOneIsMadeAndNothingIsAsked) {
  GoOn();
  EXPECT_EQ(world.Kill(SIGKILL), -1);
  fs::remove_all(world.dir() / "home");
  world.StartDaemon();
  EXPECT_FALSE(fs::is_empty(world.dir() / "home/bindery/witness"));
  ExpectNoQuestion();
}

/// A store in PostgreSQL, put back by the tools of PostgreSQL.
class OlderDatabase : public OlderStores {
 protected:
  void SetUp() override {
    if (!PostgresServer::Installed()) GTEST_SKIP() << "no PostgreSQL server here";
    server_ = std::make_unique<PostgresServer>();
    world.KeepStoreAt(server_->MakeUrl("bindery"));
    world.Configure("reconcile: {interval: 1s}\n");
    Begin();
  }

  void Dump(const std::string& options) const {
    const std::string part = world.dir() / "part.sql";
    Do(PostgresProgram("pg_dump") + " " + Where() + " " + options + " > '" + part + "'");
    // A newer pg_dump sets what an older server does not know.
    Do("sed '/^SET transaction_timeout/d' '" + part + "' >> '" + (world.dir() / "dump.sql") + "'");
  }
  void PutBack() const {
    Do(PostgresProgram("psql") + " -X -q -1 -v ON_ERROR_STOP=1 " + Where() + " -f '" +
       (world.dir() / "dump.sql") + "' > '" + (world.dir() / "psql.txt") + "' 2>&1");
  }
  /// Empties all tables and copies the rows.
  void DumpRows() const {
    world.dir().Write("dump.sql",
                      server_->Ask("bindery",
                                   "SELECT 'TRUNCATE ' || string_agg(tablename, ', ') "
                                   "|| ';' FROM pg_tables WHERE schemaname = 'public'"));
    Dump("--data-only");
  }

  [[nodiscard]] std::string WritesOfLastRun() const override {
    return server_->Ask("bindery", kWritesOfLastRun);
  }

  std::unique_ptr<PostgresServer> server_;

 private:
  [[nodiscard]] std::string Where() const {
    return "-h '" + server_->Folder() + "' -U bindery -d bindery";
  }
  void Do(const std::string& command) const {
    ASSERT_EQ(std::system(command.c_str()), 0) << command << world.dir().Read("psql.txt");
  }
};

TEST_F(OlderDatabase, ThatIsCopiedUnderTheRunningDaemonRemovesNothingUnasked) {
  DumpRows();
  GoOn();
  PutBack();
  AwaitReopening();
  ExpectQuestion();
}

TEST_F(OlderDatabase, ThatIsCopiedAfterACrashRemovesNothingUnasked) {
  DumpRows();
  GoOn();
  AwaitWitness();
  EXPECT_EQ(world.Kill(SIGKILL), -1);
  PutBack();
  world.StartDaemon();
  ExpectQuestion();
}

TEST_F(OlderDatabase, ThatIsMadeAnewUnderTheRunningDaemonRemovesNothingUnasked) {
  Dump("--clean --if-exists");
  GoOn();
  PutBack();
  AwaitReopening();
  ExpectQuestion();
}

TEST_F(OlderDatabase, ThatIsTheSameInOtherTablesAsksNothing) {
  GoOn();
  EXPECT_EQ(world.Kill(SIGTERM), 0) << world.DaemonLog();
  Dump("--clean --if-exists");
  PutBack();
  world.StartDaemon();
  ExpectNoQuestion();
}

}  // namespace
}  // namespace bindery::testing
