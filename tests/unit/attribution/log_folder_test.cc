#include "attribution/log_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "attribution/log_records.h"
#include "log_lines.h"
#include "providers/registry/providers.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::attribution {
namespace {

namespace fs = std::filesystem;
using bindery::testing::At;
using bindery::testing::IsOk;
using bindery::testing::LogLine;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string Line(const std::string& id) {
  Json line = LogLine("google.jsonl", 1);
  line["insertId"] = id;
  return line.dump() + "\n";
}

class LogFolderTest : public ::testing::Test {
 protected:
  Harvest Read() {
    auto harvest = folder_.Read();
    EXPECT_THAT(harvest, IsOk());
    for (const AuditFile& file : harvest->files) files_[file.path] = file;
    return std::move(*harvest);
  }
  std::vector<std::string> ReadIds() {
    std::vector<std::string> ids;
    for (const AuditEntry& entry : Read().entries) ids.push_back(entry.id);
    return ids;
  }
  void Append(const std::string& file, const std::string& text) const {
    std::ofstream(dir_ / file, std::ios::app | std::ios::binary) << text;
  }
  /// As another process would go on.
  void Restart() {
    std::vector<AuditFile> known;
    for (const auto& [path, file] : files_) known.push_back(file);
    folder_ = LogFolder(dir_.path(), std::move(known), providers::AuditLogReaders());
  }

