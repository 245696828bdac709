// Backups of a store that is in use, and what is put back in its place.

#include "store/upkeep/upkeep.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <fstream>

#include "fixture.h"
#include "store/tables/schema.h"

namespace bindery::store {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::EventChange;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::PolicyTarget;
using testing::RevisionOf;
using ::testing::SizeIs;
using testing::StoreTest;

class StoreUpkeep : public StoreTest {
 protected:
  [[nodiscard]] std::string backup() const { return dir_ / "backup.db"; }

  /// The names in the folder of the store, without those SQLite makes for readers.
  std::vector<std::string> Files(const std::string& folder = "state") const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(dir_ / folder)) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with("-shm") && !name.ends_with("-wal")) names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
  }

  void AddPolicies(int count) {
    StoreChange change;
    for (int i = 0; i < count; ++i) {
      change.revisions.push_back(
          RevisionOf(PolicyTarget("a"), R"({"n":)" + std::to_string(i) + "}"));
    }
    ASSERT_THAT(store().Apply(change), IsOk());
  }

  void Execute(const std::string& sql) {
    store_.reset();
    SQLite::Database database(path(), SQLite::OPEN_READWRITE);
    database.exec(sql);
  }

  std::vector<std::string> Findings() {
    std::vector<std::string> texts;
    const auto check = CheckStore(path());
    EXPECT_THAT(check, IsOk());
    if (!check) return texts;
    for (const auto& finding : check->findings) {
      texts.push_back(finding.check + ": " + finding.message);
    }
    return texts;
  }

  static std::string GetBytes(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
};

// Backup -----------------------------------------------------------------------------------------

TEST_F(StoreUpkeep, ABackupHoldsWhatIsCommittedWhileTheStoreIsInUse) {
  ASSERT_THAT(store().Apply(EventChange("First")), IsOk());
  const auto copy = BackUpStore(path(), backup());
  ASSERT_THAT(copy, IsOk());
  ASSERT_THAT(store().Apply(EventChange("Later")), IsOk());
  EXPECT_EQ(copy->schema_version, kSchemaVersion);
  EXPECT_EQ(copy->bytes, static_cast<std::int64_t>(fs::file_size(backup())));
  EXPECT_EQ(fs::status(backup()).permissions(), fs::perms::owner_read | fs::perms::owner_write);

  auto opened = OpenStore(backup(), StoreAccess::kReadOnly, clock_);
  ASSERT_THAT(opened, IsOk());
  EXPECT_THAT(Value((*opened)->Events({})), SizeIs(1));
  EXPECT_THAT(Files("."), ElementsAre("backup.db", "state")) << "one file, and no other";
  EXPECT_FALSE(fs::exists(backup() + "-wal"));
}

TEST_F(StoreUpkeep, ABackupNeverOverwrites) {
  dir_.Write("backup.db", "precious");
  EXPECT_THAT(BackUpStore(path(), backup()),
              FailsWith(Code::kAlreadyExists, HasSubstr("is not overwritten")));
  EXPECT_EQ(dir_.Read("backup.db"), "precious");
  fs::create_symlink("nowhere", dir_ / "link.db");
  EXPECT_THAT(BackUpStore(path(), dir_ / "link.db"), FailsWith(Code::kAlreadyExists, ::testing::_));
  EXPECT_THAT(BackUpStore(path(), dir_.path()), FailsWith(Code::kAlreadyExists, ::testing::_));
}

TEST_F(StoreUpkeep, ABackupThatCannotBeMadeLeavesNothingBehind) {
  EXPECT_THAT(BackUpStore(path(), dir_ / "none/backup.db"),
              FailsWith(Code::kNotFound, HasSubstr("no folder")));
  EXPECT_THAT(BackUpStore(dir_ / "none.db", backup()), FailsWith(Code::kNotFound, ::testing::_));
  dir_.Write("text.db", "this is a text, not a database, and long enough to be told from one\n");
  EXPECT_THAT(BackUpStore(dir_ / "text.db", backup()), FailsWith(Code::kInternal, ::testing::_));
  SQLite::Database(dir_ / "other.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE t (x)");
  EXPECT_THAT(BackUpStore(dir_ / "other.db", backup()),
              FailsWith(Code::kFailedPrecondition, HasSubstr("is not a store of bindery")));
  EXPECT_THAT(Files("."), ElementsAre("other.db", "state", "text.db"));
}

