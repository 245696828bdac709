#include <SQLiteCpp/SQLiteCpp.h>

#include "fixture.h"
#include "schemas.h"
#include "support/begin_write.h"

namespace bindery {
namespace {

using testing::At;
using testing::Binding;
using testing::IsOk;
using testing::PolicyTarget;
using ::testing::SizeIs;
using testing::StoreTest;

class StoreOfVersion1 : public StoreTest {
 protected:
  void SetUp() override {
    testing::BuildStore(path(), 1);
    Reopen();
  }

  static constexpr const char* kFirst = R"({"policy":1})";
  static constexpr const char* kSecond = R"({"policy":2})";
};

TEST_F(StoreOfVersion1, KeepsItsResources) {
  const auto found = Value(store().Resources());
  ASSERT_THAT(found, SizeIs(2));
  ResourceRecord payments = Binding("payments", "a", "roles/viewer");
  payments.options = R"({"protect":true})";
  payments.labels = R"({"team":"a"})";
  payments.annotations = "{}";
  payments.digest = Sha256Hex(kFirst);
  payments.source_file = "a.yaml";
  payments.source_line = 7;
  payments.generation = 3;
  payments.observed_generation = 2;
  payments.status = {ResourceState::kStalled, "GuardHeld", "waits"};
  payments.status_since = At(0) + std::chrono::milliseconds(123);
  payments.outputs = R"({"etag":"x"})";
  payments.suspended = true;
  payments.missing_scans = 2;
  EXPECT_EQ(found[1], payments);
  EXPECT_EQ(found[0].name, "lookup");
  EXPECT_EQ(found[0].role, "");
  EXPECT_EQ(found[0].target.name, "");
  EXPECT_EQ(found[0].digest, "no digest");
}

TEST_F(StoreOfVersion1, KeepsItsTargetsRevisionsAndPolicies) {
  const auto targets = Value(store().Targets());
  ASSERT_THAT(targets, SizeIs(2));
  EXPECT_EQ(targets[0].target, (Target{"Dashboard", "datadog", "dashboard:x"}));
  EXPECT_EQ(targets[0].policy_digest, "");
  EXPECT_EQ(targets[0].observed_at, At(2));
  EXPECT_EQ(targets[1].target, PolicyTarget("a"));
  EXPECT_TRUE(targets[1].observed && targets[1].exists && targets[1].ever_written);
  EXPECT_EQ(targets[1].policy_digest, Sha256Hex(kSecond));
  EXPECT_EQ(targets[1].grants, 12);

  const auto revisions = Value(store().Revisions(PolicyTarget("a"), true));
  ASSERT_THAT(revisions, SizeIs(3));
  EXPECT_EQ(revisions[0].id, 41);
  EXPECT_EQ(revisions[0].origin, Origin::kForeign);
  EXPECT_EQ(revisions[0].policy, kFirst);
  EXPECT_EQ(revisions[1].digest, Sha256Hex(kSecond));
  EXPECT_EQ(revisions[1].policy, kSecond);
  EXPECT_EQ(revisions[1].actor, "ana");
  EXPECT_EQ(revisions[2].digest, "");
  EXPECT_EQ(revisions[2].etag, "");
}

TEST_F(StoreOfVersion1, KeepsItsDrift) {
  const auto drift = Value(store().Drift({}));
  ASSERT_THAT(drift, SizeIs(2));
  EXPECT_EQ(drift[0].item.resource, "payments");
  EXPECT_EQ(drift[0].item.severity, Severity::kHigh);
  EXPECT_EQ(drift[0].last_seen, At(3));
  EXPECT_FALSE(drift[0].resolved_at);
  EXPECT_EQ(drift[1].item.drift_class, DriftClass::kUndeclared);
  EXPECT_EQ(drift[1].item.resource, "");
  EXPECT_EQ(drift[1].item.grant.condition, (Condition{"e", "t", ""}));
  EXPECT_EQ(drift[1].resolved_at, At(2));
  EXPECT_EQ(drift[1].resolved_by, "elsewhere");
}

TEST_F(StoreOfVersion1, KeepsItsJournal) {
  const auto events = Value(store().Events({}));
  ASSERT_THAT(events, SizeIs(2));
  EXPECT_EQ(events[0].first, 7);
  EXPECT_EQ(events[0].second.type, EventType::kWarning);
  EXPECT_EQ(events[0].second.resource, "forgotten");
  EXPECT_EQ(events[0].second.target, "projects/p");
  EXPECT_EQ(events[0].second.message, "two claims");
  EXPECT_EQ(events[1].second.resource, "");

  const auto intents = Value(store().OpenIntents());
  ASSERT_THAT(intents, SizeIs(1));
  EXPECT_EQ(intents[0].id, 6);
  EXPECT_EQ(intents[0].digest_before, Sha256Hex(kFirst));
  EXPECT_EQ(intents[0].digest_desired, "not stored");

  EXPECT_EQ(Value(store().Holds()).at(0).digest, "hold");
  EXPECT_EQ(Value(store().LastGeneration())->digest, "generation");
  EXPECT_THAT(Value(store().Problems()), SizeIs(1));
  EXPECT_THAT(Files(), ::testing::IsEmpty());
}

TEST_F(StoreOfVersion1, GoesOnCountingWhereItWas) {
  StoreChange change;
  change.revisions = {testing::RevisionOf(PolicyTarget("a"), kSecond)};
  change.events = {testing::EventNamed("Next")};
  change.upsert_resources = Value(store().Resources());
  change.upsert_targets = Value(store().Targets());
  change.touch_targets = {TargetKey(PolicyTarget("a"))};
  change.touched_at = At(60);
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_EQ(Value(store().Revisions(PolicyTarget("a"), false)).back().id, 51);
  EXPECT_EQ(Value(store().Events({})).back().first, 9);
  EXPECT_EQ(Value(testing::BeginWrite(store(), {})), 8);
  EXPECT_EQ(Value(store().Counts()).policies, 2);
  EXPECT_EQ(Value(store().Targets()).at(1).observed_at, At(60));

  ASSERT_THAT(store().Retain(At(100), 1), IsOk());
  EXPECT_THAT(Value(store().Resources()), SizeIs(2));
}

TEST_F(StoreOfVersion1, IsLeftWithoutTheRoomItTook) {
  store_.reset();
  SQLite::Database database(path(), SQLite::OPEN_READONLY);
  EXPECT_EQ(database.execAndGet("PRAGMA freelist_count").getInt(), 0);
  EXPECT_STREQ(database.execAndGet("PRAGMA quick_check").getText(), "ok");
}

}  // namespace
}  // namespace bindery
