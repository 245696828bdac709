#include <SQLiteCpp/SQLiteCpp.h>

#include "fixture.h"
#include "support/begin_write.h"

namespace bindery::store {
namespace {

using testing::At;
using ::testing::ElementsAre;
using testing::EventNamed;
using testing::IsOk;
using testing::Observed;
using testing::PolicyTarget;
using testing::RevisionOf;
using testing::StoreTest;

class StoreRetention : public StoreTest {
 protected:
  std::vector<std::string> Bodies(const std::string& target) {
    std::vector<std::string> bodies;
    for (const auto& revision : Value(store().Revisions(PolicyTarget(target), true))) {
      bodies.push_back(revision.policy);
    }
    return bodies;
  }
};

TEST_F(StoreRetention, DropsEventsOlderThanTheGivenTime) {
  StoreChange change;
  change.events = {EventNamed("Old", At(1)), EventNamed("Edge", At(2)), EventNamed("New", At(3))};
  ASSERT_THAT(store().Apply(change), IsOk());
  ASSERT_THAT(store().Retain(At(2), 10), IsOk());
  EXPECT_THAT(EventReasons(), ElementsAre("Edge", "New"));
}

TEST_F(StoreRetention, DropsOldResolvedDriftAndKeepsWhatIsOpenHoweverOld) {
  DriftItem open;
  open.resource = "open";
  DriftItem gone;
  gone.resource = "gone";
  StoreChange change;
  change.drift = {{PolicyTarget("a"), At(1), {open, gone}}};
  ASSERT_THAT(store().Apply(change), IsOk());
  change.drift = {{PolicyTarget("a"), At(2), {open}, true}};
  ASSERT_THAT(store().Apply(change), IsOk());

  ASSERT_THAT(store().Retain(At(2), 10), IsOk());
  EXPECT_EQ(Value(store().Counts()).drift, 2);
  ASSERT_THAT(store().Retain(At(3), 10), IsOk());
  const auto left = Value(store().Drift({}));
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].item.resource, "open");
}

TEST_F(StoreRetention, KeepsTheNewestRevisionsOfEachTargetAndTheFirstForeignOne) {
  StoreChange change;
  const auto add = [&change](const char* target, const char* body, Origin origin) {
    change.revisions.push_back(RevisionOf(PolicyTarget(target), body, origin));
  };
  add("a", "1", Origin::kObserved);
  add("a", "2", Origin::kForeign);
  add("a", "3", Origin::kForeign);
  add("b", "4", Origin::kObserved);
  add("a", "5", Origin::kWritten);
  add("a", "6", Origin::kObserved);
  ASSERT_THAT(store().Apply(change), IsOk());

  ASSERT_THAT(store().Retain(At(0), 5), IsOk());
  EXPECT_THAT(Bodies("a"), ElementsAre("1", "2", "3", "5", "6")) << "exactly as many as are kept";
  ASSERT_THAT(store().Retain(At(0), 2), IsOk());
  EXPECT_THAT(Bodies("a"), ElementsAre("2", "5", "6"));
  EXPECT_THAT(Bodies("b"), ElementsAre("4"));
  ASSERT_THAT(store().Retain(At(0), 0), IsOk());
  EXPECT_THAT(Bodies("a"), ElementsAre("2"));
  EXPECT_THAT(Bodies("b"), ElementsAre());
  EXPECT_EQ(Value(store().Counts()).policies, 1);
}

TEST_F(StoreRetention, KeepsTheRevisionThatIsToComeBack) {
  StoreChange change;
  for (const char* body : {"1", "2", "3"}) {
    change.revisions.push_back(RevisionOf(PolicyTarget("a"), body, Origin::kObserved));
  }
  ASSERT_THAT(store().Apply(change), IsOk());
  StoreChange wanted;
  wanted.upsert_rollbacks = {
      {PolicyTarget("a"), Value(store().Revisions(PolicyTarget("a"), false))[1].id, "ana", {}}};
  ASSERT_THAT(store().Apply(wanted), IsOk());
  ASSERT_THAT(store().Retain(At(0), 0), IsOk());
  EXPECT_THAT(Bodies("a"), ElementsAre("2"));
}

TEST_F(StoreRetention, KeepsThePoliciesThatTargetsAndIntentsName) {
  StoreChange change;
  for (const char* body : {"unnamed", "of-target", "of-intent"}) {
    change.revisions.push_back(RevisionOf(PolicyTarget("a"), body));
  }
  change.upsert_targets = {Observed(PolicyTarget("a"), "of-target")};
  ASSERT_THAT(store().Apply(change), IsOk());
  IntentRecord intent;
  intent.target = PolicyTarget("a");
  intent.digest_before = Sha256Hex("of-intent");
  ASSERT_THAT(testing::BeginWrite(store(), intent), IsOk());

  ASSERT_THAT(store().Retain(At(0), 0), IsOk());
  EXPECT_THAT(store().Policy(Sha256Hex("of-target")), IsOk());
  EXPECT_THAT(store().Policy(Sha256Hex("of-intent")), IsOk());
  EXPECT_EQ(Value(store().Counts()).policies, 2);
}

