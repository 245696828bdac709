// What audit logs tell, and how far they were read.

#include "fixture.h"

namespace bindery {
namespace {

using testing::At;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::PolicyTarget;
using testing::StoreTest;

AuditEntry Entry(const std::string& target, int seconds, const std::string& id = "i") {
  AuditEntry entry;
  entry.id = id;
  entry.target = PolicyTarget(target).name;
  entry.time = At(seconds);
  entry.actor = "mallory@example.com";
  entry.impersonator = "ana@example.com";
  entry.method = "SetIamPolicy";
  entry.agent = "gcloud";
  entry.source = "a.json:1";
  entry.detail = AuditDetail::kChanges;
  entry.grants = {{{"r", "user:a", Condition{"1 < 2", "t", "d"}}, true}, {{"r", "user:b"}, false}};
  return entry;
}

class StoreAudit : public StoreTest {
 protected:
  void Write(std::vector<AuditEntry> entries) {
    StoreChange change;
    change.audit_entries = std::move(entries);
    ASSERT_THAT(store().Apply(std::move(change)), IsOk());
  }
  void Found(const std::string& target, int seconds, std::vector<DriftItem> items) {
    StoreChange change;
    change.drift.push_back({PolicyTarget(target), At(seconds), std::move(items)});
    change.drift.back().read_before = read_before_;
    ASSERT_THAT(store().Apply(std::move(change)), IsOk());
  }

  std::optional<WallTime> read_before_;
};

TEST_F(StoreAudit, EntriesOfTargetsWithDriftComeBackAsTheyWere) {
  Write({Entry("b", 3), Entry("a", 2), Entry("a", 1), Entry("other", 1)});
  EXPECT_THAT(Value(store().AuditEntries()), IsEmpty());
  Found("a", 9, {DriftItem{}});
  Found("b", 9, {DriftItem{}});
  EXPECT_THAT(Value(store().AuditEntries()),
              ElementsAre(Entry("a", 1), Entry("a", 2), Entry("b", 3)));
}

TEST_F(StoreAudit, AnEntryThatIsReadAgainIsTheSame) {
  Found("a", 9, {DriftItem{}});
  AuditEntry again = Entry("a", 1);
  again.source = "copy.json:7";
  Write({Entry("a", 1), again});
  Write({again, Entry("a", 1, "another")});
  EXPECT_THAT(Value(store().AuditEntries()), ElementsAre(Entry("a", 1, "another"), Entry("a", 1)));
}

TEST_F(StoreAudit, OldEntriesStayAsLongAsDriftOfTheirTarget) {
  Found("a", 1, {DriftItem{}});
  Write({Entry("a", 1), Entry("b", 1), Entry("b", 5)});
  ASSERT_THAT(store().Retain(At(3), 10), IsOk());
  Found("b", 9, {DriftItem{}});
  EXPECT_THAT(Value(store().AuditEntries()), ElementsAre(Entry("a", 1), Entry("b", 5)));
}

TEST_F(StoreAudit, FilesAreRememberedAndForgotten) {
  StoreChange change;
  change.upsert_audit_files = {{"b.json", 7, 100, 3}, {"a.json", 8, 200, 4}};
  ASSERT_THAT(store().Apply(change), IsOk());
  change.forget_audit_files = {"a.json"};
  change.upsert_audit_files = {{"b.json", 9, 50, 1}};
  ASSERT_THAT(store().Apply(change), IsOk());
  Reopen();
  EXPECT_THAT(Value(store().AuditFiles()), ElementsAre(AuditFile{"b.json", 9, 50, 1}));
}

TEST_F(StoreAudit, DriftRemembersTheReadingBeforeIt) {
  Found("never", 5, {DriftItem{}});
  read_before_ = At(2);
  Found("a", 5, {DriftItem{}});
  read_before_ = At(5);
  Found("a", 8, {DriftItem{}});
  const auto records = Value(store().Drift({}));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].read_before, std::nullopt);
  EXPECT_EQ(records[1].read_before, At(2)) << "of when it was found, not of when it was seen again";
}

}  // namespace
}  // namespace bindery
