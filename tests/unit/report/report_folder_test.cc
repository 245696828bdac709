// The folder of drift reports, on a real disk.

#include "report/report_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "core/time_text.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

Json ReportOf(const std::string& time) {
  return {{"version", 1}, {"generatedAt", time}, {"items", Json::array()}};
}

class ReportFolderTest : public ::testing::Test {
 protected:
  [[nodiscard]] ReportFolder Folder(std::vector<ReportFormat> formats = {ReportFormat::kJson},
                                    int keep = 30) const {
    return ReportFolder({dir_.path() / "a" / "reports", std::move(formats), keep, "1"});
  }

  [[nodiscard]] std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(dir_.path() / "a" / "reports")) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  [[nodiscard]] std::string Read(const std::string& name) const {
    return dir_.Read("a/reports/" + name);
  }

  testing::TempDir dir_;
};

TEST_F(ReportFolderTest, AScopeIsComparedWithTheNewest) {
  DriftSettings settings;
  settings.directory = Folder().options().directory;
  settings.mode = Mode::kObserve;
  settings.expiring_within = std::chrono::hours(1);
  const WallTime now = ParseRfc3339("2026-11-21T12:00:00Z").value();
  EXPECT_EQ(DriftScopeAt(now, settings).previous, std::nullopt) << "there is no folder yet";
  ASSERT_THAT(Folder().Write(ReportOf("2026-11-21T11:30:00.000Z")), IsOk());
  const DriftScope scope = DriftScopeAt(now, settings);
  EXPECT_EQ(FormatRfc3339(scope.previous.value()), "2026-11-21T11:30:00.000Z");
  EXPECT_EQ(scope.now, now);
  EXPECT_EQ(scope.resolved_since, now - kRecentlyCorrected);
  EXPECT_EQ(scope.mode, Mode::kObserve);
  EXPECT_EQ(scope.expiring_within, std::chrono::hours(1));
}

TEST_F(ReportFolderTest, NamesAreDatedAndLatestIsTheNewest) {
  const ReportFolder folder = Folder({ReportFormat::kJson, ReportFormat::kMarkdown});
  EXPECT_EQ(folder.Newest(), std::nullopt);
  ASSERT_THAT(folder.Write(ReportOf("2026-11-21T11:30:00.123Z")), IsOk());
  ASSERT_THAT(folder.Write(ReportOf("2026-11-21T11:30:00.124Z")), IsOk());
  EXPECT_THAT(Names(),
              ElementsAre("drift-2026-11-21T113000.123Z.json", "drift-2026-11-21T113000.123Z.md",
                          "drift-2026-11-21T113000.124Z.json", "drift-2026-11-21T113000.124Z.md",
                          "latest.json", "latest.md"));
  EXPECT_EQ(FormatRfc3339(*folder.Newest()), "2026-11-21T11:30:00.124Z");
  EXPECT_EQ(Read("latest.json"), Read("drift-2026-11-21T113000.124Z.json"));
  EXPECT_EQ(fs::read_symlink(dir_.path() / "a/reports/latest.json"),
            "drift-2026-11-21T113000.124Z.json");
}

TEST_F(ReportFolderTest, OldOnesGoAndOtherFilesStay) {
  const ReportFolder folder = Folder({ReportFormat::kJson}, 2);
  dir_.Write("a/reports/drift-notes.json", "mine");
  dir_.Write("a/reports/drift-2026-11-20T110000.000Z.html", "of a form that is not written now");
  for (const char* second : {"01", "02", "03", "04"}) {
    ASSERT_THAT(folder.Write(ReportOf("2026-11-21T11:30:" + std::string(second) + ".000Z")),
                IsOk());
  }
  EXPECT_THAT(Names(),
              ElementsAre("drift-2026-11-20T110000.000Z.html", "drift-2026-11-21T113003.000Z.json",
                          "drift-2026-11-21T113004.000Z.json", "drift-notes.json", "latest.json"));
}

TEST_F(ReportFolderTest, WhatAKilledWriterLeftIsCleared) {
  dir_.Write("a/reports/.drift-2026-11-21T113000.000Z.json", R"({"vers)");
  EXPECT_EQ(Folder().Newest(), std::nullopt) << "half a report is none";
  ASSERT_THAT(Folder().Write(ReportOf("2026-11-21T11:31:00.000Z")), IsOk());
  EXPECT_THAT(Names(), ElementsAre("drift-2026-11-21T113100.000Z.json", "latest.json"));
}

TEST_F(ReportFolderTest, LatestOfAFormThatIsNotWrittenAnyMoreGoes) {
  ASSERT_THAT(
      Folder({ReportFormat::kJson, ReportFormat::kCsv}).Write(ReportOf("2026-11-21T11:31:00.000Z")),
      IsOk());
  ASSERT_THAT(Folder().Write(ReportOf("2026-11-21T11:32:00.000Z")), IsOk());
  EXPECT_FALSE(fs::is_symlink(dir_.path() / "a/reports/latest.csv"));
  EXPECT_EQ(Names().size(), 4U);
}

TEST_F(ReportFolderTest, WithoutFormsNothingIsWritten) {
  ASSERT_THAT(Folder({}).Write(ReportOf("2026-11-21T11:31:00.000Z")), IsOk());
  EXPECT_FALSE(fs::exists(dir_.path() / "a"));
}

TEST_F(ReportFolderTest, AFolderThatCannotBeMadeIsNamed) {
  dir_.Write("a", "a file");
  EXPECT_THAT(Folder().Write(ReportOf("2026-11-21T11:31:00.000Z")),
              FailsWith(Code::kFailedPrecondition, HasSubstr("a/reports\" cannot be made")));
}

TEST_F(ReportFolderTest, TheyAreNotForEverybody) {
  ASSERT_THAT(Folder().Write(ReportOf("2026-11-21T11:31:00.000Z")), IsOk());
  struct ::stat status {};
  ASSERT_EQ(::stat((dir_.path() / "a/reports/latest.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07U, 0U);
}

}  // namespace
}  // namespace bindery
