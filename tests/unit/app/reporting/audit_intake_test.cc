// Audit logs on their way from the folder into the store.

#include "app/reporting/audit_intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "unit/app/audit_fixture.h"

namespace bindery::app {
namespace {

using testing::AuditLine;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::chrono::hours kDay(24);

/// A disk that is full at the first change.
class RefusesOnce final : public testing::FakeWriter {
 public:
  Expected<void> Apply(store::StoreChange change) override {
    if (std::exchange(refuses_, false)) return Fail(Code::kUnavailable, "disk full");
    return FakeWriter::Apply(std::move(change));
  }

 private:
  bool refuses_ = true;
};

class AuditIntakeTest : public testing::AuditTest {
 protected:
  /// Another process reads all that is new.
  void ReadNow() {
    AuditIntake intake(writer_, progress_, log_, metrics_, clock_);
    while (intake.ReadPiece(dir_.path() / "logs", kDay)) {
    }
  }
};

TEST_F(AuditIntakeTest, WhatIsNewAndNotTooOldIsTaken) {
  dir_.Write("logs/a.json", AuditLine("old", "2026-11-20T11:59:59Z") +
                                AuditLine("new", "2026-11-21T11:00:00Z") + "{}\nnone\n");
  ReadNow();
  EXPECT_THAT(Ids(), ElementsAre("new"));
  EXPECT_THAT(logged_, HasSubstr("a.json:4: is no JSON object"));
  const std::string metrics = metrics_.Render();
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_entries_total{result=\"kept\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_entries_total{result=\"ignored\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_entries_total{result=\"malformed\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_newest_entry_timestamp_seconds 1795258800\n"));
}

TEST_F(AuditIntakeTest, WhatIsYetToHappenIsRefused) {
  dir_.Write("logs/a.json", AuditLine("soon", "2026-11-21T12:10:00Z") +
                                AuditLine("later", "2026-11-21T12:10:01Z"));
  ReadNow();
  EXPECT_THAT(Ids(), ElementsAre("soon"));
  EXPECT_THAT(logged_, HasSubstr("a.json:2: is yet to happen"));
  const std::string metrics = metrics_.Render();
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_entries_total{result=\"kept\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_entries_total{result=\"malformed\"} 1\n"));
}

TEST_F(AuditIntakeTest, AnotherProcessGoesOnFromTheStore) {
  dir_.Write("logs/a.json", AuditLine("a", "2026-11-21T11:00:00Z"));
  ReadNow();
  ReadNow();
  EXPECT_THAT(Ids(), ElementsAre("a"));
  dir_.Remove("logs/a.json");
  ReadNow();
  EXPECT_THAT(writer_.state.audit_files, IsEmpty());
}

TEST_F(AuditIntakeTest, AFolderThatIsNotThereIsSaidOnce) {
  AuditIntake intake(writer_, progress_, log_, metrics_, clock_);
  EXPECT_FALSE(intake.ReadPiece(dir_.path() / "missing", kDay));
  EXPECT_FALSE(intake.ReadPiece(dir_.path() / "missing", kDay));
  EXPECT_EQ(logged_.find("audit logs cannot be read"), logged_.rfind("audit logs cannot be read"));
  EXPECT_THAT(logged_, HasSubstr("audit logs cannot be read"));
}

TEST_F(AuditIntakeTest, WhatTheStoreRefusedIsReadAgain) {
  dir_.Write("logs/a.json", AuditLine("a", "2026-11-21T11:00:00Z"));
  RefusesOnce writer;
  AuditIntake intake(writer, progress_, log_, metrics_, clock_);
  intake.ReadPiece(dir_.path() / "logs", kDay);
  EXPECT_THAT(logged_, HasSubstr("disk full"));
  intake.ReadPiece(dir_.path() / "logs", kDay);
  EXPECT_EQ(writer.state.audit_entries.size(), 1U);
  EXPECT_THAT(metrics_.Render(), HasSubstr("bindery_audit_entries_total{result=\"kept\"} 1\n"));
}

TEST_F(AuditIntakeTest, AnotherFolderIsReadFromItsStart) {
  dir_.Write("first/a.json", AuditLine("a", "2026-11-21T11:00:00Z"));
  dir_.Write("second/b.json", AuditLine("b", "2026-11-21T11:00:00Z"));
  AuditIntake intake(writer_, progress_, log_, metrics_, clock_);
  intake.ReadPiece(dir_.path() / "first", kDay);
  intake.ReadPiece(dir_.path() / "second", kDay);
  EXPECT_THAT(Ids(), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace bindery::app
