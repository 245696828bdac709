#include "sqlite/database.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::sqlite {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::TempDir;

constexpr Schema kSchema = {3, R"sql(
CREATE TABLE first (a INTEGER) STRICT;
CREATE INDEX by_a ON first (a);
INSERT INTO first VALUES (1);
)sql"};

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
  ASSERT_THAT(MakeTables(**writer, kSchema), IsOk());
  auto reader = OpenDatabase(path, options);
  ASSERT_THAT(reader, IsOk());
  EXPECT_EQ((*reader)->execAndGet("SELECT a FROM first").getInt(), 1);
  EXPECT_THAT(Attempt("write", [&] { (*reader)->exec("DELETE FROM first"); }),
              FailsWith(Code::kPermissionDenied, HasSubstr("write: ")));
}

TEST(OpenDatabase, TakesTheRightsOfFurtherUsersFromFilesThatAnotherProgramMade) {
  const TempDir dir;
  const std::string path = dir / "state.db";
  const auto mode = [&](const char* suffix) {
    struct stat found = {};
    EXPECT_EQ(::stat((path + suffix).c_str(), &found), 0) << suffix;
    return found.st_mode & 0777U;
  };
  // A program that has a wider database open, with its files.
  ASSERT_THAT(OpenDatabase(path), IsOk());
  ASSERT_EQ(::chmod(path.c_str(), 0664), 0);
  SQLite::Database other(path, SQLite::OPEN_READWRITE);
  other.exec("CREATE TABLE t (a)");
  ASSERT_EQ(mode("-wal"), 0664U);
  ASSERT_EQ(mode("-shm"), 0664U);

  ASSERT_THAT(OpenDatabase(path), IsOk());
  for (const char* suffix : {"", "-wal", "-shm"}) EXPECT_EQ(mode(suffix), 0660U) << suffix;
}

TEST(OpenDatabase, KeepsTheLocksOfOtherConnectionsOfTheProcess) {
  const TempDir dir;
  const std::string path = dir / "state.db";
  auto first = OpenDatabase(path);
  ASSERT_THAT(first, IsOk());
  (*first)->exec("CREATE TABLE t (a)");
  (*first)->exec("BEGIN IMMEDIATE");
  ASSERT_EQ(::chmod((path + "-shm").c_str(), 0644), 0);
  OpenOptions hasty;
  hasty.busy_timeout = std::chrono::milliseconds(0);
  auto second = OpenDatabase(path, hasty);
  ASSERT_THAT(second, IsOk());
  EXPECT_THAT(Attempt("write", [&] { (*second)->exec("INSERT INTO t VALUES (1)"); }),
              FailsWith(Code::kUnavailable, HasSubstr("locked")));
  // Locks are those of processes: the connections of one process do not tell.
  const std::string write = "sqlite3 '" + path + "' 'INSERT INTO t VALUES (2)' 2>/dev/null";
  EXPECT_NE(std::system(write.c_str()), 0);
}

TEST(OpenDatabase, ALinkInPlaceOfAFileBesideIsRefused) {
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {
    const TempDir dir;
    const std::string path = dir / "state.db";
    dir.Write("elsewhere", "precious");
    std::filesystem::create_symlink(dir / "elsewhere", path + suffix);
    EXPECT_THAT(OpenDatabase(path),
                FailsWith(Code::kFailedPrecondition,
                          "cannot open the database \"" + path + "\": \"" + path + suffix +
                              "\" is a link, and bindery follows no link there: put the file that "
                              "it leads to in its place"));
    EXPECT_EQ(dir.Read("elsewhere"), "precious");
  }
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
  EXPECT_THAT(MakeTables(**database, kSchema), IsOk());
  EXPECT_FALSE(std::filesystem::exists(":memory:"));
}

TEST(MakeTables, OnceAndOnlyInADatabaseWithoutAny) {
  auto database = OpenDatabase(":memory:");
  ASSERT_THAT(database, IsOk());
  EXPECT_EQ(FindTables(**database, kSchema), TablesState::kNone);
  ASSERT_THAT(MakeTables(**database, kSchema), IsOk());
  ASSERT_THAT(MakeTables(**database, kSchema), IsOk());
  EXPECT_EQ(FindTables(**database, kSchema), TablesState::kReady);
  EXPECT_EQ((*database)->execAndGet("PRAGMA user_version").getInt(), 3);
  EXPECT_EQ((*database)->execAndGet("SELECT count(*) FROM first").getInt(), 1);
}

TEST(MakeTables, AFailureLeavesNoTrace) {
  auto database = OpenDatabase(":memory:");
  ASSERT_THAT(database, IsOk());
  constexpr Schema kBroken = {3, "CREATE TABLE first (a);\nCREATE TABLE first (a);"};
  EXPECT_THAT(MakeTables(**database, kBroken),
              FailsWith(Code::kInternal, HasSubstr("table first already exists")));
  EXPECT_EQ(FindTables(**database, kSchema), TablesState::kNone);
}

