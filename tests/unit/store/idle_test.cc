#include <SQLiteCpp/SQLiteCpp.h>

#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using testing::Binding;
using testing::IsOk;
using testing::Observed;
using testing::PolicyTarget;
using testing::RevisionOf;
using testing::StoreTest;

/// Whether a change reached the file, which SQLite tells another connection.
class StoreIdle : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    watcher_ = std::make_unique<SQLite::Database>(path(), SQLite::OPEN_READONLY);
  }

  bool Writes(const StoreChange& change) {
    const int before = Version();
    EXPECT_THAT(store().Apply(change), IsOk());
    return Version() != before;
  }
  int Version() { return watcher_->execAndGet("PRAGMA data_version").getInt(); }

  std::unique_ptr<SQLite::Database> watcher_;
};

struct IdleCase {
  const char* name;
  StoreChange change;
  void (*alter)(StoreChange& change);  ///< Makes it worth writing again.
};

std::vector<IdleCase> IdleCases() {
  StoreChange resources;
  resources.upsert_resources = {Binding("a", "t", "r"), Binding("b", "t", "s")};
  StoreChange targets;
  targets.revisions = {RevisionOf(PolicyTarget("a"), "{}")};
  targets.upsert_targets = {Observed(PolicyTarget("a"), "{}")};
  StoreChange holds;
  holds.upsert_holds = {{"digest", At(1), HoldState::kOpen, "", {}, "[]", ""}};
  StoreChange problems;
  problems.problems = {{"a.yaml", 1, 2, "spec", "error", "code", "message", ""}};
  StoreChange drift;
  drift.drift = {{PolicyTarget("a"), At(1), {}}};
  StoreChange files;
  files.upsert_files = {{"a.yaml", "stamp", "digest"}};
  return {
      {"Resources", resources, [](StoreChange& c) { c.upsert_resources[1].missing_scans = 1; }},
      {"Targets", targets, [](StoreChange& c) { c.upsert_targets[0].observed_at = At(2); }},
      {"Holds", holds, [](StoreChange& c) { c.upsert_holds[0].state = HoldState::kApproved; }},
      {"Problems", problems, [](StoreChange& c) { c.problems->clear(); }},
      {"Files", files, [](StoreChange& c) { c.upsert_files[0].stamp = "other"; }},
      {"NoDrift", drift, [](StoreChange& c) { c.drift[0].items.emplace_back(); }},
  };
}

class StoreIdleChange : public StoreIdle, public ::testing::WithParamInterface<IdleCase> {};

TEST_P(StoreIdleChange, ThatSaysNothingNewWritesNothing) {
  StoreChange change = GetParam().change;
  ASSERT_THAT(store().Apply(change), IsOk());
  change.revisions.clear();  // these are news whenever they are told
  EXPECT_FALSE(Writes(change));
  GetParam().alter(change);
  EXPECT_TRUE(Writes(change));
}

INSTANTIATE_TEST_SUITE_P(Cases, StoreIdleChange, ::testing::ValuesIn(IdleCases()),
                         [](const ::testing::TestParamInfo<IdleCase>& tested) {
                           return std::string(tested.param.name);
                         });

}  // namespace
}  // namespace bindery::store