TEST_F(StoreUpkeep, ADamagedStoreIsNotBackedUpAsIfItWereSound) {
  AddPolicies(300);
  store_.reset();
  {
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(3 * 4096);
    file << std::string(2 * 4096, 'x');
  }
  EXPECT_THAT(BackUpStore(path(), backup()), FailsWith(Code::kInternal, HasSubstr("is damaged")));
  EXPECT_THAT(Files("."), ElementsAre("state"));
}

// Restore ----------------------------------------------------------------------------------------

class StoreRestore : public StoreUpkeep {
 protected:
  void SetUp() override {
    StoreUpkeep::SetUp();
    ASSERT_THAT(store().Apply(EventChange("BackedUp")), IsOk());
    ASSERT_THAT(BackUpStore(path(), backup()), IsOk());
    ASSERT_THAT(store().Apply(EventChange("Later")), IsOk());
  }

  /// Nothing was touched by a restore that was refused.
  void ExpectUntouched() {
    EXPECT_THAT(Files(), ElementsAre("bindery.db", "bindery.db.clean", "bindery.db.lock"));
    Reopen();
    EXPECT_THAT(EventReasons(), ElementsAre("BackedUp", "Later"));
  }
};

TEST_F(StoreRestore, PutsTheBackupInPlaceAndKeepsTheStoreBefore) {
  store_.reset();
  const auto restored = RestoreStore(path(), backup(), clock_);
  ASSERT_THAT(restored, IsOk());
  EXPECT_EQ(restored->set_aside, path() + ".replaced-20261121T102030Z");
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_THAT(Files(),
              ElementsAre("bindery.db", "bindery.db.lock", "bindery.db.replaced-20261121T102030Z"));
  Reopen();
  EXPECT_EQ(store().recovered_from(), "");
  EXPECT_THAT(EventReasons(), ElementsAre("BackedUp"));
  EXPECT_TRUE(fs::exists(backup())) << "which can be put back again";

  auto before = OpenStore(restored->set_aside, StoreAccess::kReadOnly, clock_);
  ASSERT_THAT(before, IsOk());
  EXPECT_THAT(Value((*before)->Events({})), SizeIs(2));
}

TEST_F(StoreRestore, IsRefusedWhileADaemonHasTheStore) {
  EXPECT_THAT(RestoreStore(path(), backup(), clock_),
              FailsWith(Code::kFailedPrecondition,
                        HasSubstr("in use by process " + std::to_string(::getpid()) +
                                  ": stop the daemon first")));
  EXPECT_THAT(EventReasons(), ElementsAre("BackedUp", "Later"));
  store_.reset();
  ExpectUntouched();
}