  bindery::testing::TempDir dir_;
  LogFolder folder_{dir_.path(), {}, providers::AuditLogReaders()};
  std::map<std::string, AuditFile> files_;
};

TEST_F(LogFolderTest, EveryFileOfTheTreeIsReadOnce) {
  dir_.Write("b.jsonl", Line("b1") + Line("b2"));
  dir_.Write("activity/2026/11/21/00:00:00_00:59:59_S0.json", Line("a"));
  dir_.Write("c.ndjson", Line("c"));
  dir_.Write("d.txt", Line("d"));
  dir_.Write(".hidden/e.json", Line("e"));
  dir_.Write(".f.json", Line("f"));
  const Harvest harvest = Read();
  std::vector<std::string> places;
  for (const AuditEntry& entry : harvest.entries) places.push_back(entry.id + " " + entry.source);
  EXPECT_THAT(places, ElementsAre("a activity/2026/11/21/00:00:00_00:59:59_S0.json:1",
                                  "b1 b.jsonl:1", "b2 b.jsonl:2", "c c.ndjson:1"));
  EXPECT_EQ(harvest.newest, At("11:29:41.337"));
  EXPECT_THAT(Read().entries, IsEmpty());
}

TEST_F(LogFolderTest, HalfALineIsReadOnceItIsWhole) {
  const std::string line = Line("a");
  dir_.Write("a.json", line.substr(0, 100));
  Harvest harvest = Read();
  EXPECT_THAT(harvest.entries, IsEmpty());
  EXPECT_EQ(harvest.malformed, 0);
  Append("a.json", line.substr(100) + Line("b"));
  EXPECT_THAT(ReadIds(), ElementsAre("a", "b"));
}

TEST_F(LogFolderTest, ALastLineThatIsWholeNeedsNoEnd) {
  std::string line = Line("a");
  line.pop_back();
  dir_.Write("a.json", line);
  EXPECT_THAT(ReadIds(), ElementsAre("a"));
  Append("a.json", "\n" + Line("b"));
  EXPECT_THAT(ReadIds(), ElementsAre("b"));
}

TEST_F(LogFolderTest, AnArrayIsReadElementByElement) {
  const Json array = Json::array({*ParseJson(Line("a")), Json::object(), *ParseJson(Line("b"))});
  const std::string text = array.dump(2);
  dir_.Write("a.json", text.substr(0, text.size() / 2));
  EXPECT_THAT(ReadIds(), ElementsAre("a"));
  Append("a.json", text.substr(text.size() / 2));
  EXPECT_THAT(ReadIds(), ElementsAre("b"));
  EXPECT_THAT(ReadIds(), IsEmpty());
}

TEST_F(LogFolderTest, AnotherProcessGoesOnWhereReadingStopped) {
  dir_.Write("a.json", Line("a") + "none\n");
  EXPECT_THAT(ReadIds(), ElementsAre("a"));
  Restart();
  Append("a.json", Line("b"));
  const Harvest harvest = Read();
  ASSERT_EQ(harvest.entries.size(), 1U);
  EXPECT_EQ(harvest.entries[0].source, "a.json:3");
}

TEST_F(LogFolderTest, AReplacedOrShortenedFileIsReadAnew) {
  dir_.Write("a.json", Line("a") + Line("b"));
  EXPECT_THAT(ReadIds(), ElementsAre("a", "b"));
  dir_.Write("next.txt", Line("c") + Line("d") + Line("e"));
  fs::rename(dir_ / "a.json", dir_ / "a-1.json");
  fs::rename(dir_ / "next.txt", dir_ / "a.json");
  EXPECT_THAT(ReadIds(), ElementsAre("a", "b", "c", "d", "e")) << "under their names now";
  dir_.Write("a.json", Line("f"));
  EXPECT_THAT(ReadIds(), ElementsAre("f"));
}

TEST_F(LogFolderTest, AFileThatIsWrittenAnewInItsPlaceIsReadAnew) {
  dir_.Write("a.json", Line("a") + Line("b"));
  EXPECT_THAT(ReadIds(), ElementsAre("a", "b"));
  dir_.Write("a.json", Line("c") + Line("d"));
  fs::last_write_time(dir_ / "a.json", fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_THAT(ReadIds(), ElementsAre("c", "d")) << "as long as before";
  dir_.Write("a.json", Line("a longer one") + Line("e") + Line("f"));
  EXPECT_THAT(ReadIds(), ElementsAre("a longer one", "e", "f"));
  EXPECT_THAT(ReadIds(), IsEmpty());
}

TEST_F(LogFolderTest, ARecordWithoutAnEndIsCountedOnceAndPassedOver) {
  const std::string endless(RecordCutter::kLongestRecord, 'x');
  dir_.Write("a.json", Line("a") + endless + endless);
  dir_.Write("b.json", "[" + Line("b") + R"(,{"x": ")" + endless + endless);
  Harvest harvest = Read();
  EXPECT_EQ(harvest.entries.size(), 2U);
  EXPECT_EQ(harvest.malformed, 2);
  for (int i = 0; i < 2; ++i) {
    Append("a.json", endless);
    Append("b.json", endless);
    harvest = Read();
    EXPECT_EQ(harvest.malformed, 0);
    ASSERT_EQ(harvest.files.size(), 2U);
    EXPECT_EQ(harvest.files[0].offset, static_cast<std::int64_t>(fs::file_size(dir_ / "a.json")));
    EXPECT_EQ(harvest.files[1].offset, static_cast<std::int64_t>(fs::file_size(dir_ / "b.json")));
  }
  Append("a.json", "\n" + Line("c"));
  Append("b.json", R"(", "y": {}},)" + Line("d") + "]");
  EXPECT_THAT(ReadIds(), ElementsAre("c", "d"));
}

TEST_F(LogFolderTest, AFileThatCannotBeReadIsSaidOnceAndTriedAgain) {
  fs::create_symlink("/proc/self/mem", dir_ / "a.json");
  EXPECT_THAT(Read().complaints, ElementsAre("a.json: cannot be read"));
  EXPECT_THAT(Read().complaints, IsEmpty());
  fs::remove(dir_ / "a.json");
  dir_.Write("a.json", Line("a"));
  EXPECT_THAT(ReadIds(), ElementsAre("a"));
}

