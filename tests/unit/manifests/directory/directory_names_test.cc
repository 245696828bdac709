// What is not read and yet is told of: odd names, and git at work.

#include <SQLiteCpp/Database.h>
#include <fcntl.h>

#include <algorithm>
#include <ostream>

#include "manifests/directory/directory.h"
#include "manifests/directory/file_status.h"
#include "unit/manifests/directory_fixture.h"

namespace bindery::manifests {
namespace {

using ::bindery::testing::DirectoryTest;
using ::bindery::testing::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> UnreadIn(const DirectoryScan& scan) {
  std::vector<std::string> paths;
  for (const UnreadItem& item : scan.facts.unread) paths.push_back(item.path);
  return paths;
}

FileStamp StampAt(const std::string& path) {
  FileStatus status;
  EXPECT_EQ(LookUp(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, status), 0) << path;
  return status.stamp;
}

struct Renamed {
  const char* name;
  const char* from;
  const char* to;
  bool unread;   ///< It may hold what is missing.
  bool warning;  ///< And is told of, whatever is missing.
};

void PrintTo(const Renamed& renamed, std::ostream* out) { *out << renamed.name; }

class DirectoryRenamedTest : public DirectoryTest, public ::testing::WithParamInterface<Renamed> {
 protected:
  void SetUp() override {
    temp_.Write("m/a.yaml", "");
    temp_.Write("m/team/b.yaml", "");
    temp_.Write("m/keep.yaml", "");
    // The loader of the fixture keeps an empty text as a warning without a message.
  }
};

TEST_P(DirectoryRenamedTest, MayHoldWhatIsMissing) {
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  std::filesystem::rename(root_ + "/" + GetParam().from, root_ + "/" + GetParam().to);
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  const std::string to = GetParam().to;
  EXPECT_THAT(UnreadIn(*scan), GetParam().unread ? Paths{to} : Paths{});
  EXPECT_EQ(std::count_if(scan->problems.begin(), scan->problems.end(),
                          [&](const Problem& problem) {
                            return problem.file == to &&
                                   problem.severity == ProblemSeverity::kWarning;
                          }),
            GetParam().warning ? 1 : 0);
  EXPECT_THAT(scan->broken, IsEmpty());
  const auto again = source.Scan(true);
  EXPECT_THAT(UnreadIn(*again), UnreadIn(*scan));
}

INSTANTIATE_TEST_SUITE_P(
    Directory, DirectoryRenamedTest,
    ::testing::Values(Renamed{"Capitals", "a.yaml", "a.YAML", true, true},
                      Renamed{"SomeCapitals", "a.yaml", "a.Yml", true, true},
                      Renamed{"CapitalsOfJson", "a.yaml", "a.JSON", true, true},
                      Renamed{"Dot", "a.yaml", ".a.yaml", true, false},
                      Renamed{"DotAndCapitals", "a.yaml", ".a.YAML", true, false},
                      Renamed{"TwoDots", "a.yaml", "..a.yaml", true, true},
                      Renamed{"ThreeDots", "a.yaml", "...a.yaml", true, true},
                      Renamed{"AnotherEnding", "a.yaml", "a.txt", false, false},
                      Renamed{"Backup", "a.yaml", "a.yaml~", true, false},
                      Renamed{"EditorsLock", "a.yaml", ".#a.yaml", false, false},
                      Renamed{"DotOfFolder", "team", ".team", true, false},
                      Renamed{"TwoDotsOfFolder", "team", "..team", true, true},
                      Renamed{"FolderToTemporary", "team", "team.tmp", true, false},
                      Renamed{"FolderToBackup", "team", "team~", true, false},
                      Renamed{"FolderWithCapitals", "team", "team.BAK", false, false},
                      Renamed{"FolderOfAVolume", "team", "..2026_11_23_09_30_00.123", false,
                              false}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(DirectoryTest, WhatIsMovedIntoAHiddenFolderMayHoldWhatIsMissing) {
  temp_.Write("m/keep.yaml", "");
  temp_.Write("m/team/a.yaml", "");
  temp_.Write("m/team/sub/b.yaml", "");
  temp_.Write("m/team/c.yaml", "");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  std::filesystem::create_directories(root_ + "/.x");
  std::filesystem::rename(root_ + "/team/a.yaml", root_ + "/.x/a.yaml");
  EXPECT_THAT(UnreadIn(*source.Scan(true)), ElementsAre(".x/a.yaml"));
  std::filesystem::rename(root_ + "/team/sub", root_ + "/.x/sub");
  EXPECT_THAT(UnreadIn(*source.Scan(true)), ElementsAre(".x/a.yaml", ".x/sub"));
  EXPECT_THAT(UnreadIn(*source.Scan(true)), ElementsAre(".x/a.yaml", ".x/sub"));
  std::filesystem::rename(root_ + "/team/c.yaml", root_ + "/.x/c.yaml");
  ASSERT_THAT(source.ScanHinted({"team/c.yaml"}), IsOk());
  EXPECT_THAT(UnreadIn(*source.Scan(true)), ElementsAre(".x/a.yaml", ".x/c.yaml", ".x/sub"));
  std::filesystem::remove_all(root_ + "/.x/sub");
  temp_.Write("m/.x/new.yaml", "");
  std::filesystem::remove(root_ + "/.x/a.yaml");
  EXPECT_THAT(UnreadIn(*source.Scan(true)), ElementsAre(".x/c.yaml"));
  std::filesystem::rename(root_ + "/.x/c.yaml", root_ + "/team/c.yaml");
  EXPECT_THAT(UnreadIn(*source.Scan(true)), IsEmpty());
}

TEST_F(DirectoryTest, WhatGetsTheInodeOfADeletedFileDoesNotHoldIt) {
  temp_.Write("m/keep.yaml", "");
  temp_.Write("m/a.yaml", "");
  temp_.Write("m/team/b.yaml", "");
  std::filesystem::create_directories(root_ + "/.cache");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  const FileStamp file = StampAt(root_ + "/a.yaml");
  const FileStamp folder = StampAt(root_ + "/team");
  // Until the clock of the file system has moved on.
  do temp_.Write("later", "");
  while (StampAt(temp_ / "later").changed_ns <= folder.changed_ns);
  std::filesystem::remove(root_ + "/a.yaml");
  std::filesystem::remove_all(root_ + "/team");
  constexpr int kMost = 1000;
  bool again = false;
  for (int i = 0; i < kMost && !again; ++i) {
    const std::string name = std::to_string(i);
    temp_.Write("m/.cache/index" + name, "longer than what had its number");
    std::filesystem::create_directories(root_ + "/." + name);
    again = StampAt(root_ + "/.cache/index" + name).inode == file.inode ||
            StampAt(root_ + "/." + name).inode == folder.inode;
  }
  if (!again) GTEST_SKIP() << "this file system gives new files numbers that none had";
  EXPECT_THAT(UnreadIn(*source.Scan(true)), IsEmpty());
}

TEST(MayBeSame, UnlessItWasMadeAfterTheOtherWasSeen) {
  const FileStamp former{1, 7, 100, 5000, 6000};
  FileStatus found;
  found.stamp = {1, 7, 100, 5000, 9000};
  found.born_ns = 4000;
  EXPECT_TRUE(MayBeSame(found, former)) << "it was renamed";
  found.stamp = {1, 7, 120, 8000, 9000};
  EXPECT_TRUE(MayBeSame(found, former)) << "and edited";
  found.born_ns = 6001;
  EXPECT_FALSE(MayBeSame(found, former)) << "it only got the number";
  found.born_ns = 0;
  EXPECT_TRUE(MayBeSame(found, former)) << "nobody knows when it was made";
  found.stamp = {1, 7, 100, 5000, 9000};
  found.born_ns = 6001;
  EXPECT_TRUE(MayBeSame(found, former)) << "the clock was set back";
  found.stamp.device = 2;
  EXPECT_FALSE(MayBeSame(found, former));
}

TEST_F(DirectoryTest, TheFoldersOfAConfigMapAreNotToldOf) {
  temp_.Write("m/..2026_11_23_09_30_00.123456/a.yaml", "one");
  temp_.Write("m/..made-by-hand/a.yaml", "one");
  Link("..2026_11_23_09_30_00.123456", root_ + "/..data");
  Link("..data/a.yaml", root_ + "/a.yaml");
  Link("..2026_11_23_09_30_00.123456", root_ + "/..data_tmp");
  const auto scan = Source().Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(ListProblems(*scan), IsEmpty());
}

TEST_F(DirectoryTest, AMisspelledFolderOrOddEntryIsNoFile) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/team.YAML/b.yaml", "two");
  Link("team.YAML", root_ + "/link.YML");
  const auto scan = Source().Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(PathsOf(*scan), ElementsAre("a.yaml", "team.YAML/b.yaml"));
  EXPECT_THAT(ListProblems(*scan), ElementsAre(HasSubstr("RepeatedFolder link.YML")));
}

TEST_F(DirectoryTest, AFolderThatWasHiddenWhileNothingRanMayHoldWhatIsMissing) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/team/b.yaml", "two");
  DirectorySource source = TrustingSource();
  const auto before = source.Scan(true);
  ASSERT_THAT(before, IsOk());
  std::vector<KnownFile> known;
  for (const auto& file : before->remember) known.push_back({file.stamp, file.content});
  std::filesystem::rename(root_ + "/team", root_ + "/.team");
  DirectorySource later = TrustingSource();
  later.Seed(std::move(known));
  const auto scan = later.Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(UnreadIn(*scan), ::testing::Contains(".team"));
}

struct GitSign {
  const char* name;
  const char* file;  ///< That git makes.
  const char* told;
  const char* removed;  ///< When it has ended.
};

void PrintTo(const GitSign& sign, std::ostream* out) { *out << sign.name; }

class DirectoryGitTest : public DirectoryTest, public ::testing::WithParamInterface<GitSign> {};

TEST_P(DirectoryGitTest, AtWorkIsTold) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/team/sub/b.yaml", "two");
  // A work tree of its own, whose folder of git is elsewhere.
  temp_.Write("m/other/c.yaml", "three");
  temp_.Write("m/other/.git", "gitdir: ../../gitdir\n");
  std::filesystem::create_directories(temp_.path() / "gitdir");
  std::filesystem::create_directories(root_ + "/team/sub/.git");
  DirectorySource source = Source();
  const auto quiet = source.Scan(true);
  ASSERT_THAT(quiet, IsOk());
  EXPECT_THAT(quiet->facts.under_way, IsEmpty());
  temp_.Write(GetParam().file, "x");
  const auto busy = source.Scan(true);
  ASSERT_EQ(busy->facts.under_way.size(), 1U);
  EXPECT_THAT(busy->facts.under_way.front().path, HasSubstr(GetParam().told));
  temp_.Write("m/a.yaml", "four");
  EXPECT_EQ(source.ScanHinted({"a.yaml"})->facts.under_way.size(), 1U);
  std::filesystem::remove_all(temp_ / GetParam().removed);
  EXPECT_THAT(source.Scan(true)->facts.under_way, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Directory, DirectoryGitTest,
    ::testing::Values(
        GitSign{"LockBelow", "m/team/sub/.git/index.lock", "m/team/sub/.git/index.lock",
                "m/team/sub/.git/index.lock"},
        GitSign{"BisectBelow", "m/team/sub/.git/BISECT_LOG", "BISECT_LOG",
                "m/team/sub/.git/BISECT_LOG"},
        GitSign{"RebaseOfAWorkTree", "gitdir/rebase-merge/done", "m/other/.git/rebase-merge",
                "gitdir/rebase-merge"},
        GitSign{"Bisect", "m/.git/BISECT_LOG", "m/.git/BISECT_LOG", "m/.git/BISECT_LOG"},
        GitSign{"SeveralReverts", "m/.git/sequencer/todo", "sequencer", "m/.git/sequencer"},
        GitSign{"LockAbove", ".git/index.lock", "/.git/index.lock", ".git/index.lock"}),
    [](const auto& param) { return std::string(param.param.name); });

/// Signs of Mercurial and its like, as DirectoryGitTest.
class DirectoryOtherWorkTest : public DirectoryTest,
                               public ::testing::WithParamInterface<GitSign> {};

TEST_P(DirectoryOtherWorkTest, IsToldUntilItEnded) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/team/sub/b.yaml", "two");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  temp_.Write(GetParam().file, "x");
  const auto busy = source.Scan(true);
  ASSERT_EQ(busy->facts.under_way.size(), 1U);
  EXPECT_THAT(busy->facts.under_way.front().path, HasSubstr(GetParam().told));
  EXPECT_TRUE(busy->facts.under_way.front().git) << "not even what is urgent is done";
  std::filesystem::remove_all(temp_ / GetParam().removed);
  EXPECT_THAT(source.Scan(true)->facts.under_way, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Directory, DirectoryOtherWorkTest,
    ::testing::Values(
        GitSign{"Mercurial", "m/.hg/wlock", "m/.hg/wlock", "m/.hg/wlock"},
        GitSign{"MercurialKilled", "m/.hg/updatestate", "updatestate", "m/.hg/updatestate"},
        GitSign{"MercurialAbove", ".hg/rebasestate", ".hg/rebasestate", ".hg/rebasestate"},
        GitSign{"MercurialBelow", "m/team/sub/.hg/updatestate", "sub/.hg/updatestate",
                "m/team/sub/.hg"},
        GitSign{"Sapling", "m/.sl/wlock", "m/.sl/wlock", "m/.sl/wlock"},
        GitSign{"Breezy", "m/.bzr/checkout/limbo/new-1", "checkout/limbo",
                "m/.bzr/checkout/limbo"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(DirectoryTest, ADatabaseOfSubversionThatCannotBeReadIsWorkUnderWay) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/.svn/wc.db", std::string(4096, 'x'));
  DirectorySource source = Source();
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  ASSERT_EQ(scan->facts.under_way.size(), 1U);
  EXPECT_THAT(scan->facts.under_way.front().what, HasSubstr("cannot be read"));
}

TEST_F(DirectoryTest, ALockOfSubversionIsWorkUnderWay) {
  temp_.Write("m/a.yaml", "one");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  std::filesystem::create_directories(root_ + "/.svn");
  SQLite::Database database(root_ + "/.svn/wc.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  EXPECT_THAT(source.Scan(true)->facts.under_way, IsEmpty()) << "no tables yet";
  database.exec("CREATE TABLE WC_LOCK (id INTEGER); CREATE TABLE WORK_QUEUE (id INTEGER)");
  EXPECT_THAT(source.Scan(true)->facts.under_way, IsEmpty());
  for (const std::string table : {"WC_LOCK", "WORK_QUEUE"}) {
    database.exec("INSERT INTO " + table + " VALUES (1)");
    const auto busy = source.Scan(true);
    ASSERT_EQ(busy->facts.under_way.size(), 1U) << table;
    EXPECT_THAT(busy->facts.under_way.front().what, HasSubstr("Subversion"));
    database.exec("DELETE FROM " + table);
    EXPECT_THAT(source.Scan(true)->facts.under_way, IsEmpty());
  }
  database.exec("BEGIN EXCLUSIVE");
  EXPECT_EQ(source.Scan(true)->facts.under_way.size(), 1U) << "it is being written";
}

TEST_F(DirectoryTest, APathThatNoStoreCanKeepIsAnErrorThatChangesNothing) {
  temp_.Write("m/a.yaml", "one");
  const std::string name(200, 'n');
  std::string deep = root_;
  for (int i = 0; i < 8; ++i) deep += "/" + name;
  std::filesystem::create_directories(deep);
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  std::filesystem::create_directories(deep + "/" + name);
  EXPECT_THAT(source.Scan(true),
              testing::FailsWith(Code::kResourceExhausted,
                                 HasSubstr("holds a path of more than 2048 bytes: \"nnn")));
}

TEST_F(DirectoryTest, WhatComesIntoAFolderThatIsNotReadLeavesNoTrace) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("outside/deep/b.yaml", "two");
  std::filesystem::create_directory_symlink("../outside", root_ + "/team");
  DirectorySource source = Source();
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  ASSERT_EQ(scan->facts.unread.size(), 1U);
  EXPECT_EQ(scan->facts.unread[0].path, "team");
  EXPECT_TRUE(scan->facts.unread[0].opaque);
}

}  // namespace
}  // namespace bindery::manifests