TEST(MakeTables, OtherTablesAreRefusedAndLeftAlone) {
  struct Case {
    const char* change;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"PRAGMA user_version = 7", " has schema version 7, this program reads version 3"},
      {"PRAGMA user_version = 0", " has schema version 0, this program reads version 3"},
      {"DROP INDEX by_a", " has schema version 3, but other tables than this program makes"},
      {"ALTER TABLE first ADD COLUMN b TEXT",
       " has schema version 3, but other tables than this program makes"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.change);
    const TempDir dir;
    const std::string path = dir / "state.db";
    auto database = OpenDatabase(path);
    ASSERT_THAT(database, IsOk());
    ASSERT_THAT(MakeTables(**database, kSchema), IsOk());
    (*database)->exec(one.change);
    const auto made = MakeTables(**database, kSchema);
    EXPECT_THAT(
        made, FailsWith(Code::kFailedPrecondition, "the database \"" + path + "\"" + one.message));
    EXPECT_TRUE(SaysOtherTables(made.error()));
    EXPECT_EQ((*database)->execAndGet("SELECT count(*) FROM first").getInt(), 1);
  }
}

constexpr std::array kSteps = {
    "ALTER TABLE first ADD COLUMN b TEXT NOT NULL DEFAULT 'none';",
    "CREATE TABLE second (c INTEGER) STRICT;\nINSERT INTO second SELECT a FROM first;"};
/// The tables of kSchema, and two versions after it.
constexpr Schema kLater = {3, kSchema.tables, kSteps, 10};

TEST(SchemaSteps, LeadFromEachEarlierVersionToTheTablesOfANewDatabase) {
  const TempDir dir;
  auto fresh = OpenDatabase(dir / "fresh.db");
  ASSERT_THAT(fresh, IsOk());
  ASSERT_THAT(MakeTables(**fresh, kLater), IsOk());
  const std::string kTexts =
      "SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_schema ORDER BY name)";
  for (std::size_t steps = 0; steps <= kSteps.size(); ++steps) {
    SCOPED_TRACE(steps);
    Schema before = kLater;
    before.steps = before.steps.first(steps);
    auto database = OpenDatabase(dir / ("from" + std::to_string(steps) + ".db"));
    ASSERT_THAT(database, IsOk());
    ASSERT_THAT(MakeTables(**database, before), IsOk());
    EXPECT_EQ(FindTables(**database, kLater),
              steps == kSteps.size() ? TablesState::kReady : TablesState::kOlder);
    ASSERT_THAT(MakeTables(**database, kLater), IsOk());
    EXPECT_EQ(FindTables(**database, kLater), TablesState::kReady);
    EXPECT_EQ((*database)->execAndGet("PRAGMA user_version").getInt(), 5);
    EXPECT_EQ((*database)->execAndGet(kTexts).getString(),
              (*fresh)->execAndGet(kTexts).getString());
    EXPECT_EQ((*database)->execAndGet("SELECT b || c FROM first, second").getString(), "none1");
  }
}

TEST(SchemaSteps, AFailedStepLeavesTheDatabaseAsItWas) {
  constexpr std::array kBroken = {kSteps[0], "CREATE TABLE first (a);"};
  auto database = OpenDatabase(":memory:");
  ASSERT_THAT(database, IsOk());
  ASSERT_THAT(MakeTables(**database, kSchema), IsOk());
  EXPECT_THAT(MakeTables(**database, {3, kSchema.tables, kBroken, 10}),
              FailsWith(Code::kInternal, HasSubstr("table first already exists")));
  EXPECT_EQ(FindTables(**database, kSchema), TablesState::kReady);
}

TEST(SchemaSteps, AnEarlierProgramUsesTheTablesOfALaterOneOfItsGenerationAlone) {
  auto database = OpenDatabase(":memory:");
  ASSERT_THAT(database, IsOk());
  ASSERT_THAT(MakeTables(**database, kLater), IsOk());
  EXPECT_THAT(FindTables(**database, kSchema),
              FailsWith(Code::kFailedPrecondition, HasSubstr("has schema version 5")));
  Schema same = kSchema;
  same.used_below = 6;
  EXPECT_EQ(FindTables(**database, same), TablesState::kReady);
  EXPECT_THAT(MakeTables(**database, same), IsOk());
  EXPECT_EQ((*database)->execAndGet("PRAGMA user_version").getInt(), 5) << "it is not put back";
  same.used_below = 5;
  EXPECT_THAT(FindTables(**database, same), FailsWith(Code::kFailedPrecondition, HasSubstr("5")));
}

TEST(SchemaSteps, AnEditedOlderDatabaseIsRefused) {
  auto database = OpenDatabase(":memory:");
  ASSERT_THAT(database, IsOk());
  ASSERT_THAT(MakeTables(**database, kSchema), IsOk());
  (*database)->exec("DROP INDEX by_a");
  EXPECT_THAT(MakeTables(**database, kLater),
              FailsWith(Code::kFailedPrecondition, HasSubstr("but other tables than")));
  EXPECT_EQ((*database)->execAndGet("PRAGMA user_version").getInt(), 3);
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
