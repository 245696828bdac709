#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "fixture.h"
#include "sqlite/database.h"
#include "store/tables/schema.h"

namespace bindery::store {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::EventChange;
using testing::FailsWith;
using testing::FixedClock;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StoreTest;
using testing::TempDir;

class StoreOpen : public StoreTest {
 protected:
  Expected<std::unique_ptr<Store>> OpenAgain() {
    return OpenStore(path(), StoreAccess::kReadWrite, clock_);
  }
  static int VersionIn(const std::string& file) {
    return SQLite::Database(file, SQLite::OPEN_READONLY).execAndGet("PRAGMA user_version").getInt();
  }
};

TEST_F(StoreOpen, MakesTheFolderAndAnEmptyStoreForItsOwnerOnly) {
  EXPECT_EQ(store().recovered_from(), "");
  EXPECT_TRUE(Value(store().Resources()).empty());
  for (const std::string& file : {path(), path() + ".lock"}) {
    struct stat found = {};
    ASSERT_EQ(::stat(file.c_str(), &found), 0) << file;
    EXPECT_EQ(found.st_mode & 0777U, 0600U) << file;
  }
}

TEST_F(StoreOpen, KeepsWhatWasWrittenBefore) {
  ASSERT_THAT(store().Apply(EventChange("First")), IsOk());
  Reopen();
  ASSERT_THAT(store().Apply(EventChange("Second")), IsOk());
  EXPECT_THAT(EventReasons(), ElementsAre("First", "Second"));
}

TEST_F(StoreOpen, ASecondDaemonIsRefusedAndToldWhoHoldsTheStore) {
  const std::string message = "the store \"" + path() + "\" is in use by process " +
                              std::to_string(::getpid()) +
                              ": stop it first, or give this one another store";
  EXPECT_THAT(OpenAgain(), FailsWith(Code::kFailedPrecondition, message));
  EXPECT_THAT(OpenAgain(), FailsWith(Code::kFailedPrecondition, message)) << "the id must survive";

  store_.reset();
  EXPECT_THAT(OpenAgain(), IsOk());
}

/// Exits with 0 when the store at that path is refused as one that is in use. In another process,
/// as locks of one process do not exclude each other everywhere.
[[noreturn]] void ExpectInUse(const std::string& path, const Clock& clock) {
  const auto second = OpenStore(path, StoreAccess::kReadWrite, clock);
  const bool refused = !second && second.error().code == Code::kFailedPrecondition &&
                       second.error().message.find("is in use by") != std::string::npos;
  ::_exit(refused ? 0 : 1);
}

TEST_F(StoreOpen, ASecondDaemonIsRefusedUnderAnotherNameOfTheStoreToo) {
  ASSERT_THAT(store().Apply(EventChange("First")), IsOk());
  const std::filesystem::path other = dir_ / "other";
  std::filesystem::create_directories(other);
  std::filesystem::create_symlink(path(), other / "symbolic.db");
  std::filesystem::create_hard_link(path(), other / "hard.db");
  std::filesystem::create_directory_symlink(dir_ / "state", other / "folder");
  for (const char* name : {"symbolic.db", "hard.db", "folder/bindery.db"}) {
    const pid_t child = ::fork();
    if (child == 0) ExpectInUse((other / name).string(), clock_);
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << name;
  }
  EXPECT_THAT(store().Apply(EventChange("Second")), IsOk());
  Reopen();
  EXPECT_THAT(EventReasons(), ElementsAre("First", "Second"));
}

TEST_F(StoreOpen, ALockFileLeftBehindByADeadProcessDoesNotMatter) {
  store_.reset();
  dir_.Write("state/bindery.db.lock", "99999\n");
  EXPECT_THAT(OpenAgain(), IsOk());
}

TEST_F(StoreOpen, AnOwnerWhoseIdIsNotWrittenYetIsAnotherProcess) {
  dir_.Write("state/bindery.db.lock", "");
  EXPECT_THAT(OpenAgain(),
              FailsWith(Code::kFailedPrecondition, HasSubstr("is in use by another process: ")));
}

TEST_F(StoreOpen, ClosingLeavesOneSelfContainedFile) {
  ASSERT_THAT(store().Apply(EventChange("Kept")), IsOk());
  store_.reset();
  EXPECT_FALSE(std::filesystem::exists(path() + "-wal"));
  EXPECT_FALSE(std::filesystem::exists(path() + "-shm"));
}

TEST_F(StoreOpen, AZeroLengthFileIsANewStore) {
  store_.reset();
  dir_.Write("state/bindery.db", "");
  EXPECT_THAT(OpenStore(path(), StoreAccess::kReadOnly, clock_),
              FailsWith(Code::kNotFound, HasSubstr("there is no store in")));
  Reopen();
  EXPECT_EQ(store().recovered_from(), "");
  EXPECT_THAT(EventReasons(), ElementsAre());
  EXPECT_EQ(VersionIn(path()), kSchemaVersion);
}

TEST_F(StoreOpen, AStoreWithOtherTablesIsRefusedAndLeftAsItIs) {
  struct Case {
    const char* change;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"PRAGMA user_version = 99", "has schema version 99, this program reads version 100"},
      {"PRAGMA user_version = 8", "has schema version 8, this program reads version 100"},
      {"PRAGMA user_version = 0", "has schema version 0, this program reads version 100"},
      {"PRAGMA user_version = -1", "has schema version -1, this program reads version 100"},
      {"ALTER TABLE events ADD COLUMN mood TEXT",
       "version 100, but other tables than this program"},
      {"ALTER TABLE events DROP COLUMN actor", "version 100, but other tables than this program"},
      {"DROP TABLE rollbacks", "version 100, but other tables than this program"},
      {"DROP INDEX intents_open; CREATE INDEX intents_open ON intents (target_id)",
       "version 100, but other tables than this program"},
  };
  ASSERT_THAT(store().Apply(EventChange("Kept")), IsOk());
  store_.reset();
  const std::string sound = dir_.Read("state/bindery.db");
  for (const Case& one : cases) {
    SCOPED_TRACE(one.change);
    dir_.Write("state/bindery.db", sound);
    dir_.Write("state/bindery.db.clean", "a mark");
    SQLite::Database(path(), SQLite::OPEN_READWRITE).exec(one.change);
    const std::string before = dir_.Read("state/bindery.db");
    for (const StoreAccess access : {StoreAccess::kReadWrite, StoreAccess::kReadOnly}) {
      EXPECT_THAT(OpenStore(path(), access, clock_),
                  FailsWith(Code::kFailedPrecondition,
                            AllOf(HasSubstr(one.message),
                                  HasSubstr("use the version of bindery that made it, or move"))));
    }
    EXPECT_EQ(dir_.Read("state/bindery.db"), before);
    EXPECT_EQ(dir_.Read("state/bindery.db.clean"), "a mark");
  }
}

