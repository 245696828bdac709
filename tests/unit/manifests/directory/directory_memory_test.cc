// What scans tell of one another, and what an earlier run knew.

#include "manifests/directory/directory.h"
#include "unit/manifests/directory_fixture.h"

namespace bindery::manifests {
namespace {

using ::bindery::testing::DirectoryTest;
using ::bindery::testing::FailsWith;
using ::bindery::testing::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What a caller keeps that does as it is told.
class Memory {
 public:
  void Take(const DirectoryScan& scan) {
    for (const std::string& path : scan.unremember) EXPECT_EQ(kept_.erase(path), 1U) << path;
    for (const DirectoryScan::Remembered& file : scan.remember) {
      EXPECT_EQ(file.stamp.size(), 40U);
      kept_[file.content->path] = {file.stamp, file.content};
    }
  }
  [[nodiscard]] std::vector<KnownFile> files() const {
    std::vector<KnownFile> files;
    for (const auto& [path, file] : kept_) files.push_back(file);
    return files;
  }
  [[nodiscard]] std::vector<std::string> paths() const {
    std::vector<std::string> paths;
    for (const auto& [path, file] : kept_) paths.push_back(path);
    return paths;
  }

 private:
  std::map<std::string, KnownFile> kept_;
};

class DirectoryMemoryTest : public DirectoryTest {
 protected:
  void SetUp() override {
    temp_.Write("m/a.yaml", "one");
    temp_.Write("m/b.yaml", "two");
    temp_.Write("m/team/c.yaml", "three");
    temp_.Write("m/team-d.yaml", "four");
  }
};

TEST_F(DirectoryMemoryTest, WhatIsListedAheadIsForOneScanOnly) {
  DirectorySource source = TrustingSource();
  source.ListAhead();
  const auto first = source.Scan(true);
  ASSERT_THAT(first, IsOk());
  EXPECT_EQ(first->files.size(), 4U);
  temp_.Write("m/e.yaml", "five");
  const auto second = source.Scan(true);
  ASSERT_THAT(second, IsOk());
  EXPECT_THAT(ChangedIn(*second), ElementsAre("e.yaml"));
}

TEST_F(DirectoryMemoryTest, WhatHintsTellIsNotLookedUpInWhatWasListedAhead) {
  DirectorySource source = TrustingSource();
  source.ListAhead();
  temp_.Write("m/e.yaml", "five");
  const auto scan = source.ScanHinted({"e.yaml"});
  ASSERT_THAT(scan, IsOk());
  EXPECT_EQ(scan->files.size(), 5U);
}

TEST_F(DirectoryMemoryTest, TheFirstScanTellsOfEveryFile) {
  DirectorySource source = TrustingSource();
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(ChangedIn(*scan), ElementsAre("a.yaml", "b.yaml", "team-d.yaml", "team/c.yaml"));
  EXPECT_THAT(scan->gone, IsEmpty());
  EXPECT_EQ(RememberedIn(*scan).size(), 4U);
  EXPECT_THAT(scan->unremember, IsEmpty());
}

TEST_F(DirectoryMemoryTest, LaterOnesTellOfWhatIsDifferent) {
  DirectorySource source = TrustingSource();
  ASSERT_THAT(source.Scan(true), IsOk());
  const auto same = source.Scan(true);
  EXPECT_THAT(ChangedIn(*same), IsEmpty());
  EXPECT_THAT(RememberedIn(*same), IsEmpty());

  temp_.Write("m/b.yaml", "changed");
  temp_.Write("m/new.yaml", "five");
  temp_.Remove("m/team");
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(ChangedIn(*scan), ElementsAre("b.yaml", "new.yaml"));
  EXPECT_THAT(scan->gone, ElementsAre("team/c.yaml"));
  EXPECT_THAT(RememberedIn(*scan), ElementsAre("b.yaml", "new.yaml"));
  EXPECT_THAT(scan->unremember, ElementsAre("team/c.yaml"));
}

TEST_F(DirectoryMemoryTest, WhatIsNotSettledIsToldWithTheScanThatIs) {
  DirectorySource source = TrustingSource();
  ASSERT_THAT(source.Scan(true), IsOk());
  temp_.Write("m/b.yaml", "changed");
  temp_.Remove("m/a.yaml");
  const auto doubtful = source.Scan(false);
  ASSERT_FALSE(doubtful->settled);
  EXPECT_THAT(ChangedIn(*doubtful), IsEmpty());
  EXPECT_THAT(doubtful->gone, IsEmpty());
  EXPECT_THAT(RememberedIn(*doubtful), IsEmpty());
  EXPECT_THAT(doubtful->unremember, IsEmpty());
  const auto scan = source.Scan(false);
  ASSERT_TRUE(scan->settled);
  EXPECT_THAT(ChangedIn(*scan), ElementsAre("b.yaml"));
  EXPECT_THAT(scan->gone, ElementsAre("a.yaml"));
  EXPECT_THAT(RememberedIn(*scan), ElementsAre("b.yaml"));
  EXPECT_THAT(scan->unremember, ElementsAre("a.yaml"));
}

TEST_F(DirectoryMemoryTest, NothingIsLostByScansThatFail) {
  DirectorySource source = TrustingSource();
  Memory memory;
  memory.Take(*source.Scan(true));
  source.CallBeforeLookingAgain([&] { temp_.Write("m/x.yaml", "five"); });
  temp_.Write("m/b.yaml", "changed");
  temp_.Remove("m/a.yaml");
  temp_.Remove("m/team-d.yaml");
  ASSERT_FALSE(source.Scan(true));
  source.CallBeforeLookingAgain(nullptr);
  temp_.Write("m/team-d.yaml", "back");
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(ChangedIn(*scan), ElementsAre("b.yaml", "team-d.yaml", "x.yaml"));
  EXPECT_THAT(scan->gone, ElementsAre("a.yaml"));
  EXPECT_THAT(scan->unremember, ElementsAre("a.yaml"));
  memory.Take(*scan);
  EXPECT_THAT(memory.paths(), ElementsAre("b.yaml", "team-d.yaml", "team/c.yaml", "x.yaml"));
}

TEST_F(DirectoryMemoryTest, OnlyWhatItsStampVouchesForIsRemembered) {
  DirectorySource source = Source();
  EXPECT_THAT(RememberedIn(*source.Scan(true)), IsEmpty()) << "all of it was written just now";
  Memory memory;
  DirectorySource trusting = TrustingSource();
  memory.Take(*trusting.Scan(true));
  DirectorySource wary = Source();
  wary.Seed(memory.files());
  temp_.Write("m/b.yaml", "changed");
  const auto scan = wary.Scan(true);
  EXPECT_THAT(scan->unremember, ElementsAre("b.yaml"));
  EXPECT_THAT(RememberedIn(*scan), IsEmpty());
}

TEST_F(DirectoryMemoryTest, WhatCannotBeReadIsGoneAndBroken) {
  DirectorySource source = TrustingSource();
  ASSERT_THAT(source.Scan(true), IsOk());
  temp_.Write("m/b.yaml", "throw");
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(scan->gone, ElementsAre("b.yaml"));
  EXPECT_THAT(scan->broken, ElementsAre("b.yaml"));
  EXPECT_THAT(scan->unremember, ElementsAre("b.yaml"));
  temp_.Write("m/b.yaml", "two");
  const auto mended = source.Scan(true);
  EXPECT_THAT(ChangedIn(*mended), ElementsAre("b.yaml"));
  EXPECT_THAT(RememberedIn(*mended), ElementsAre("b.yaml"));
}

TEST_F(DirectoryMemoryTest, HintedScansTellTheSame) {
  DirectorySource source = TrustingSource();
  Memory memory;
  memory.Take(*source.Scan(true));
  temp_.Write("m/b.yaml", "changed");
  temp_.Remove("m/a.yaml");
  const auto scan = source.ScanHinted({"a.yaml", "b.yaml"});
  ASSERT_FALSE(scan->complete);
  EXPECT_THAT(RememberedIn(*scan), ElementsAre("b.yaml"));
  EXPECT_THAT(scan->unremember, ElementsAre("a.yaml"));
  memory.Take(*scan);
  memory.Take(*source.Scan(true));
  EXPECT_THAT(memory.paths(), ElementsAre("b.yaml", "team-d.yaml", "team/c.yaml"));
}

TEST_F(DirectoryMemoryTest, ARestartWithNothingChangedOpensNoFile) {
  Memory memory;
  const auto before = TrustingSource().Scan(true);
  memory.Take(*before);
  const int loads = loads_;
  DirectorySource source = Source();
  source.Seed(memory.files());
  const auto scan = source.Scan(false);
  ASSERT_THAT(scan, IsOk());
  EXPECT_TRUE(scan->settled) << "it is as it was";
  EXPECT_EQ(loads_, loads);
  EXPECT_EQ(scan->parsed, 0U);
  EXPECT_EQ(scan->files, before->files);
  EXPECT_EQ(scan->digest, before->digest);
  EXPECT_THAT(ChangedIn(*scan), IsEmpty());
  EXPECT_THAT(scan->gone, IsEmpty());
  EXPECT_THAT(RememberedIn(*scan), IsEmpty());
  EXPECT_THAT(scan->unremember, IsEmpty());
}

TEST_F(DirectoryMemoryTest, TheSumOfASeedIsTakenWhereItIsOfAllOfIt) {
  Memory memory;
  const auto before = TrustingSource().Scan(true);
  memory.Take(*before);
  DigestSum sum;
  for (const KnownFile& file : memory.files()) sum.Add(MakeDigest(*file.content));
  DirectorySource source = Source();
  source.SeedAhead(memory.files(), sum);
  EXPECT_EQ(source.Scan(true)->digest, before->digest);
  temp_.Remove("m/a.yaml");
  EXPECT_EQ(source.Scan(true)->digest, Source().Scan(true)->digest);

  std::vector<KnownFile> files = memory.files();
  files.front().stamp.pop_back();
  DirectorySource other = Source();
  other.Seed(std::move(files), sum);
  EXPECT_EQ(other.Scan(true)->digest, Source().Scan(true)->digest);
}

TEST_F(DirectoryMemoryTest, WhatAFailedScanReadIsToldByTheNextOne) {
  DirectorySource source = TrustingSource();
  ASSERT_THAT(source.Scan(true), IsOk());
  temp_.Write("m/b.yaml", "changed");
  source.CallBeforeLookingAgain([this] { temp_.Write("m/late.yaml", "five"); });
  ASSERT_THAT(source.Scan(true), FailsWith(Code::kAborted, HasSubstr("changed while it was read")));
  source.CallBeforeLookingAgain({});
  temp_.Remove("m/late.yaml");
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_EQ(scan->parsed, 0U) << "it was read by the scan before";
  EXPECT_THAT(ChangedIn(*scan), ElementsAre("b.yaml"));
  EXPECT_EQ(scan->digest, Source().Scan(true)->digest);
}

TEST_F(DirectoryMemoryTest, ARestartReadsWhatChangedMeanwhile) {
  Memory memory;
  memory.Take(*TrustingSource().Scan(true));
  temp_.Write("m/b.yaml", "changed");
  temp_.Write("m/new.yaml", "five");
  temp_.Remove("m/a.yaml");
  const int loads = loads_;
  DirectorySource source = TrustingSource();
  source.Seed(memory.files());
  const auto scan = source.Scan(false);
  ASSERT_THAT(scan, IsOk());
  EXPECT_FALSE(scan->settled);
  EXPECT_EQ(loads_ - loads, 2);
  const auto settled = source.Scan(false);
  EXPECT_THAT(ChangedIn(*settled), ElementsAre("b.yaml", "new.yaml"));
  EXPECT_THAT(settled->gone, ElementsAre("a.yaml"));
  EXPECT_THAT(RememberedIn(*settled), ElementsAre("b.yaml", "new.yaml"));
  EXPECT_THAT(settled->unremember, ElementsAre("a.yaml"));
  EXPECT_EQ(settled->digest, Source().Scan(true)->digest);
}

TEST_F(DirectoryMemoryTest, AMovedTreeMissesItsSeedButIsNotLoadedAgain) {
  Memory memory;
  memory.Take(*TrustingSource().Scan(true));
  std::filesystem::copy(root_, temp_ / "copy", std::filesystem::copy_options::recursive);
  const int loads = loads_;
  DirectorySource source = Source(Settings(temp_ / "copy"));
  source.Seed(memory.files());
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_EQ(loads_, loads) << "the bytes are the same";
  EXPECT_THAT(ChangedIn(*scan), IsEmpty());
  EXPECT_EQ(scan->unremember.size(), 4U);
}

TEST_F(DirectoryMemoryTest, AStampThatIsNoneIsOfNoUse) {
  Memory memory;
  memory.Take(*TrustingSource().Scan(true));
  std::vector<KnownFile> files = memory.files();
  for (KnownFile& file : files) file.stamp.pop_back();
  files.push_back({std::string(40, 'x'), nullptr});
  const int loads = loads_;
  DirectorySource source = Source();
  source.Seed(std::move(files));
  EXPECT_THAT(source.Scan(true), IsOk());
  EXPECT_EQ(loads_ - loads, 4);
}

TEST_F(DirectoryMemoryTest, TheDigestDependsOnEveryFileAndNotOnTheWayToIt) {
  DirectorySource source = Source();
  const std::string first = source.Scan(true)->digest;
  std::set<std::string> seen = {first};
  const auto scan = [&] { return source.Scan(true)->digest; };
  temp_.Write("m/team/c.yaml", "other");
  EXPECT_TRUE(seen.insert(scan()).second) << "other bytes";
  std::filesystem::rename(root_ + "/a.yaml", root_ + "/e.yaml");
  EXPECT_TRUE(seen.insert(scan()).second) << "another name";
  std::filesystem::rename(root_ + "/b.yaml", root_ + "/x");
  std::filesystem::rename(root_ + "/team-d.yaml", root_ + "/b.yaml");
  std::filesystem::rename(root_ + "/x", root_ + "/team-d.yaml");
  EXPECT_TRUE(seen.insert(scan()).second) << "two that changed places";
  temp_.Write("m/f.yaml", "");
  EXPECT_TRUE(seen.insert(scan()).second) << "one more, empty";
  Link("nowhere", root_ + "/g.yaml");
  EXPECT_TRUE(seen.insert(scan()).second) << "one that cannot be read";
  temp_.Remove("m");
  SetUp();
  EXPECT_EQ(scan(), first) << "all as it was";
  EXPECT_EQ(Source().Scan(true)->digest, first) << "for a source that saw nothing else";
}

}  // namespace
}  // namespace bindery::manifests
