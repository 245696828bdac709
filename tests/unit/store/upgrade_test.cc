#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>

#include "fixture.h"
#include "sqlite/database.h"
#include "store/schema.h"

namespace bindery {
namespace {

using testing::At;
using testing::Binding;
using testing::IsOk;
using testing::PolicyTarget;
using ::testing::SizeIs;
using testing::StoreTest;

/// A store as version 1 wrote it, with one of everything. %1 and %2 are digests of policies.
constexpr const char* kRows = R"sql(
INSERT INTO facts VALUES ('cloud', 'http://127.0.0.1:1');
INSERT INTO target_keys VALUES (5, 'AuthorizationPolicyIamBinding', '',
  'projects/p/locations/l/authorizationPolicies/a'), (9, 'Dashboard', 'datadog', 'dashboard:x'),
  (10, 'AuthorizationPolicyIamBinding', '', '');
INSERT INTO policies VALUES ('%1', '{"policy":1}'), ('%2', '{"policy":2}');
INSERT INTO resources VALUES ('payments', 'cloudnative:networksecurity/v1',
  'AuthorizationPolicyIamBinding', 5, 'cloudnative', 'roles/viewer', 1, '{"name":"x"}',
  '{"protect":true}', '{"team":"a"}', '{}', '%1', 'a.yaml', 7, 3, 2, 'Stalled', 'GuardHeld',
  'waits', 1795256430123, '{"etag":"x"}', 1, 2);
INSERT INTO resources VALUES ('lookup', 'v1', 'Lookup', 10, 'cloudnative', '', 0, '{}', '', '', '',
  'no digest', 'b.yaml', 1, 1, 0, 'Ready', '', '', 1795256430000, '', 0, 0);
INSERT INTO targets VALUES (5, 'cloudnative', 1, 1, 1, 'etag', '%2', 12),
  (9, 'datadog', 0, 0, 0, '', NULL, 0);
INSERT INTO observations VALUES (5, 1795256431000), (9, 1795256432000);
INSERT INTO revisions VALUES (41, 5, 1795256430000, 'foreign', 'e1', '%1', 'bindery'),
  (42, 5, 1795256431000, 'written', 'e2', '%2', 'ana'), (44, 5, 1795256432000, 'written', '', NULL, '');
INSERT INTO revisions VALUES (50, 5, 0, 'observed', '', NULL, '');
DELETE FROM revisions WHERE id = 50;
INSERT INTO drift VALUES (3, 5, 'missing', 'payments', 'roles/viewer', 'user:ana', '', 'high', 'open',
  'granted', 'absent', 1795256430000, 1795256433000, NULL, '');
INSERT INTO drift VALUES (4, 5, 'undeclared', '', 'roles/viewer', 'user:bob',
  '{"description":"","expression":"e","title":"t"}', 'low', 'corrected',
  'absent', 'granted', 1795256430000, 1795256431000, 1795256432000, 'elsewhere');
INSERT INTO events VALUES (7, 1795256433000, 'Warning', 'RoleConflict', 'forgotten', 'projects/p',
  'two claims', 'ana');
INSERT INTO events VALUES (8, 1795256434000, 'Normal', 'Started', '', '', 'begun', 'bindery');
INSERT INTO intents VALUES (6, 5, 1795256430000, 'e', '%1', 'not stored', 'bindery', NULL, '');
INSERT INTO intents VALUES (7, 5, 1795256430000, 'e', '%1', '%2', 'bindery', 1795256431000, 'landed');
INSERT INTO holds VALUES ('hold', 1795256430000, 'open', 'limit', 'pass', '[]', '');
INSERT INTO generations VALUES (2, 1795256430000, 'generation', 3, 4, 5);
INSERT INTO manifest_problems VALUES (1, 'a.yaml', 1, 2, 'spec', 'error', 'code', 'message', 'x');
)sql";

class StoreOfVersion1 : public StoreTest {
 protected:
  void SetUp() override {
    std::string rows = kRows;
    for (const auto& [mark, body] : {std::pair{"%1", kFirst}, std::pair{"%2", kSecond}}) {
      for (auto at = rows.find(mark); at != std::string::npos; at = rows.find(mark, at)) {
        rows.replace(at, 2, Sha256Hex(body));
      }
    }
    auto database = sqlite::OpenDatabase(path());
    ASSERT_THAT(database, IsOk());
    ASSERT_THAT(sqlite::Migrate(**database, store::SchemaSteps().first(1)), IsOk());
    (*database)->exec(rows);
    database->reset();
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
  EXPECT_THAT(Value(store().Files()), ::testing::IsEmpty());
}

TEST_F(StoreOfVersion1, GoesOnCountingWhereItWas) {
  StoreChange change;
  change.revisions = {testing::RevisionOf(PolicyTarget("a"), kSecond)};
  change.events = {testing::EventNamed("Next")};
  change.upsert_resources = Value(store().Resources());
  change.upsert_targets = Value(store().Targets());
  change.touch_targets = {PolicyTarget("a")};
  change.touched_at = At(60);
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_EQ(Value(store().Revisions(PolicyTarget("a"), false)).back().id, 51);
  EXPECT_EQ(Value(store().Events({})).back().first, 9);
  EXPECT_EQ(Value(store().BeginWrite({})), 8);
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
