// Every version of the schema that was ever released: what it left can be taken over, and the step
// that made it is what it was.

#include <map>

#include "fixture.h"
#include "schemas.h"
#include "sqlite/database.h"
#include "store/schema.h"
#include "store/schema_functions.h"
#include "store/upkeep.h"

namespace bindery {
namespace {

using testing::BuildStore;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::Not;
using testing::StoreTest;

/// Each table, index and view with the text that makes it.
std::map<std::string, std::string> SchemaOf(SQLite::Database& database) {
  std::map<std::string, std::string> schema;
  SQLite::Statement query(database, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
  while (query.executeStep()) schema[query.getColumn(0)] = query.getColumn(1).getString();
  return schema;
}

class StoreOfVersion : public StoreTest, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override { BuildStore(path(), GetParam()); }
};

TEST_P(StoreOfVersion, IsTakenOverWithAllItHolds) {
  const auto before = CheckStore(path());
  ASSERT_THAT(before, IsOk());
  EXPECT_EQ(before->schema_version, GetParam());
  EXPECT_THAT(before->findings, IsEmpty());

  Reopen();
  for (const RevisionRecord& named : Value(store().RevisionsInForce(testing::At(1'000'000'000)))) {
    for (const RevisionRecord& revision : Value(store().Revisions(named.target, true))) {
      if (revision.digest.empty()) continue;
      const auto policy = ParseJson(revision.policy);
      ASSERT_THAT(policy, IsOk()) << "revision " << revision.id;
      EXPECT_EQ(Sha256Hex(CanonicalJson(*policy)), revision.digest);
    }
  }
  EXPECT_THAT(Value(store().Resources()), Not(IsEmpty()));
  EXPECT_THAT(Value(store().Drift({})), Not(IsEmpty()));
  EXPECT_THAT(Value(store().OpenIntents()), Not(IsEmpty())) << "the write that was cut off";
  EXPECT_THAT(Value(store().Holds()), Not(IsEmpty()));
  store_.reset();

  const auto after = CheckStore(path());
  ASSERT_THAT(after, IsOk());
  EXPECT_EQ(after->schema_version, StoreSchemaVersion());
  EXPECT_THAT(after->findings, IsEmpty());
  std::map<std::string, std::int64_t> rows;
  for (const StoreTable& table : after->tables) rows[table.name] = table.rows;
  for (const StoreTable& table : before->tables) {
    if (table.name == "facts") continue;  // Which were of no use.
    EXPECT_EQ(rows[table.name], table.rows) << table.name;
  }
}

TEST_P(StoreOfVersion, GoesOnBeingWrittenAndTrimmed) {
  Reopen();
  StoreChange change = testing::EventChange("Next");
  change.upsert_resources = Value(store().Resources());
  change.upsert_targets = Value(store().Targets());
  ASSERT_THAT(store().Apply(change), IsOk());
  ASSERT_THAT(store().Retain(testing::At(1'000'000'000), 1), IsOk());
  EXPECT_EQ(Value(store().Resources()), change.upsert_resources);
  store_.reset();
  const auto check = CheckStore(path());
  ASSERT_THAT(check, IsOk());
  EXPECT_THAT(check->findings, IsEmpty());
}

TEST_P(StoreOfVersion, IsWhatTheStepsMakeToThisDay) {
  auto made = sqlite::OpenDatabase(":memory:");
  ASSERT_THAT(made, IsOk());
  store::RegisterUpgradeFunctions(**made);
  const auto steps = store::SchemaSteps().first(static_cast<std::size_t>(GetParam()));
  ASSERT_THAT(sqlite::Migrate(**made, steps), IsOk());
  SQLite::Database left(path(), SQLite::OPEN_READONLY);
  EXPECT_EQ(SchemaOf(**made), SchemaOf(left)) << "a released step is never edited";
}

INSTANTIATE_TEST_SUITE_P(Store, StoreOfVersion, ::testing::Range(1, StoreSchemaVersion() + 1),
                         [](const auto& param) { return "V" + std::to_string(param.param); });

}  // namespace
}  // namespace bindery
