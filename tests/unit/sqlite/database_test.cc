#include "sqlite/database.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::sqlite {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::TempDir;

constexpr std::array<const char*, 2> kSteps = {
    "CREATE TABLE first (a INTEGER) STRICT; INSERT INTO first VALUES (1)",
    "CREATE TABLE second (b TEXT) STRICT"};

TEST(OpenDatabase, MakesFoldersAndAFileOnlyItsOwnerCanRead) {
  const TempDir dir;
  const std::string path = dir / "a/b/state.db";
  auto database = OpenDatabase(path);
  ASSERT_THAT(database, IsOk());
  (*database)->exec("CREATE TABLE t (a)");

  for (const char* suffix : {"", "-wal", "-shm"}) {
    struct stat found = {};
    ASSERT_EQ(::stat((path + suffix).c_str(), &found), 0) << suffix;
    EXPECT_EQ(found.st_mode & 0777U, 0600U) << suffix;
  }
}

TEST(OpenDatabase, SetsWalForeignKeysAndDurability) {
  const TempDir dir;
  OpenOptions options;
  options.durability = Durability::kNormal;
  auto database = OpenDatabase(dir / "state.db", options);
  ASSERT_THAT(database, IsOk());
  EXPECT_EQ((*database)->execAndGet("PRAGMA journal_mode").getString(), "wal");
  EXPECT_EQ((*database)->execAndGet("PRAGMA foreign_keys").getInt(), 1);
  EXPECT_EQ((*database)->execAndGet("PRAGMA synchronous").getInt(), 1);

  auto full = OpenDatabase(dir / "full.db");
  ASSERT_THAT(full, IsOk());
  EXPECT_EQ((*full)->execAndGet("PRAGMA synchronous").getInt(), 2);
}

TEST(OpenDatabase, ReadOnlyNeverMakesAFileAndNeverWrites) {
  const TempDir dir;
  OpenOptions options;
  options.read_only = true;
  const std::string path = dir / "state.db";
  EXPECT_THAT(OpenDatabase(path, options),
              FailsWith(Code::kNotFound, "there is no database \"" + path + "\""));
  EXPECT_FALSE(std::filesystem::exists(path));

  auto writer = OpenDatabase(path);
  ASSERT_THAT(writer, IsOk());
  ASSERT_THAT(Migrate(**writer, kSteps), IsOk());
  auto reader = OpenDatabase(path, options);
  ASSERT_THAT(reader, IsOk());
  EXPECT_EQ((*reader)->execAndGet("SELECT a FROM first").getInt(), 1);
  EXPECT_THAT(Attempt("write", [&] { (*reader)->exec("DELETE FROM first"); }),
              FailsWith(Code::kPermissionDenied, HasSubstr("write: ")));
}

TEST(OpenDatabase, AFolderIsRefused) {
  const TempDir dir;
  EXPECT_THAT(OpenDatabase(dir.path().string()),
              FailsWith(Code::kFailedPrecondition, "cannot open the database \"" +
                                                       dir.path().string() + "\": it is a folder"));
}

TEST(OpenDatabase, AFileThatIsNoDatabaseIsDamaged) {
  const TempDir dir;
  dir.Write("state.db", std::string(5000, 'x'));
  EXPECT_THAT(OpenDatabase(dir / "state.db"), FailsWith(Code::kInternal, HasSubstr("damaged")));
  OpenOptions options;
  options.read_only = true;
  EXPECT_THAT(OpenDatabase(dir / "state.db", options),
              FailsWith(Code::kInternal, HasSubstr("damaged")));
}