TEST_F(LogFolderTest, AFileThatCannotBeOpenedYetIsReadOnceItCan) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  dir_.Write("a.json", Line("a"));
  fs::permissions(dir_ / "a.json", fs::perms::none);
  EXPECT_THAT(Read().complaints, ElementsAre("a.json: cannot be read"));
  EXPECT_THAT(Read().complaints, IsEmpty());
  fs::permissions(dir_ / "a.json", fs::perms::owner_all);
  EXPECT_THAT(ReadIds(), ElementsAre("a"));
}

TEST_F(LogFolderTest, AFolderBelowThatCannotBeListedIsPassedOver) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  dir_.Write("a.json", Line("a"));
  dir_.Write("lost+found/b.json", Line("b"));
  fs::permissions(dir_ / "lost+found", fs::perms::none);
  const Harvest harvest = Read();
  EXPECT_EQ(harvest.entries.size(), 1U);
  EXPECT_THAT(harvest.complaints, ElementsAre(HasSubstr("lost+found: cannot be listed")));
  EXPECT_THAT(Read().complaints, IsEmpty());
  fs::permissions(dir_ / "lost+found", fs::perms::owner_all);
  EXPECT_THAT(ReadIds(), ElementsAre("b"));
}

TEST_F(LogFolderTest, AFileThatIsGoneIsForgotten) {
  dir_.Write("a.json", Line("a"));
  EXPECT_THAT(Read().gone, IsEmpty());
  fs::remove(dir_ / "a.json");
  EXPECT_THAT(Read().gone, ElementsAre("a.json"));
  EXPECT_THAT(Read().gone, IsEmpty());
}

TEST_F(LogFolderTest, WhatIsNoEntryIsCountedAndSaidOnceAFile) {
  dir_.Write("a.json", "{}\nnone\nnone either\n" + Line("a"));
  dir_.Write("b.json", std::string(RecordCutter::kLongestRecord + 1, 'x') + "\n" + Line("b"));
  const Harvest harvest = Read();
  EXPECT_EQ(harvest.entries.size(), 2U);
  EXPECT_EQ(harvest.ignored, 1);
  EXPECT_EQ(harvest.malformed, 3);
  EXPECT_THAT(harvest.complaints, ElementsAre("a.json:2: is no JSON object",
                                              "b.json:1: is longer than an entry can be"));
  Append("a.json", "none\n");
  const Harvest more = Read();
  EXPECT_EQ(more.malformed, 1);
  EXPECT_THAT(more.complaints, IsEmpty());
}

TEST_F(LogFolderTest, MuchIsBroughtInPieces) {
  std::string text;
  for (int i = 0; i < 2500; ++i) text += Line(std::to_string(i));
  dir_.Write("a.json", text);
  std::size_t count = 0;
  int looks = 0;
  for (bool more = true; more; ++looks) {
    const Harvest harvest = Read();
    count += harvest.entries.size();
    more = harvest.more;
  }
  EXPECT_EQ(count, 2500U);
  EXPECT_GT(looks, 1);
}

TEST_F(LogFolderTest, LargePoliciesAreBroughtInSmallerPieces) {
  Json line = LogLine("google.jsonl", 2);
  Json& binding = line["protoPayload"]["request"]["policy"]["bindings"][0];
  binding["role"] = std::string(10'000, 'r');
  binding["members"] = std::vector<std::string>(26, "user:ana@example.com");
  std::string text;
  for (int i = 0; i < 400; ++i) {
    line["insertId"] = std::to_string(i);
    text += line.dump() + "\n";
  }
  dir_.Write("a.json", text);
  Harvest harvest = Read();
  EXPECT_TRUE(harvest.more);
  EXPECT_LT(harvest.grant_bytes, 80U << 20U);
  const std::size_t first = harvest.entries.size();
  harvest = Read();
  EXPECT_EQ(first + harvest.entries.size(), 400U);
}

TEST(LogFolder, ThatIsNotThereIsAnError) {
  LogFolder folder("/nonexistent", {}, providers::AuditLogReaders());
  EXPECT_THAT(folder.Read(), Not(IsOk()));
}

}  // namespace
}  // namespace bindery::attribution
