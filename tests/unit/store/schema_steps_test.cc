#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "fixture.h"
#include "store/migration/migrate.h"
#include "store/open_store.h"
#include "store/postgres/postgres_link.h"
#include "store/postgres/postgres_opening.h"
#include "store/tables/schema.h"
#include "test_postgres.h"

namespace bindery::store {
namespace {

using ::testing::ElementsAre;
using testing::EventChange;
using testing::FailsWith;
using testing::FixedClock;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StoreTest;

/// What a later version of this generation might add.
constexpr std::array kAdded = {"ALTER TABLE events ADD COLUMN mood TEXT NOT NULL DEFAULT '';",
                               "CREATE TABLE moods (mood TEXT NOT NULL PRIMARY KEY);"};

TEST(SchemaVersion, IsTheFirstAndOneForEachStepOfBothEngines) {
  for (const StoreTables& tables : {SqliteTables(), PostgresTables()}) {
    EXPECT_EQ(kFirstSchema + static_cast<int>(tables.steps.size()), kSchemaVersion);
  }
  EXPECT_LT(kSchemaVersion, kNextGeneration);
}

class StoreFileOfALaterVersion : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    ASSERT_THAT(store().Apply(EventChange("Before")), IsOk());
    store_.reset();
    SQLite::Database file(path(), SQLite::OPEN_READWRITE);
    for (const char* step : kAdded) file.exec(step);
    file.exec("PRAGMA user_version = 102");
  }
};

TEST_F(StoreFileOfALaterVersion, IsUsedAsItIs) {
  Reopen();
  ASSERT_THAT(store().Apply(EventChange("After")), IsOk());
  EXPECT_THAT(EventReasons(), ElementsAre("Before", "After"));
  store_.reset();
  SQLite::Database file(path(), SQLite::OPEN_READONLY);
  EXPECT_EQ(file.execAndGet("PRAGMA user_version").getInt(), 102);
  EXPECT_EQ(file.execAndGet("SELECT count(*) FROM events WHERE mood = ''").getInt(), 2);
}

TEST_F(StoreFileOfALaterVersion, IsNotCopiedToAnotherEngine) {
  StoreLocation from;
  from.file = path();
  StoreLocation to;
  to.database = "postgresql://127.0.0.1:1/none";
  EXPECT_THAT(MigrateStore(from, to),
              FailsWith(Code::kFailedPrecondition,
                        HasSubstr("migrate it with the version of bindery that made it")));
}

class StoreInADatabase : public testing::PostgresDatabaseTest {
 protected:
  [[nodiscard]] Expected<std::unique_ptr<Store>> Open(StoreAccess access) const {
    StoreLocation location;
    location.database = url_;
    return OpenStore(location, access, clock_);
  }
  [[nodiscard]] static StoreTables LaterTables() {
    StoreTables tables = PostgresTables();
    tables.steps = kAdded;
    return tables;
  }

  FixedClock clock_;
};

TEST_F(StoreInADatabase, IsBroughtToTheLaterVersionWhileTheOlderOneWritesOn) {
  auto older = Open(StoreAccess::kReadWrite);
  ASSERT_THAT(older, IsOk());
  ASSERT_THAT((*older)->Apply(EventChange("Before")), IsOk());

  auto link = PostgresLink::Connect(url_);
  ASSERT_THAT(link, IsOk());
  EXPECT_THAT(RequirePostgresStore(**link, LaterTables()),
              FailsWith(Code::kFailedPrecondition, HasSubstr("is of an older version")));
  for (int time = 0; time < 2; ++time) {
    ASSERT_THAT(MakePostgresStore(**link, LaterTables()), IsOk());
    EXPECT_THAT(RequirePostgresStore(**link, LaterTables()), IsOk());
    EXPECT_EQ(Ask("SELECT CAST(version AS TEXT) FROM bindery_schema"), "102");
  }
  EXPECT_EQ(Ask("SELECT CAST(count(*) AS TEXT) FROM moods"), "0");

  ASSERT_THAT((*older)->Apply(EventChange("After")), IsOk());
  older->reset();
  EXPECT_EQ(Ask("SELECT CAST(count(*) AS TEXT) FROM events WHERE mood = ''"), "2");

  auto again = Open(StoreAccess::kReadWrite);
  ASSERT_THAT(again, IsOk());
  ASSERT_THAT((*again)->Apply(EventChange("Later still")), IsOk());
  EXPECT_EQ(Ask("SELECT CAST(version AS TEXT) FROM bindery_schema"), "102");
}

TEST_F(StoreInADatabase, StaysAsItIsWhenAStepFails) {
  { ASSERT_THAT(Open(StoreAccess::kReadWrite), IsOk()); }
  constexpr std::array kBroken = {kAdded[1], "CREATE TABLE words (a INTEGER);"};
  StoreTables tables = PostgresTables();
  tables.steps = kBroken;
  {
    auto link = PostgresLink::Connect(url_);
    ASSERT_THAT(link, IsOk());
    EXPECT_THAT(MakePostgresStore(**link, tables), FailsWith(Code::kInternal, HasSubstr("words")));
  }
  EXPECT_EQ(Ask("SELECT to_regclass('moods') IS NULL"), "t");
  EXPECT_THAT(Open(StoreAccess::kReadWrite), IsOk());
}

}  // namespace
}  // namespace bindery::store