TEST_F(StoreRestore, WhatIsNoBackupChangesNothing) {
  store_.reset();
  dir_.Write("text.db", "this is a text, not a database, and long enough to be told from one\n");
  dir_.Write("empty.db", "");
  dir_.Write("cut.db", GetBytes(backup()).substr(0, 3 * 4096));
  fs::copy_file(backup(), dir_ / "newer.db");
  SQLite::Database(dir_ / "newer.db", SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  fs::copy_file(backup(), dir_ / "edited.db");
  SQLite::Database(dir_ / "edited.db", SQLite::OPEN_READWRITE).exec("DROP TABLE rollbacks");
  EXPECT_THAT(RestoreStore(path(), dir_ / "none.db", clock_),
              FailsWith(Code::kNotFound, ::testing::_));
  EXPECT_THAT(RestoreStore(path(), dir_.path(), clock_),
              FailsWith(Code::kFailedPrecondition, ::testing::_));
  EXPECT_THAT(RestoreStore(path(), path(), clock_),
              FailsWith(Code::kInvalidArgument, HasSubstr("is the store itself")));
  EXPECT_THAT(RestoreStore(path(), dir_ / "text.db", clock_),
              FailsWith(Code::kInternal, ::testing::_));
  EXPECT_THAT(RestoreStore(path(), dir_ / "empty.db", clock_),
              FailsWith(Code::kFailedPrecondition, HasSubstr("is not a store of bindery")));
  EXPECT_THAT(RestoreStore(path(), dir_ / "cut.db", clock_),
              FailsWith(Code::kInternal, HasSubstr("is damaged")));
  EXPECT_THAT(RestoreStore(path(), dir_ / "newer.db", clock_),
              FailsWith(Code::kFailedPrecondition,
                        AllOf(HasSubstr("has schema version 99"),
                              HasSubstr("restore it with the version of bindery that made it"))));
  EXPECT_THAT(RestoreStore(path(), dir_ / "edited.db", clock_),
              FailsWith(Code::kFailedPrecondition, HasSubstr("but other tables than this")));
  ExpectUntouched();
}

TEST_F(StoreRestore, WithoutAStoreBeforeMakesOne) {
  store_.reset();
  const auto restored = RestoreStore(dir_ / "new/bindery.db", backup(), clock_);
  ASSERT_THAT(restored, IsOk());
  EXPECT_EQ(restored->set_aside, "");
  EXPECT_THAT(Files("new"), ElementsAre("bindery.db", "bindery.db.lock"));
  EXPECT_THAT(CheckStore(dir_ / "new/bindery.db"), IsOk());
}

TEST_F(StoreRestore, AfterACrashKeepsWhatWasNotMergedWithTheStoreBefore) {
  // As a daemon that was killed leaves it: copied while it is open, with what waits to be merged.
  fs::create_directories(dir_ / "crashed");
  for (const char* suffix : {"", "-wal"}) {
    fs::copy_file(path() + suffix, (dir_ / "crashed/bindery.db") + suffix);
  }
  ASSERT_GT(fs::file_size(dir_ / "crashed/bindery.db-wal"), 0U);
  const auto restored = RestoreStore(dir_ / "crashed/bindery.db", backup(), clock_);
  ASSERT_THAT(restored, IsOk());
  EXPECT_FALSE(fs::exists(dir_ / "crashed/bindery.db-wal"));
  auto before = OpenStore(restored->set_aside, StoreAccess::kReadOnly, clock_);
  ASSERT_THAT(before, IsOk());
  EXPECT_THAT(Value((*before)->Events({})), SizeIs(2));
}

TEST_F(StoreRestore, OfADamagedStoreKeepsAllItsFiles) {
  store_.reset();
  dir_.Write("state/bindery.db", "this is a text, not a database, and long enough to be told\n");
  dir_.Write("state/bindery.db-wal", "wal");
  const auto restored = RestoreStore(path(), backup(), clock_);
  ASSERT_THAT(restored, IsOk());
  EXPECT_THAT(GetBytes(restored->set_aside), HasSubstr("this is a text"));
  EXPECT_EQ(GetBytes(restored->set_aside + "-wal"), "wal");
  Reopen();
  EXPECT_THAT(EventReasons(), ElementsAre("BackedUp"));
}

TEST_F(StoreRestore, ThatWasCutOffIsNoHindrance) {
  store_.reset();
  dir_.Write("state/bindery.db.restoring", "half of a copy");
  ASSERT_THAT(RestoreStore(path(), backup(), clock_), IsOk());
  EXPECT_FALSE(fs::exists(path() + ".restoring"));
}

// Check ------------------------------------------------------------------------------------------

TEST_F(StoreUpkeep, ACheckOfASoundStoreCountsAndMeasures) {
  AddPolicies(3);
  StoreChange change;
  change.events = {testing::EventNamed("A", testing::At(5)),
                   testing::EventNamed("B", testing::At(2))};
  ASSERT_THAT(store().Apply(change), IsOk());
  const auto check = CheckStore(path());
  ASSERT_THAT(check, IsOk());
  EXPECT_THAT(check->findings, IsEmpty());
  EXPECT_EQ(check->schema_version, kSchemaVersion);
  EXPECT_EQ(check->policies, 3);
  EXPECT_EQ(check->oldest_event, testing::At(2));
  EXPECT_EQ(check->newest_event, testing::At(5));
  EXPECT_GT(check->wal_bytes, 0) << "the daemon has not merged it yet";
  const auto table = std::ranges::find(check->tables, "revisions", &StoreTable::name);
  ASSERT_NE(table, check->tables.end());
  EXPECT_EQ(table->rows, 3);
  EXPECT_GT(table->bytes, 0);
}

TEST_F(StoreUpkeep, ACheckFindsPoliciesThatAreNotWhatWasRecorded) {
  AddPolicies(2);
  Execute("UPDATE policies SET body = '{\"n\":7}' WHERE id = 2");
  EXPECT_THAT(Findings(), ElementsAre("content: policy 2 does not match its digest (revision 2)"));
  Execute("UPDATE policies SET body = x'00' WHERE id = 2");
  EXPECT_THAT(Findings(), ElementsAre("content: policy 2 cannot be unpacked (revision 2)"));
}

TEST_F(StoreUpkeep, ACheckFindsWhatNamesRowsThatAreGone) {
  AddPolicies(2);
  Execute("DELETE FROM policies WHERE id = 1; UPDATE revisions SET target_id = 77 WHERE id = 2");
  EXPECT_THAT(Findings(), ElementsAre("references: revision 1 names a row that is not there",
                                      "references: revision 2 names a row that is not there"));
}

TEST_F(StoreUpkeep, ACheckFindsWordsThatAreGone) {
  AddPolicies(1);
  Execute("DELETE FROM words WHERE id = (SELECT origin FROM revisions WHERE id = 1)");
  EXPECT_THAT(Findings(), Contains("references: revision 1 names a row that is not there"));
}

TEST_F(StoreUpkeep, ACheckListsAHundredFindingsAndCountsTheRest) {
  AddPolicies(150);
  Execute("UPDATE policies SET body = '{}'");
  const auto findings = Findings();
  ASSERT_THAT(findings, SizeIs(101));
  EXPECT_EQ(findings.back(), "content: 50 more");
}

TEST_F(StoreUpkeep, ACheckOfADamagedFileFindsThat) {
  store_.reset();
  fs::resize_file(path(), 2 * 4096);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("integrity: ")));
}