TEST_F(StoreRetention, DropsOldFinishedIntentsAndKeepsOpenOnes) {
  IntentRecord intent;
  intent.target = PolicyTarget("a");
  const std::int64_t finished = Value(testing::BeginWrite(store(), intent));
  intent.target = PolicyTarget("b");
  const std::int64_t open = Value(testing::BeginWrite(store(), intent));
  StoreChange change;
  change.finished_intents = {{finished, At(1), "landed"}};
  ASSERT_THAT(store().Apply(change), IsOk());

  ASSERT_THAT(store().Retain(At(1), 1), IsOk());
  EXPECT_EQ(Count("intents"), 2) << "the outcome is kept for audit";
  ASSERT_THAT(store().Retain(At(2), 1), IsOk());
  EXPECT_EQ(Count("intents"), 1);
  EXPECT_EQ(Value(store().OpenIntents()).at(0).id, open);
}

TEST_F(StoreRetention, TellsTheRemovalsOfTheLastSevenDaysHoweverFarTheClockIsAhead) {
  constexpr int kDay = 24 * 60 * 60;
  for (const int day : {0, 2, 8}) {
    IntentRecord intent;
    intent.target = PolicyTarget("day-" + std::to_string(day));
    intent.started = At(day * kDay);
    intent.removed_declared = 1;
    ASSERT_THAT(testing::BeginWrite(store(), intent), IsOk());
  }
  const auto told = [this](int since) {
    std::vector<std::string> names;
    for (const auto& removal : Value(store().Removals(At(since)))) {
      names.push_back(removal.target.name.substr(removal.target.name.rfind('/') + 1));
    }
    return names;
  };
  EXPECT_THAT(told(400 * kDay), ElementsAre("day-2", "day-8"));
  EXPECT_THAT(told(0), ElementsAre("day-0", "day-2", "day-8"));
}

TEST_F(StoreRetention, TellsWhenTheOutcomeOfARemovalWentOnRecord) {
  IntentRecord intent;
  intent.target = PolicyTarget("a");
  intent.started = At(100);  // By the services' time.
  intent.removed_adopted = 3;
  const std::int64_t id = Value(testing::BeginWrite(store(), intent));
  RemovalRecord removal = Value(store().Removals(At(0))).at(0);
  EXPECT_TRUE(removal.open);
  EXPECT_FALSE(removal.ended.has_value());
  StoreChange change;
  change.finished_intents.push_back({id, At(40), "landed"});
  ASSERT_THAT(store().Apply(change), IsOk());
  removal = Value(store().Removals(At(0))).at(0);
  EXPECT_FALSE(removal.open);
  EXPECT_EQ(removal.ended, At(40));
  EXPECT_EQ(removal.started, At(100));
}

TEST_F(StoreRetention, DropsOldHoldsThatAreOverAndKeepsThoseInForce) {
  StoreChange change;
  for (const HoldState state : kAllHoldStates) {
    change.upsert_holds.push_back({std::string(ToString(state)), At(1), state, "", {}, "[]", ""});
  }
  ASSERT_THAT(store().Apply(change), IsOk());
  ASSERT_THAT(store().Retain(At(2), 1), IsOk());
  std::vector<HoldState> left;
  for (const HoldRecord& hold : Value(store().Holds())) left.push_back(hold.state);
  EXPECT_THAT(left, ElementsAre(HoldState::kApproved, HoldState::kDenied, HoldState::kOpen));
}

TEST_F(StoreRetention, DropsOldGenerationsButNotThoseThatTellAnOlderDirectory) {
  Alter([](Connection& connection) {
    store::Run(connection,
               "INSERT INTO generations (time, digest, files, manifests, problems, rules) "
               "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10003) "
               "SELECT i, 'generation ' || i, 0, 0, 0, '' FROM n");
  });
  Reopen();
  ASSERT_THAT(store().Retain(At(100), 1), IsOk());
  EXPECT_EQ(Count("generations"), 10'000);
  EXPECT_EQ(Value(store().LastGeneration())->digest, "generation 10003");
  EXPECT_EQ(Value(store().OlderGenerations()).front().digest, "generation 4");
}

TEST_F(StoreRetention, DropsTheKeysOfTargetsNothingSpeaksOfAnyMore) {
  StoreChange change;
  change.upsert_targets = {Observed(PolicyTarget("kept"), ""), Observed(PolicyTarget("gone"), "")};
  ASSERT_THAT(store().Apply(change), IsOk());
  change = {};
  change.forget_targets = {PolicyTarget("gone")};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_EQ(Count("target_keys"), 2);
  ASSERT_THAT(store().Retain(At(0), 1), IsOk());
  EXPECT_EQ(Count("target_keys"), 1);
  EXPECT_EQ(Value(store().Targets()).size(), 1U);
}

TEST_F(StoreRetention, KeepsTheFileFromGrowing) {
  std::vector<int> pages;
  for (int round = 0; round < 6; ++round) {
    StoreChange change;
    for (int i = 0; i < 200; ++i) {
      const std::string body = Sha256Hex(std::to_string(round * 1000 + i));
      change.revisions.push_back(RevisionOf(PolicyTarget("a"), "\"" + body + "\""));
      change.events.push_back(EventNamed("Changed", At(round)));
    }
    ASSERT_THAT(store().Apply(change), IsOk());
    ASSERT_THAT(store().Retain(At(round), 20), IsOk());
    if (InDatabase()) GTEST_SKIP() << "PostgreSQL keeps house by itself";
    SQLite::Database database(path(), SQLite::OPEN_READONLY);
    pages.push_back(database.execAndGet("PRAGMA page_count").getInt());
  }
  EXPECT_LE(pages.back(), pages[1] + 3) << "what became free is used again";
}

TEST_F(StoreRetention, OnAnEmptyStoreDoesNothing) {
  EXPECT_THAT(store().Retain(WallTime::max(), std::numeric_limits<std::size_t>::max()), IsOk());
}

}  // namespace
}  // namespace bindery::store
