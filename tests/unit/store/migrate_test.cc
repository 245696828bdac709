#include "store/migration/migrate.h"

#include <set>
#include <sstream>

#include "full_store.h"
#include "store/tables/migration_tables.h"
#include "store/tables/schema.h"
#include "support/begin_write.h"
#include "test_postgres.h"

namespace bindery::store {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::At;
using testing::Binding;
using testing::EventChange;
using testing::FailsWith;
using testing::FixedClock;
using testing::FullChange;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::LongText;
using testing::OddTexts;
using testing::PolicyTarget;
using testing::RevisionOf;
using testing::Teller;
using testing::TempDir;

std::vector<std::string> Sorted(std::vector<std::string> lines) {
  std::ranges::sort(lines);
  return lines;
}

/// Rows as types and bytes, read by SQLite alone; with the numbers that are given next.
std::vector<std::string> RawRows(const std::string& path) {
  SQLite::Database database(path, SQLite::OPEN_READONLY);
  std::vector<std::string> rows;
  SQLite::Statement tables(database,
                           "SELECT t.name, group_concat('typeof(\"' || c.name || '\") || hex(\"' "
                           "|| c.name || '\")', ' || '','' || ') FROM sqlite_schema t, "
                           "pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE "
                           "'sqlite_stat%' GROUP BY t.name");
  while (tables.executeStep()) {
    const std::string table = tables.getColumn(0).getString();
    SQLite::Statement select(database,
                             "SELECT " + tables.getColumn(1).getString() + " FROM " + table);
    while (select.executeStep()) rows.push_back(table + ":" + select.getColumn(0).getString());
  }
  return Sorted(std::move(rows));
}

class MigrateStoreTest : public testing::PostgresDatabaseTest {
 protected:
  void SetUp() override {
    PostgresDatabaseTest::SetUp();
    if (IsSkipped()) return;
    in_database_.database = url_;
    file_ = dir_ / "state/bindery.db";
    back_ = dir_ / "back.db";
  }

  [[nodiscard]] std::unique_ptr<Store> Open(const StoreLocation& location) const {
    auto opened = OpenStore(location, StoreAccess::kReadWrite, clock_);
    EXPECT_THAT(opened, IsOk());
    return opened ? std::move(*opened) : nullptr;
  }

  void Make(const StoreLocation& location) const { EXPECT_NE(Open(location), nullptr); }

  void Fill(const StoreLocation& location) const {
    const auto store = Open(location);
    ASSERT_NE(store, nullptr);
    ASSERT_THAT(store->Apply(FullChange()), IsOk());
    // A word from the second time on.
    StoreChange repeated = EventChange("Repeated");
    repeated.events[0].message = LongText();
    for (int i = 0; i < 2; ++i) ASSERT_THAT(store->Apply(repeated), IsOk());
    IntentRecord intent{0,
                        PolicyTarget("payments"),
                        At(4),
                        "etag",
                        Sha256Hex("{\"b\":2}"),
                        "",
                        "bindery",
                        2,
                        1,
                        "cloudnative"};
    ASSERT_THAT(testing::BeginWrite(*store, intent), IsOk());
    InventoryRecord scan;
    scan.scope = "organizations/1";
    scan.started = At(5);
    const auto id = store->inventory().BeginInventory(scan);
    ASSERT_THAT(id, IsOk());
    scan.id = *id;
    const InventoryPage page{{{"//a/b", "a/B", "a:B", "b", "projects/acme", "[]"}},
                             {{"projects/acme", "projects/42", "folders/20", "Acme", "ACTIVE"}},
                             {},
                             ""};
    ASSERT_THAT(store->inventory().AddInventoryPage(scan, page), IsOk());
    store->hours().AddToHour({At(0), {1, 2, 3}, {4, 5, 6}, 7, 8, 9, 10});
  }

  [[nodiscard]] std::vector<std::string> ToldBy(const StoreLocation& location) const {
    // One that is opened for writing begins a run, which is a row more.
    const auto store = OpenStore(location, StoreAccess::kReadOnly, clock_);
    EXPECT_THAT(store, IsOk());
    return store ? Sorted(Teller(**store).All()) : std::vector<std::string>{};
  }

  /// One run that ends after so many batches.
  [[nodiscard]] static Expected<StoreMigration> MigrateBatches(const StoreLocation& from,
                                                               const StoreLocation& to, int most) {
    return MigrateStore(from, to, {}, [most]() mutable { return --most > 0; });
  }

