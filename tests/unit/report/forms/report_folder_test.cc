// The folder of drift reports, on a real disk.

#include "report/forms/report_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zstd.h>

#include <algorithm>

#include "core/text/time_text.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::report {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

/// A report of one difference, which may be readable only so often.
class Document final : public DriftDocument {
 public:
  explicit Document(const std::string& time, int readings = 100)
      : entries_(1), readings_(readings) {
    head_.generated_at = ParseRfc3339(time).value();
  }

  [[nodiscard]] const DriftHead& head() const override { return head_; }
  [[nodiscard]] const Entries& entries() const override { return entries_; }
  [[nodiscard]] bool attributed() const override { return false; }
  Expected<void> Each(const Entries& /*entries*/, const TakeItem& take) override {
    if (readings_-- == 0) return Fail(Code::kInternal, "the store is damaged");
    take(DriftReportItem());
    return {};
  }

 private:
  DriftHead head_;
  Entries entries_;
  int readings_;
};

Expected<void> WriteAt(const std::string& time, const ReportFolder& folder) {
  Document document(time);
  return folder.Write(document);
}

class ReportFolderTest : public ::testing::Test {
 protected:
  [[nodiscard]] ReportFolder Folder(std::vector<ReportFormat> formats = {ReportFormat::kJson},
                                    int keep = 30) const {
    return ReportFolder({.directory = dir_.path() / "a" / "reports",
                         .formats = std::move(formats),
                         .keep = keep,
                         .version = "1"});
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
  ASSERT_THAT(WriteAt("2026-11-21T11:30:00.000Z", Folder()), IsOk());
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
  ASSERT_THAT(WriteAt("2026-11-21T11:30:00.123Z", folder), IsOk());
  ASSERT_THAT(WriteAt("2026-11-21T11:30:00.124Z", folder), IsOk());
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
    ASSERT_THAT(WriteAt("2026-11-21T11:30:" + std::string(second) + ".000Z", folder), IsOk());
  }
  EXPECT_THAT(Names(),
              ElementsAre("drift-2026-11-20T110000.000Z.html", "drift-2026-11-21T113003.000Z.json",
                          "drift-2026-11-21T113004.000Z.json", "drift-notes.json", "latest.json"));
}

TEST_F(ReportFolderTest, WhatAKilledWriterLeftIsCleared) {
  dir_.Write("a/reports/.drift-2026-11-21T113000.000Z.json", R"({"vers)");
  EXPECT_EQ(Folder().Newest(), std::nullopt) << "half a report is none";
  ASSERT_THAT(WriteAt("2026-11-21T11:31:00.000Z", Folder()), IsOk());
  EXPECT_THAT(Names(), ElementsAre("drift-2026-11-21T113100.000Z.json", "latest.json"));
}

TEST_F(ReportFolderTest, TheOldestGoWhenAllOfThemAreTooLarge) {
  ReportFolder::Options options = Folder({ReportFormat::kJson, ReportFormat::kCsv}).options();
  ASSERT_THAT(WriteAt("2026-11-21T11:30:01.000Z", ReportFolder(options)), IsOk());
  std::uintmax_t size = 0;
  for (const char* form : {"json", "csv"}) size += Read(std::string("latest.") + form).size();
  options.max_bytes = 3 * size - 1;
  for (const char* second : {"02", "03"}) {
    ASSERT_THAT(WriteAt("2026-11-21T11:30:" + std::string(second) + ".000Z", ReportFolder(options)),
                IsOk());
  }
  EXPECT_THAT(Names(),
              ElementsAre("drift-2026-11-21T113001.000Z.json", "drift-2026-11-21T113002.000Z.csv",
                          "drift-2026-11-21T113002.000Z.json", "drift-2026-11-21T113003.000Z.csv",
                          "drift-2026-11-21T113003.000Z.json", "latest.csv", "latest.json"));
  options.max_bytes = 1;
  ASSERT_THAT(WriteAt("2026-11-21T11:30:04.000Z", ReportFolder(options)), IsOk());
  EXPECT_THAT(Names(),
              ElementsAre("drift-2026-11-21T113004.000Z.csv", "drift-2026-11-21T113004.000Z.json",
                          "latest.csv", "latest.json"))
      << "the newest stays";
}

