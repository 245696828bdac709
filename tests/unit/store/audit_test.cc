// What audit logs tell, and how far they were read.

#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::PolicyTarget;
using ::testing::SizeIs;
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

  [[nodiscard]] std::vector<AuditEntry> Read(const std::string& target) {
    return Value(store().AuditEntries({PolicyTarget(target).name, {}, At(100)}));
  }

  std::optional<WallTime> read_before_;
};

TEST_F(StoreAudit, EntriesOfATargetComeBackAsTheyWere) {
  Write({Entry("b", 3), Entry("a", 2), Entry("a", 1), Entry("other", 1)});
  EXPECT_THAT(Read("a"), ElementsAre(Entry("a", 1), Entry("a", 2)));
  EXPECT_THAT(Read("none"), IsEmpty());
}

TEST_F(StoreAudit, EntriesOfATimeAreTheOnesWithin) {
  Write({Entry("a", 1), Entry("a", 2), Entry("a", 3), Entry("a", 4)});
  const std::string name = PolicyTarget("a").name;
  EXPECT_THAT(Value(store().AuditEntries({name, At(2), At(3)})),
              ElementsAre(Entry("a", 2), Entry("a", 3)));
  EXPECT_THAT(Value(store().AuditEntries({name, {}, At(9), 1})), ElementsAre(Entry("a", 1)));
}

TEST_F(StoreAudit, MoreThanCanBeHeldIsAnError) {
  AuditEntry large = Entry("a", 1);
  large.grants = {{{std::string(9U << 20U, 'r'), "user:a"}, true}};
  AuditEntry another = large;
  another.id = "another";
  Write({large});
  EXPECT_THAT(Read("a"), SizeIs(1));
  Write({another});
  EXPECT_EQ(store().AuditEntries({PolicyTarget("a").name, {}, At(9)}).error().code,
            Code::kResourceExhausted);
}

TEST_F(StoreAudit, AnEntryThatIsReadAgainIsTheSame) {
  Found("a", 9, {DriftItem{}});
  AuditEntry again = Entry("a", 1);
  again.source = "copy.json:7";
  Write({Entry("a", 1), again});
  Write({again, Entry("a", 1, "another")});
  EXPECT_THAT(Read("a"), ElementsAre(Entry("a", 1, "another"), Entry("a", 1)));
}

TEST_F(StoreAudit, OldEntriesStayAsLongAsDriftOfTheirTarget) {
  Found("a", 1, {DriftItem{}});
  Write({Entry("a", 1), Entry("b", 1), Entry("b", 5)});
  ASSERT_THAT(store().Retain(At(3), 10), IsOk());
  Found("b", 9, {DriftItem{}});
  EXPECT_THAT(Read("a"), ElementsAre(Entry("a", 1)));
  EXPECT_THAT(Read("b"), ElementsAre(Entry("b", 5)));
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
}  // namespace bindery::store