  TempDir dir_;
  FixedClock clock_;
  StoreLocation in_database_;
  StoreLocation file_;
  StoreLocation back_;
};

TEST_F(MigrateStoreTest, KnowsAllTablesAndColumnsOfBothEngines) {
  Make(file_);
  Make(in_database_);
  std::set<std::string> known;
  for (const SharedTable& table : SharedTables()) {
    std::string columns = table.columns;
    std::erase(columns, '"');
    std::istringstream list(columns);
    for (std::string column; std::getline(list >> std::ws, column, ',');) {
      known.insert(std::string(table.name) + "." + column);
    }
  }
  std::set<std::string> in_file;
  SQLite::Database database(file_.file.string(), SQLite::OPEN_READONLY);
  SQLite::Statement columns(database,
                            "SELECT t.name || '.' || c.name FROM sqlite_schema t, "
                            "pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT "
                            "LIKE 'sqlite_%'");
  while (columns.executeStep()) in_file.insert(columns.getColumn(0).getString());
  EXPECT_EQ(known, in_file);
  std::set<std::string> in_database;
  std::istringstream answer(
      Ask("SELECT table_name || '.' || column_name FROM information_schema.columns WHERE "
          "table_schema = 'public' AND table_name NOT IN "
          "('replicas', 'lease', 'lease_log', 'applied', 'requests', 'bindery_schema')"));
  for (std::string line; std::getline(answer, line);) in_database.insert(line);
  EXPECT_EQ(known, in_database);
}

TEST_F(MigrateStoreTest, EveryRowIsTheSameThereAndBackAgain) {
  Fill(file_);
  const std::vector<std::string> told = ToldBy(file_);
  const std::vector<std::string> rows = RawRows(file_.file.string());
  const auto there = MigrateStore(file_, in_database_);
  ASSERT_THAT(there, IsOk());
  EXPECT_FALSE(there->resumed);
  EXPECT_EQ(there->tables.size(), SharedTables().size());
  for (const MigratedTable& table : there->tables) EXPECT_GT(table.rows, 0) << table.name;
  EXPECT_EQ(RawRows(file_.file.string()), rows) << "nothing is changed where it came from";
  EXPECT_EQ(ToldBy(in_database_), told);

  const auto again = MigrateStore(in_database_, back_);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->rows, there->rows);
  EXPECT_EQ(RawRows(back_.file.string()), rows);
  EXPECT_EQ(ToldBy(back_), told);
  EXPECT_FALSE(fs::exists(back_.file.string() + ".migrating"));
  EXPECT_EQ(fs::status(back_.file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(MigrateStoreTest, NumbersThatWereGivenAreNotGivenAgain) {
  Fill(file_);
  std::int64_t last = 0;
  {
    const auto store = Open(file_);
    ASSERT_THAT(store->Apply(EventChange("Last")), IsOk());
    last = store->Events({})->back().first;
    ASSERT_THAT(store->Retain(At(1000), 10), IsOk());
    ASSERT_TRUE(store->Events({})->empty());
  }
  ASSERT_THAT(MigrateStore(file_, in_database_), IsOk());
  {
    const auto store = Open(in_database_);
    StoreChange change = EventChange("Next");
    change.revisions = {RevisionOf(PolicyTarget("payments"), "{\"c\":3}")};
    change.upsert_resources = {Binding("new", "other", "roles/new")};
    ASSERT_THAT(store->Apply(change), IsOk()) << "rows of every kind get numbers of their own";
    EXPECT_EQ(store->Events({})->back().first, last + 1);
    ASSERT_THAT(store->Retain(At(1000), 10), IsOk());
  }
  ASSERT_THAT(MigrateStore(in_database_, back_), IsOk());
  const auto store = Open(back_);
  ASSERT_THAT(store->Apply(EventChange("Next")), IsOk());
  EXPECT_EQ(store->Events({})->back().first, last + 2);
}

TEST_F(MigrateStoreTest, AnEmptyStoreStaysOneThatGivesTheFirstNumbers) {
  Make(file_);
  ASSERT_THAT(MigrateStore(file_, in_database_), IsOk());
  ASSERT_THAT(MigrateStore(in_database_, back_), IsOk());
  EXPECT_EQ(RawRows(back_.file.string()), RawRows(file_.file.string()));
  const auto store = Open(in_database_);
  ASSERT_THAT(store->Apply(EventChange("First")), IsOk());
  EXPECT_EQ(store->Events({})->back().first, 1);
}

TEST_F(MigrateStoreTest, OneThatIsInterruptedAfterEachBatchGetsThereAllTheSame) {
  Fill(file_);
  {
    StoreChange many;
    for (std::size_t i = 0; i < 5'000; ++i) {
      many.events.push_back(testing::EventNamed("Many"));
      many.upsert_files.push_back({std::to_string(i) + OddTexts()[i % OddTexts().size()], "s", ""});
    }
    ASSERT_THAT(Open(file_)->Apply(many), IsOk());
  }
  const std::vector<std::string> rows = RawRows(file_.file.string());
  for (const auto& [from, to] : {std::pair(file_, in_database_), std::pair(in_database_, back_)}) {
    int runs = 0;
    Expected<StoreMigration> last = MigrateBatches(from, to, 1);
    for (; !last && runs < 100; ++runs) {
      ASSERT_THAT(last, FailsWith(Code::kCancelled, HasSubstr("the same command goes on")));
      last = MigrateBatches(from, to, 1);
    }
    ASSERT_THAT(last, IsOk());
    EXPECT_TRUE(last->resumed);
    EXPECT_GT(runs, 20) << "each run copies one batch and none again";
    EXPECT_LT(runs, 35);
  }
  EXPECT_EQ(RawRows(back_.file.string()), rows);
}

TEST_F(MigrateStoreTest, WhatChangedSinceTheInterruptionIsCopiedAnew) {
  Fill(file_);
  ASSERT_THAT(MigrateBatches(file_, in_database_, 18), FailsWith(Code::kCancelled, HasSubstr("")));
  {
    StoreChange change = EventChange("Since");
    change.forget_files = {"dir/zz"};
    change.upsert_files = {{"new", "stamp", ""}};
    change.forget_resources = {"editors"};
    ASSERT_THAT(Open(file_)->Apply(change), IsOk());
  }
  const auto migrated = MigrateStore(file_, in_database_);
  ASSERT_THAT(migrated, IsOk());
  EXPECT_TRUE(migrated->resumed);
  EXPECT_EQ(ToldBy(in_database_), ToldBy(file_));
}

TEST_F(MigrateStoreTest, HalfOfACopyIsNoStore) {
  Fill(file_);
  ASSERT_THAT(MigrateBatches(file_, in_database_, 3), FailsWith(Code::kCancelled, HasSubstr("")));
  for (const StoreAccess access : {StoreAccess::kReadWrite, StoreAccess::kReadOnly}) {
    EXPECT_THAT(OpenStore(in_database_, access, clock_),
                FailsWith(Code::kFailedPrecondition,
                          AllOf(HasSubstr("half of a copy"), HasSubstr("store migrate"))));
  }
  EXPECT_THAT(MigrateStore(in_database_, back_),
              FailsWith(Code::kFailedPrecondition, HasSubstr("half of a copy")));
  EXPECT_FALSE(fs::exists(back_.file.string() + ".lock")) << "nothing is made for it";
  ASSERT_THAT(MigrateStore(file_, in_database_), IsOk());
  EXPECT_EQ(Ask("SELECT version, to_regclass('bindery_migration') IS NULL FROM bindery_schema"),
            std::to_string(kSchemaVersion) + "|t");
  ASSERT_THAT(MigrateBatches(in_database_, back_, 3), FailsWith(Code::kCancelled, HasSubstr("")));
  EXPECT_THAT(OpenStore(back_, StoreAccess::kReadOnly, clock_),
              FailsWith(Code::kNotFound, HasSubstr("")));
}

TEST_F(MigrateStoreTest, HalfOfAnotherStoreIsLeftAlone) {
  Fill(file_);
  const StoreLocation other(dir_ / "other.db");
  Fill(other);
  ASSERT_THAT(MigrateBatches(file_, in_database_, 3), FailsWith(Code::kCancelled, HasSubstr("")));
  EXPECT_THAT(MigrateStore(other, in_database_),
              FailsWith(Code::kAlreadyExists,
                        AllOf(HasSubstr(file_.file.string()), HasSubstr("drop its tables"))));
  ASSERT_THAT(MigrateStore(file_, in_database_), IsOk());

  ASSERT_THAT(MigrateBatches(in_database_, back_, 3), FailsWith(Code::kCancelled, HasSubstr("")));
  StoreLocation second;
  second.database = server_->MakeUrl(database_ + "_second");
  Fill(second);
  EXPECT_THAT(
      MigrateStore(second, back_),
      FailsWith(Code::kAlreadyExists, AllOf(HasSubstr(".migrating"), HasSubstr("delete it"))));
}

TEST_F(MigrateStoreTest, AStoreWithContentIsNotOverwritten) {
  Fill(file_);
  Fill(in_database_);
  EXPECT_THAT(MigrateStore(file_, in_database_),
              FailsWith(Code::kAlreadyExists, HasSubstr("not overwritten")));
  EXPECT_THAT(MigrateStore(in_database_, file_),
              FailsWith(Code::kAlreadyExists, HasSubstr("not overwritten")));
  EXPECT_EQ(ToldBy(in_database_), ToldBy(file_)) << "and both are still stores";
  dir_.Write("note.txt", "mine");
  EXPECT_THAT(MigrateStore(in_database_, StoreLocation(dir_ / "note.txt")),
              FailsWith(Code::kAlreadyExists, HasSubstr("note.txt")));
  EXPECT_EQ(dir_.Read("note.txt"), "mine");
  EXPECT_THAT(MigrateStore(in_database_, StoreLocation(dir_ / "folder/")),
              FailsWith(Code::kInvalidArgument, HasSubstr("not the name of a file")));
}

TEST_F(MigrateStoreTest, AStoreInUseIsRefused) {
  Fill(file_);
  {
    const auto daemon = Open(file_);
    EXPECT_THAT(MigrateStore(file_, in_database_),
                FailsWith(Code::kFailedPrecondition,
                          AllOf(HasSubstr("in use by process"), HasSubstr("stop the daemon"))));
  }
  {
    const auto daemon = Open(in_database_);
    for (const auto& [from, to] :
         {std::pair(file_, in_database_), std::pair(in_database_, back_)}) {
      EXPECT_THAT(MigrateStore(from, to),
                  FailsWith(Code::kFailedPrecondition, HasSubstr("in use by the replica")));
    }
  }
  const auto meanwhile = [this] {
    EXPECT_THAT(OpenStore(file_, StoreAccess::kReadWrite, clock_),
                FailsWith(Code::kFailedPrecondition, HasSubstr("in use by process")));
    EXPECT_THAT(OpenStore(in_database_, StoreAccess::kReadWrite, clock_),
                FailsWith(Code::kFailedPrecondition, HasSubstr("in use by the replica")));
    return true;
  };
  EXPECT_THAT(MigrateStore(file_, in_database_, {}, meanwhile), IsOk()) << "nor is it taken";
}

TEST_F(MigrateStoreTest, ThereMustBeAStoreAndTheOtherEngine) {
  EXPECT_THAT(MigrateStore(file_, in_database_), FailsWith(Code::kNotFound, HasSubstr("")));
  EXPECT_FALSE(fs::exists(file_.file.parent_path())) << "nothing is made for it";
  EXPECT_THAT(MigrateStore(in_database_, file_),
              FailsWith(Code::kNotFound, HasSubstr("no store in the database")));
  EXPECT_EQ(Ask("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0");
  EXPECT_THAT(MigrateStore(file_, back_),
              FailsWith(Code::kInvalidArgument, HasSubstr("bindery store backup")));
  EXPECT_THAT(MigrateStore(in_database_, in_database_),
              FailsWith(Code::kInvalidArgument, HasSubstr("pg_dump")));
}

TEST_F(MigrateStoreTest, ACopyThatIsNotTheSameIsNoStoreUntilItIs) {
  Fill(file_);
  const auto spoil = [this] {
    static_cast<void>(Ask("DELETE FROM words WHERE id = (SELECT max(id) FROM words)"));
    return true;
  };
  EXPECT_THAT(MigrateStore(file_, in_database_, {}, spoil),
              FailsWith(Code::kInternal, HasSubstr("the table words is not the same")));
  EXPECT_THAT(OpenStore(in_database_, StoreAccess::kReadOnly, clock_),
              FailsWith(Code::kFailedPrecondition, HasSubstr("half of a copy")));
  ASSERT_THAT(MigrateStore(file_, in_database_), IsOk());
  EXPECT_EQ(ToldBy(in_database_), ToldBy(file_));
}

TEST_F(MigrateStoreTest, WhoLosesTheRightToTheStoresDoesNotEnd) {
  Fill(file_);
  const auto steal = [this] {
    static_cast<void>(Ask("UPDATE lease SET holder = 'other', epoch = epoch + 1"));
    return true;
  };
  EXPECT_THAT(MigrateStore(file_, in_database_, {}, steal),
              FailsWith(Code::kFailedPrecondition, HasSubstr("another replica holds the lease")));
  static_cast<void>(Ask("UPDATE lease SET holder = ''"));
  ASSERT_THAT(MigrateStore(file_, in_database_), IsOk());
  StoreSharing not_trusted;
  not_trusted.times.trust = std::chrono::milliseconds(0);
  EXPECT_THAT(MigrateStore(in_database_, back_, not_trusted),
              FailsWith(Code::kUnavailable, HasSubstr("the lease of the store")));
  EXPECT_FALSE(fs::exists(back_.file));
}

TEST_F(MigrateStoreTest, FilesThatAnotherDatabaseLeftAreNotMixedIn) {
  Fill(in_database_);
  dir_.Write("back.db-wal", "of a database that is gone");
  dir_.Write("back.db.clean", "of a database that is gone");
  dir_.Write("back.db.migrating", "");
  ASSERT_THAT(MigrateStore(in_database_, back_), IsOk());
  EXPECT_FALSE(fs::exists(back_.file.string() + ".clean"));
  EXPECT_EQ(ToldBy(back_), ToldBy(in_database_));
}

}  // namespace
}  // namespace bindery::store