TEST_F(ReportFolderTest, AllButTheNewestAreCompressedWhereTheyAreLarge) {
  ReportFolder::Options options = Folder({ReportFormat::kJson}, /*keep=*/2).options();
  ASSERT_THAT(WriteAt("2026-11-21T11:30:01.000Z", ReportFolder(options)), IsOk());
  const std::string first = Read("latest.json");
  options.pack_from = first.size();
  ASSERT_THAT(WriteAt("2026-11-21T11:30:02.000Z", ReportFolder(options)), IsOk());
  EXPECT_THAT(Names(), ElementsAre("drift-2026-11-21T113001.000Z.json.zst",
                                   "drift-2026-11-21T113002.000Z.json", "latest.json"));
  const std::string packed = Read("drift-2026-11-21T113001.000Z.json.zst");
  std::string unpacked(2 * first.size(), '\0');
  unpacked.resize(ZSTD_decompress(unpacked.data(), unpacked.size(), packed.data(), packed.size()));
  EXPECT_EQ(unpacked, first);
  options.pack_from = 1UL << 20;
  ASSERT_THAT(WriteAt("2026-11-21T11:30:03.000Z", ReportFolder(options)), IsOk());
  EXPECT_THAT(Names(), ElementsAre("drift-2026-11-21T113002.000Z.json",
                                   "drift-2026-11-21T113003.000Z.json", "latest.json"))
      << "a compressed one counts as one of its form, and a small one stays as it is";
}

TEST_F(ReportFolderTest, WhatAKilledWriterLeftIsClearedWithoutAReport) {
  dir_.Write("a/reports/.drift-2026-11-21T113000.000Z.json", R"({"vers)");
  dir_.Write("a/reports/.latest.json", "");
  dir_.Write("a/reports/.mine", "");
  Folder().RemoveUnfinished();
  EXPECT_THAT(Names(), ElementsAre(".mine"));
}

TEST_F(ReportFolderTest, OfADroppedReportNothingIsLeft) {
  const std::atomic<bool> dropped = true;
  ASSERT_THAT(WriteAt("2026-11-21T11:31:00.000Z", Folder()), IsOk());
  ReportFolder::Options options = Folder().options();
  options.dropped = &dropped;
  EXPECT_THAT(WriteAt("2026-11-21T11:32:00.000Z", ReportFolder(options)),
              FailsWith(Code::kCancelled, HasSubstr("dropped")));
  EXPECT_THAT(Names(), ElementsAre("drift-2026-11-21T113100.000Z.json", "latest.json"));
}

TEST_F(ReportFolderTest, LatestOfAFormThatIsNotWrittenAnyMoreGoes) {
  ASSERT_THAT(
      WriteAt("2026-11-21T11:31:00.000Z", Folder({ReportFormat::kJson, ReportFormat::kCsv})),
      IsOk());
  ASSERT_THAT(WriteAt("2026-11-21T11:32:00.000Z", Folder()), IsOk());
  EXPECT_FALSE(fs::is_symlink(dir_.path() / "a/reports/latest.csv"));
  EXPECT_EQ(Names().size(), 4U);
}

TEST_F(ReportFolderTest, WithoutFormsNothingIsWritten) {
  ASSERT_THAT(WriteAt("2026-11-21T11:31:00.000Z", Folder({})), IsOk());
  EXPECT_FALSE(fs::exists(dir_.path() / "a"));
}

TEST_F(ReportFolderTest, AFolderThatCannotBeMadeIsNamed) {
  dir_.Write("a", "a file");
  EXPECT_THAT(WriteAt("2026-11-21T11:31:00.000Z", Folder()),
              FailsWith(Code::kFailedPrecondition, HasSubstr("a/reports\" cannot be made")));
}

TEST_F(ReportFolderTest, AReportThatCannotBeReadForEveryFormIsNotThere) {
  ASSERT_THAT(WriteAt("2026-11-21T11:31:00.000Z", Folder()), IsOk());
  Document damaged("2026-11-21T11:32:00.000Z", /*readings=*/1);
  EXPECT_THAT(Folder({ReportFormat::kJson, ReportFormat::kCsv}).Write(damaged),
              FailsWith(Code::kInternal, HasSubstr("damaged")));
  EXPECT_THAT(Names(), ElementsAre("drift-2026-11-21T113100.000Z.json", "latest.json"));
}

TEST_F(ReportFolderTest, TheyAreNotForEverybody) {
  ASSERT_THAT(WriteAt("2026-11-21T11:31:00.000Z", Folder()), IsOk());
  struct ::stat status {};
  ASSERT_EQ(::stat((dir_.path() / "a/reports/latest.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07U, 0U);
}

}  // namespace
}  // namespace bindery::report
