// Audit logs on their way from the folder into the store.

#include "app/audit_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/time_text.h"
#include "fakes/fake_writer.h"
#include "support/temp_dir.h"

namespace bindery {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FixedClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override {
    return ParseRfc3339("2026-11-21T12:00:00Z").value();
  }
  [[nodiscard]] MonoTime Mono() const override { return {}; }
};

std::string Line(const std::string& id, const std::string& time) {
  return Json{{"insertId", id},
              {"timestamp", time},
              {"protoPayload",
               {{"methodName", "SetIamPolicy"},
                {"resourceName", "projects/p/locations/l/authorizationPolicies/a"}}}}
             .dump() +
         "\n";
}

class FakeProgress final : public AuditProgress {
 public:
  explicit FakeProgress(const testing::FakeWriter& writer) : writer_(writer) {}
  [[nodiscard]] Expected<std::vector<AuditFile>> AuditFiles() const override {
    std::vector<AuditFile> files;
    for (const auto& [path, file] : writer_.state.audit_files) files.push_back(file);
    return files;
  }

 private:
  const testing::FakeWriter& writer_;
};

class AuditFeedTest : public ::testing::Test {
 protected:
  AuditFeed::Settings Settings(const std::string& folder) {
    AttributionConfig attribution;
    if (!folder.empty()) attribution.directory = dir_.path() / folder;
    return {attribution, std::chrono::hours(24)};
  }
  void ReadNow(const std::string& folder = "logs") {
    AuditFeed(writer_, progress_, log_, metrics_, clock_, Settings(folder)).ReadNow();
  }
  [[nodiscard]] std::vector<std::string> Ids() const {
    std::vector<std::string> ids;
    for (const AuditEntry& entry : writer_.state.audit_entries) ids.push_back(entry.id);
    return ids;
  }

  testing::TempDir dir_;
  testing::FakeWriter writer_;
  FakeProgress progress_{writer_};
  FixedClock clock_;
  std::string logged_;
  Logger log_{{.format = LogFormat::kText,
               .level = LogLevel::kInfo,
               .sink = [this](std::string_view line) { logged_ += std::string(line) + "\n"; }}};
  Metrics metrics_{{{"K"}, "test"}};
};

TEST_F(AuditFeedTest, WhatIsNewAndNotTooOldIsTaken) {
  dir_.Write("logs/a.json", Line("old", "2026-11-20T11:59:59Z") +
                                Line("new", "2026-11-21T11:00:00Z") + "{}\nnone\n");
  ReadNow();
  EXPECT_THAT(Ids(), ElementsAre("new"));
  EXPECT_THAT(logged_, HasSubstr("a.json:4: is no JSON object"));
  const std::string metrics = metrics_.Render();
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_entries_total{result=\"kept\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_entries_total{result=\"ignored\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_entries_total{result=\"malformed\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_newest_entry_timestamp_seconds 1795258800\n"));
}

TEST_F(AuditFeedTest, WhatIsYetToHappenIsRefused) {
  dir_.Write("logs/a.json",
             Line("soon", "2026-11-21T12:10:00Z") + Line("later", "2026-11-21T12:10:01Z"));
  ReadNow();
  EXPECT_THAT(Ids(), ElementsAre("soon"));
  EXPECT_THAT(logged_, HasSubstr("a.json:2: is yet to happen"));
  const std::string metrics = metrics_.Render();
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_entries_total{result=\"kept\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("bindery_audit_entries_total{result=\"malformed\"} 1\n"));
}

TEST_F(AuditFeedTest, AnotherProcessGoesOnFromTheStore) {
  dir_.Write("logs/a.json", Line("a", "2026-11-21T11:00:00Z"));
  ReadNow();
  ReadNow();
  EXPECT_THAT(Ids(), ElementsAre("a"));
  dir_.Remove("logs/a.json");
  ReadNow();
  EXPECT_THAT(writer_.state.audit_files, IsEmpty());
}

TEST_F(AuditFeedTest, WithoutAFolderNothingIsRead) {
  ReadNow("");
  EXPECT_THAT(logged_, IsEmpty());
}

TEST_F(AuditFeedTest, AFolderThatIsNotThereIsSaidOnce) {
  AuditFeed feed(writer_, progress_, log_, metrics_, clock_, Settings("missing"));
  feed.ReadNow();
  feed.ReadNow();
  EXPECT_EQ(logged_.find("audit logs cannot be read"), logged_.rfind("audit logs cannot be read"));
  EXPECT_THAT(logged_, HasSubstr("audit logs cannot be read"));
}

TEST_F(AuditFeedTest, AFolderGivenLaterIsRead) {
  dir_.Write("logs/a.json", Line("a", "2026-11-21T11:00:00Z"));
  {
    AuditFeed feed(writer_, progress_, log_, metrics_, clock_, Settings(""));
    feed.Configure(Settings("logs"));
    feed.ReadNow();
  }
  EXPECT_THAT(Ids(), ElementsAre("a"));
}

}  // namespace
}  // namespace bindery