TEST(OpenDatabase, QuickCheckFindsABrokenPage) {
  const TempDir dir;
  const std::string path = dir / "state.db";
  {
    auto database = OpenDatabase(path);
    ASSERT_THAT(database, IsOk());
    (*database)->exec("CREATE TABLE t (a TEXT)");
    for (int i = 0; i < 200; ++i) (*database)->exec("INSERT INTO t VALUES (hex(randomblob(100)))");
    (*database)->execAndGet("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096 + 8);
    file << std::string(3000, '\x7f');
  }
  OpenOptions options;
  options.quick_check = true;
  EXPECT_THAT(OpenDatabase(path, options), FailsWith(Code::kInternal, HasSubstr("damaged")));
}

TEST(OpenDatabase, MemoryNeedsNoFile) {
  auto database = OpenDatabase(":memory:");
  ASSERT_THAT(database, IsOk());
  EXPECT_THAT(Migrate(**database, kSteps), IsOk());
  EXPECT_FALSE(std::filesystem::exists(":memory:"));
}

TEST(Migrate, RunsEachStepOnceWhateverTheStartingVersion) {
  const TempDir dir;
  {
    auto database = OpenDatabase(dir / "state.db");
    ASSERT_THAT(database, IsOk());
    ASSERT_THAT(Migrate(**database, std::span(kSteps).first(1)), IsOk());
    EXPECT_EQ((*database)->execAndGet("PRAGMA user_version").getInt(), 1);
  }
  auto database = OpenDatabase(dir / "state.db");
  ASSERT_THAT(database, IsOk());
  ASSERT_THAT(Migrate(**database, kSteps), IsOk());
  ASSERT_THAT(Migrate(**database, kSteps), IsOk());
  EXPECT_EQ((*database)->execAndGet("PRAGMA user_version").getInt(), 2);
  EXPECT_EQ((*database)->execAndGet("SELECT count(*) FROM first").getInt(), 1);
  EXPECT_TRUE((*database)->tableExists("second"));
}

TEST(Migrate, AFailingStepLeavesNoTrace) {
  auto database = OpenDatabase(":memory:");
  ASSERT_THAT(database, IsOk());
  constexpr std::array<const char*, 2> kBroken = {
      "CREATE TABLE first (a)", "CREATE TABLE second (b); CREATE TABLE first (a)"};
  EXPECT_THAT(Migrate(**database, kBroken),
              FailsWith(Code::kInternal, HasSubstr("table first already exists")));
  EXPECT_EQ((*database)->execAndGet("PRAGMA user_version").getInt(), 1);
  EXPECT_FALSE((*database)->tableExists("second"));
}

TEST(Migrate, ANewerFileIsRefusedAndLeftAlone) {
  const TempDir dir;
  const std::string path = dir / "state.db";
  auto database = OpenDatabase(path);
  ASSERT_THAT(database, IsOk());
  (*database)->exec("PRAGMA user_version = 7");
  const std::string message =
      "the database \"" + path +
      "\" has schema version 7, but this program knows only up to version 2: use the newer program "
      "that wrote it";
  EXPECT_THAT(Migrate(**database, kSteps), FailsWith(Code::kFailedPrecondition, message));
  EXPECT_THAT(RequireVersion(**database, 2), FailsWith(Code::kFailedPrecondition, message));
  EXPECT_THAT(RequireVersion(**database, 7), IsOk());
  EXPECT_THAT(RequireVersion(**database, 8),
              FailsWith(Code::kFailedPrecondition, HasSubstr("start the daemon once")));
}

TEST(Attempt, MapsWhatSqliteSaysToCodes) {
  const TempDir dir;
  OpenOptions options;
  options.busy_timeout = std::chrono::milliseconds(0);
  auto one = OpenDatabase(dir / "state.db", options);
  auto two = OpenDatabase(dir / "state.db", options);
  ASSERT_THAT(one, IsOk());
  ASSERT_THAT(two, IsOk());
  (*one)->exec("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT; INSERT INTO t VALUES (1)");

  EXPECT_THAT(Attempt("add", [&] { (*one)->exec("INSERT INTO t VALUES (1)"); }),
              FailsWith(Code::kAlreadyExists, HasSubstr("add: UNIQUE constraint failed: t.a")));
  EXPECT_THAT(Attempt("add", [&] { (*one)->exec("INSERT INTO u VALUES (1)"); }),
              FailsWith(Code::kInternal, HasSubstr("no such table: u")));

  const SQLite::Transaction held(**one, SQLite::TransactionBehavior::IMMEDIATE);
  EXPECT_THAT(Attempt("add", [&] { (*two)->exec("INSERT INTO t VALUES (2)"); }),
              FailsWith(Code::kUnavailable, HasSubstr("locked")));
}

TEST(Attempt, PassesValuesAndExpectedsThrough) {
  const auto value = Attempt("count", [] { return 3; });
  ASSERT_THAT(value, IsOk());
  EXPECT_EQ(*value, 3);
  const auto failed =
      Attempt("count", []() -> Expected<int> { return Fail(Code::kNotFound, "none"); });
  EXPECT_THAT(failed, FailsWith(Code::kNotFound, "none"));
}

}  // namespace
}  // namespace bindery::sqlite