TEST_F(StoreUpkeep, ACheckOfOtherTablesSaysWhatCouldNotBeChecked) {
  Execute("PRAGMA user_version = 99; DROP TABLE events");
  EXPECT_THAT(Findings(),
              ElementsAre(AllOf(HasSubstr("version: "),
                                HasSubstr("has schema version 99, this program reads version 100"),
                                HasSubstr(": only the pages could be checked"))));
}

struct OtherTablesCase {
  const char* name;
  const char* change;
};

class StoreUpkeepOfOtherTables : public StoreUpkeep,
                                 public ::testing::WithParamInterface<OtherTablesCase> {};

TEST_P(StoreUpkeepOfOtherTables, ACheckDoesNotCallThemSound) {
  Execute(GetParam().change);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("version: ")));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, StoreUpkeepOfOtherTables,
    ::testing::Values(OtherTablesCase{"VersionByHand", "PRAGMA user_version = 2"},
                      OtherTablesCase{"TableMissing", "DROP TABLE holds"},
                      OtherTablesCase{"IndexMissing", "DROP INDEX resources_claim"},
                      OtherTablesCase{"ColumnAdded", "ALTER TABLE holds ADD COLUMN more TEXT"},
                      OtherTablesCase{"ColumnRenamed", "ALTER TABLE runs RENAME no TO number"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(StoreUpkeep, WhatIsNoStoreCannotBeChecked) {
  EXPECT_THAT(CheckStore(dir_ / "none.db"), FailsWith(Code::kNotFound, ::testing::_));
  SQLite::Database(dir_ / "other.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE t (x)");
  EXPECT_THAT(CheckStore(dir_ / "other.db"), FailsWith(Code::kFailedPrecondition, ::testing::_));
}

// Compact ----------------------------------------------------------------------------------------

TEST_F(StoreUpkeep, CompactingGivesFreePagesBack) {
  AddPolicies(2000);
  ASSERT_THAT(store().Retain(testing::At(100), 1), IsOk());
  store_.reset();
  const auto done = store::CompactStore(path());
  ASSERT_THAT(done, IsOk());
  EXPECT_LT(done->bytes_after, done->bytes_before / 2);
  EXPECT_EQ(done->bytes_after, static_cast<std::int64_t>(fs::file_size(path())));
  EXPECT_THAT(Findings(), IsEmpty());
  Reopen();
  EXPECT_THAT(Value(store().Revisions(PolicyTarget("a"), true)), SizeIs(1));
}

TEST_F(StoreUpkeep, CompactingIsRefusedWhileADaemonHasTheStore) {
  EXPECT_THAT(store::CompactStore(path()),
              FailsWith(Code::kFailedPrecondition, HasSubstr("stop the daemon first")));
  EXPECT_THAT(store::CompactStore(dir_ / "none.db"), FailsWith(Code::kNotFound, ::testing::_));
  EXPECT_FALSE(fs::exists(dir_ / "none.db"));
}

}  // namespace
}  // namespace bindery::store