TEST_F(StoreOpen, MoreTablesAndIndexesThanThoseOfTheStoreAreNoMatter) {
  ASSERT_THAT(store().Apply(EventChange("Kept")), IsOk());
  store_.reset();
  SQLite::Database(path(), SQLite::OPEN_READWRITE)
      .exec("CREATE TABLE notes (text TEXT); CREATE INDEX by_time ON events (time); ANALYZE");
  Reopen();
  EXPECT_THAT(EventReasons(), ElementsAre("Kept"));
}

TEST_F(StoreOpen, AnotherProgramsDatabaseIsRefusedAndLeftAsItIs) {
  store_.reset();
  const std::string other = dir_ / "other.db";
  {
    SQLite::Database database(other, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("CREATE TABLE theirs (a); PRAGMA user_version = 1");
  }
  const std::string message =
      "\"" + other + "\" is a database of another program: give the store a file of its own";
  EXPECT_THAT(OpenStore(other, StoreAccess::kReadWrite, clock_),
              FailsWith(Code::kFailedPrecondition, message));
  EXPECT_THAT(OpenStore(other, StoreAccess::kReadOnly, clock_),
              FailsWith(Code::kFailedPrecondition, message));
  SQLite::Database database(other, SQLite::OPEN_READONLY);
  EXPECT_EQ(database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt(), 1);
}

TEST_F(StoreOpen, TheSchemaIsStrict) {
  store_.reset();
  SQLite::Database database(path(), SQLite::OPEN_READONLY);
  const int loose = database
                        .execAndGet(
                            "SELECT count(*) FROM pragma_table_list WHERE type = 'table' "
                            "AND strict = 0 AND name NOT LIKE 'sqlite_%'")
                        .getInt();
  EXPECT_EQ(loose, 0);
}

TEST(StoreOpenFailure, APathThatCannotBeMadeIsNamed) {
  const TempDir dir;
  const FixedClock clock;
  dir.Write("file", "x");
  EXPECT_THAT(OpenStore(dir / "file/bindery.db", StoreAccess::kReadWrite, clock),
              FailsWith(Code::kFailedPrecondition, HasSubstr("cannot lock the store with \"" +
                                                             (dir / "file/bindery.db.lock"))));
}

TEST(StoreOpenFailure, AFolderIsNoStore) {
  const TempDir dir;
  const FixedClock clock;
  EXPECT_THAT(OpenStore(dir.path(), StoreAccess::kReadWrite, clock),
              FailsWith(Code::kFailedPrecondition, HasSubstr("it is a folder")));
  std::filesystem::remove(dir.path().string() + ".lock");
}

}  // namespace
}  // namespace bindery::store
