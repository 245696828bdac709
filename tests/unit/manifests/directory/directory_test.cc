// What a scan finds, reuses and refuses.

#include "manifests/directory/directory.h"

#include <sys/inotify.h>
#include <sys/stat.h>

#include <algorithm>

#include "unit/manifests/directory_fixture.h"

namespace bindery::manifests {
namespace {

using ::bindery::testing::DirectoryTest;
using ::bindery::testing::FailsWith;
using ::bindery::testing::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr const char* kKept = ": what was loaded before stays in force and nothing is deleted";

TEST_F(DirectoryTest, OnlyManifestFilesAreReadAndSortedByPath) {
  for (const char* name :
       {"b.yaml",       "a.yml",       "c.json",         "team-a/x.yaml", "team/x.yaml",
        ".hidden.yaml", ".git/x.yaml", "x.yaml~",        "#x.yaml#",      ".x.yaml.swp",
        "x.yaml.swx",   "x.yaml.tmp",  "x.yaml.bak",     "x.yaml.orig",   "x.yaml.rej",
        "4913",         "README.md",   "old.bak/x.yaml", "yaml",          ".yaml"}) {
    temp_.Write("m/" + std::string(name), "text");
  }
  const auto scan = Source().Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(PathsOf(*scan),
              ElementsAre("a.yml", "b.yaml", "c.json", "team-a/x.yaml", "team/x.yaml"));
  EXPECT_THAT(scan->problems, IsEmpty());
  EXPECT_THAT(scan->broken, IsEmpty());
  EXPECT_EQ(scan->parsed, 5U);
  EXPECT_EQ(scan->reused, 0U);
}

TEST_F(DirectoryTest, FoldersAreLeftOutUnlessRecursive) {
  temp_.Write("m/a.yaml", "text");
  temp_.Write("m/team/x.yaml", "text");
  DirectorySettings settings = Settings(root_);
  settings.recursive = false;
  const auto scan = Source(settings).Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(PathsOf(*scan), ElementsAre("a.yaml"));
}

TEST_F(DirectoryTest, AnUnchangedFileIsSharedWithTheScanBefore) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/b.yaml", "two");
  DirectorySource source = Source();
  const auto first = source.Scan(true);
  const auto second = source.Scan(true);
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(second->files, first->files);
  EXPECT_EQ(second->digest, first->digest);
  EXPECT_EQ(second->parsed, 0U);
  EXPECT_EQ(second->reused, 2U);
  EXPECT_EQ(loads_, 2);
}

TEST_F(DirectoryTest, AFileThatWasOnlyTouchedIsNotParsedAgain) {
  temp_.Write("m/a.yaml", "one");
  DirectorySource source = Source();
  const auto first = source.Scan(true);
  std::filesystem::last_write_time(root_ + "/a.yaml", {});
  const auto second = source.Scan(true);
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(second->files, first->files);
  EXPECT_EQ(second->digest, first->digest);
  EXPECT_EQ(second->parsed, 0U);
  EXPECT_EQ(loads_, 1);
}

TEST_F(DirectoryTest, AChangeThatLeavesSizeAndTimesAsTheyWereIsSeen) {
  // Both writes may fall into one tick of the file system's clock; the stamp then stays the same.
  temp_.Write("m/a.yaml", "one");
  DirectorySource source = Source();
  std::string digest;
  for (const char* text : {"one", "two", "ten", "six"}) {
    temp_.Write("m/a.yaml", text);
    const auto scan = source.Scan(true);
    ASSERT_THAT(scan, IsOk());
    EXPECT_THAT(GetTexts(*scan), ElementsAre(Pair("a.yaml", text)));
    EXPECT_NE(scan->digest, digest);
    digest = scan->digest;
  }
}

TEST_F(DirectoryTest, AFileReadRightAfterItChangedIsReadOnceMore) {
  // Where clocks are too fine for the test above to catch it, this tells by the file being opened.
  temp_.Write("m/a.yaml", "one");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  const int watch = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(::inotify_add_watch(watch, (root_ + "/a.yaml").c_str(), IN_OPEN), 0);
  ASSERT_THAT(source.Scan(true), IsOk());
  inotify_event event = {};
  EXPECT_EQ(::read(watch, &event, sizeof(event)), static_cast<ssize_t>(sizeof(event)));
  ::close(watch);
}

TEST_F(DirectoryTest, ARenamedFileIsLoadedUnderItsNewName) {
  temp_.Write("m/a.yaml", "one");
  DirectorySource source = Source();
  const auto first = source.Scan(true);
  std::filesystem::rename(root_ + "/a.yaml", root_ + "/b.yaml");
  const auto second = source.Scan(true);
  ASSERT_THAT(second, IsOk());
  EXPECT_THAT(GetTexts(*second), ElementsAre(Pair("b.yaml", "one")));
  EXPECT_NE(second->digest, first->digest);
  EXPECT_EQ(second->parsed, 1U);
}

TEST_F(DirectoryTest, ManyFilesGiveTheSameOnAnyNumberOfThreads) {
  for (int i = 0; i < 300; ++i) {
    temp_.Write("m/" + std::to_string(i % 7) + "/" + std::to_string(i) + ".yaml",
                "text " + std::to_string(i));
  }
  DirectorySettings one = Settings(root_);
  one.threads = 1;
  DirectorySettings four = Settings(root_);
  four.threads = 4;
  const auto a = Source(one).Scan(true);
  const auto b = Source(four).Scan(true);
  ASSERT_THAT(a, IsOk());
  ASSERT_THAT(b, IsOk());
  EXPECT_EQ(a->files.size(), 300U);
  EXPECT_EQ(a->digest, b->digest);
  EXPECT_EQ(GetTexts(*a), GetTexts(*b));
  EXPECT_TRUE(std::is_sorted(a->files.begin(), a->files.end(),
                             [](const auto& x, const auto& y) { return x->path < y->path; }));
}

// The directory as a whole
// -------------------------------------------------------------------------

TEST_F(DirectoryTest, AMissingDirectoryIsAnErrorThatDeletesNothing) {
  const std::string named = "the manifests directory \"" + root_ + "\" ";
  EXPECT_THAT(Source().Scan(true), FailsWith(Code::kNotFound, named + "does not exist" + kKept));
  Link("gone", root_);
  EXPECT_THAT(
      Source().Scan(true),
      FailsWith(Code::kNotFound, named + "is a link to \"gone\", which does not exist" + kKept));
}

TEST_F(DirectoryTest, AFileInItsPlaceIsAnError) {
  temp_.Write("m", "text");
  EXPECT_THAT(Source().Scan(true),
              FailsWith(Code::kFailedPrecondition,
                        "the manifests directory \"" + root_ + "\" is not a directory" + kKept));
}

TEST_F(DirectoryTest, AnEmptyDirectoryIsAnErrorEachTimeAlsoWhenItHeldSomething) {
  const std::string message = "the manifests directory \"" + root_ +
                              "\" holds no manifest files (.yaml, .yml, .json)" + kKept;
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/README.md", "text");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  temp_.Remove("m/a.yaml");
  EXPECT_THAT(source.Scan(true), FailsWith(Code::kFailedPrecondition, message));
  EXPECT_THAT(source.Scan(false), FailsWith(Code::kFailedPrecondition, message));
  temp_.Write("m/a.yaml", "one");
  EXPECT_THAT(source.Scan(true), IsOk());
}

TEST_F(DirectoryTest, NothingThatCanBeReadIsAnErrorThatSaysWhy) {
  std::filesystem::create_directories(root_ + "/a.yaml");
  EXPECT_THAT(Source().Scan(true),
              FailsWith(Code::kFailedPrecondition,
                        HasSubstr("holds no manifest files (.yaml, .yml, .json) that can be read "
                                  "(a.yaml: is a folder, but bears the name of a manifest file)")));
}

TEST_F(DirectoryTest, ADirectoryThatComesBackIsReadAgain) {
  temp_.Write("m/a.yaml", "one");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  temp_.Remove("m");
  EXPECT_THAT(source.Scan(true), FailsWith(Code::kNotFound, HasSubstr("does not exist")));
  temp_.Write("m/a.yaml", "two");
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(GetTexts(*scan), ElementsAre(Pair("a.yaml", "two")));
}

TEST_F(DirectoryTest, BeyondALimitTheDirectoryIsRefused) {
  temp_.Write("m/a.yaml", "12345");
  temp_.Write("m/b.yaml", "12345");
  const std::string named = "the manifests directory \"" + root_ + "\" holds ";
  DirectorySettings settings = Settings(root_);
  settings.max_files = 2;
  settings.max_total_bytes = 10;
  EXPECT_THAT(Source(settings).Scan(true), IsOk());
  settings.max_files = 1;
  EXPECT_THAT(Source(settings).Scan(true),
              FailsWith(Code::kResourceExhausted, named + "more than 1 manifest files" + kKept));
  settings.max_files = 2;
  std::filesystem::create_directories(root_ + "/folder.yaml");
  EXPECT_THAT(Source(settings).Scan(true),
              FailsWith(Code::kResourceExhausted, named + "more than 2 manifest files" + kKept))
      << "what bears such a name counts, whatever it is";
  std::filesystem::remove(root_ + "/folder.yaml");
  settings.max_total_bytes = 9;
  EXPECT_THAT(Source(settings).Scan(true),
              FailsWith(Code::kResourceExhausted,
                        named + "manifest files of more than 9 bytes in all" + kKept));
}

// What cannot be read
// ------------------------------------------------------------------------------

TEST_F(DirectoryTest, WhatCannotBeReadIsAProblemAndBroken) {
  temp_.Write("m/good.yaml", "text");
  temp_.Write("m/large.yaml", "12345678901");
  temp_.Write("m/bad.yaml", "binary");
  temp_.Write("m/odd.yaml", "throw");
  std::filesystem::create_directories(root_ + "/folder.yaml");
  ASSERT_EQ(::mkfifo((root_ + "/pipe.yaml").c_str(), 0600), 0);
  Link("gone.yaml", root_ + "/dangling.yaml");
  Link("loop.yaml", root_ + "/loop.yaml");
  DirectorySettings settings = Settings(root_);
  settings.max_file_bytes = 10;
  const auto scan = Source(settings).Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(
      ListProblems(*scan),
      ElementsAre(
          "DanglingLink dangling.yaml: the link leads to \"gone.yaml\", which does not exist",
          "NotAFile folder.yaml: is a folder, but bears the name of a manifest file",
          "TooLarge large.yaml: holds more than 10 bytes: split the file",
          "LinkLoop loop.yaml: the link cannot be followed: too many levels of symbolic links",
          "UndecodableFile odd.yaml: cannot be decoded: too odd",
          "NotAFile pipe.yaml: is not a regular file"));
  // That bad.yaml cannot be decoded is said by its own content.
  EXPECT_THAT(scan->broken, ElementsAre("bad.yaml", "dangling.yaml", "folder.yaml", "large.yaml",
                                        "loop.yaml", "odd.yaml", "pipe.yaml"));
  EXPECT_THAT(PathsOf(*scan), ElementsAre("bad.yaml", "good.yaml"));
}

TEST_F(DirectoryTest, AFileThatTurnsUnreadableChangesTheDigest) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/b.yaml", "two");
  DirectorySource source = Source();
  const auto before = source.Scan(true);
  temp_.Remove("m/b.yaml");
  const auto without = source.Scan(true);
  Link("gone", root_ + "/b.yaml");
  const auto broken = source.Scan(true);
  ASSERT_THAT(broken, IsOk());
  EXPECT_NE(without->digest, before->digest);
  EXPECT_NE(broken->digest, without->digest);
  EXPECT_NE(broken->digest, before->digest);
  EXPECT_THAT(broken->broken, ElementsAre("b.yaml"));
}

TEST_F(DirectoryTest, AFileWithoutPermissionIsAProblemUntilItIsMended) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/b.yaml", "two");
  temp_.Write("m/team/c.yaml", "three");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  ASSERT_EQ(::chmod((root_ + "/b.yaml").c_str(), 0), 0);
  ASSERT_EQ(::chmod((root_ + "/team").c_str(), 0), 0);
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(ListProblems(*scan),
              ElementsAre("UnreadableFile b.yaml: cannot be read: permission denied",
                          "UnreadableFolder team: the folder cannot be read: permission denied"));
  EXPECT_THAT(scan->broken, ElementsAre("b.yaml", "team", "team/c.yaml"));
  EXPECT_THAT(source.Scan(true)->broken, ElementsAre("b.yaml", "team", "team/c.yaml"));
  ASSERT_EQ(::chmod((root_ + "/b.yaml").c_str(), 0600), 0);
  ASSERT_EQ(::chmod((root_ + "/team").c_str(), 0700), 0);
  const auto mended = source.Scan(true);
  ASSERT_THAT(mended, IsOk());
  EXPECT_THAT(PathsOf(*mended), ElementsAre("a.yaml", "b.yaml", "team/c.yaml"));
  EXPECT_THAT(mended->broken, IsEmpty());
}

TEST_F(DirectoryTest, AFolderThatBecomesUnreadableTakesItsFilesAlongAsBroken) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/.data/team/b.yaml", "two");
  Link(".data/team", root_ + "/team");
  DirectorySource source = Source();
  ASSERT_THAT(PathsOf(*source.Scan(true)), ElementsAre("a.yaml", "team/b.yaml"));
  temp_.Remove("m/.data");
  for (int i = 0; i < 3; ++i) {
    const auto scan = source.Scan(true);
    ASSERT_THAT(scan, IsOk());
    EXPECT_THAT(scan->broken, ElementsAre("team", "team/b.yaml"));
    EXPECT_THAT(ListProblems(*scan),
                ElementsAre("DanglingLink team: the link leads to \".data/team\", which does not "
                            "exist"));
  }
  // Taking away the link as well is a deletion.
  temp_.Remove("m/team");
  EXPECT_THAT(source.Scan(true)->broken, IsEmpty());
}

TEST_F(DirectoryTest, ANameThatCannotBeShownIsAProblem) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/line\nbreak.yaml", "text");
  temp_.Write("m/\xFF.yaml", "text");
  temp_.Write("m/t\xC3\xA9st.yaml", "text");
  temp_.Write("m/\x7F/b.yaml", "text");
  const auto scan = Source().Scan(true);
  ASSERT_THAT(scan, IsOk());
  const std::string message =
      ": the name is not UTF-8 or holds control characters (shown as \\xNN): rename it";
  EXPECT_THAT(ListProblems(*scan),
              ElementsAre("InvalidFileName \\x7f" + message, "InvalidFileName \\xff.yaml" + message,
                          "InvalidFileName line\\x0abreak.yaml" + message));
  EXPECT_THAT(PathsOf(*scan), ElementsAre("a.yaml", "t\xC3\xA9st.yaml"));
}

TEST_F(DirectoryTest, FoldersTooDeepAreAProblem) {
  temp_.Write("m/a.yaml", "text");
  temp_.Write("m/1/b.yaml", "text");
  temp_.Write("m/1/2/c.yaml", "text");
  DirectorySettings settings = Settings(root_);
  settings.max_depth = 1;
  const auto scan = Source(settings).Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(PathsOf(*scan), ElementsAre("1/b.yaml", "a.yaml"));
  EXPECT_THAT(ListProblems(*scan),
              ElementsAre("TooDeep 1/2: more than 1 folders within folders: what is below is not "
                          "read"));
}

// Links
// --------------------------------------------------------------------------------------------

TEST_F(DirectoryTest, LinksThatLeaveTheDirectoryAreRefused) {
  temp_.Write("m/a.yaml", "text");
  temp_.Write("secret.yaml", "text");
  temp_.Write("other/b.yaml", "text");
  temp_.Write("m-sibling/c.yaml", "text");
  temp_.Write("notes.md", "text");
  Link("../secret.yaml", root_ + "/out.yaml");
  Link(temp_ / "secret.yaml", root_ + "/absolute.yaml");
  Link("../other", root_ + "/team");
  Link("../m-sibling/c.yaml", root_ + "/sibling.yaml");
  Link("../notes.md", root_ + "/notes.md");
  const auto scan = Source().Scan(true);
  ASSERT_THAT(scan, IsOk());
  const std::string message = ": the link leads out of the manifests directory";
  EXPECT_THAT(ListProblems(*scan),
              ElementsAre("EscapingLink absolute.yaml" + message, "EscapingLink out.yaml" + message,
                          "EscapingLink sibling.yaml" + message, "EscapingLink team" + message));
  EXPECT_THAT(scan->broken, ElementsAre("absolute.yaml", "out.yaml", "sibling.yaml", "team"));
  EXPECT_THAT(PathsOf(*scan), ElementsAre("a.yaml"));
}

TEST_F(DirectoryTest, LinksWithinTheDirectoryAreFollowed) {
  temp_.Write("m/.store/a.yaml", "one");
  temp_.Write("m/.store/team/b.yaml", "two");
  Link(".store/a.yaml", root_ + "/relative.yaml");
  Link(root_ + "/.store/a.yaml", root_ + "/absolute.yaml");
  Link(".store/team", root_ + "/team");
  const auto scan = Source().Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(GetTexts(*scan),
              ElementsAre(Pair("absolute.yaml", "one"), Pair("relative.yaml", "one"),
                          Pair("team/b.yaml", "two")));
  EXPECT_THAT(scan->problems, IsEmpty());
}

TEST_F(DirectoryTest, AFolderIsNotReadTwice) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/v2/b.yaml", "two");
  Link("v2", root_ + "/current");
  Link("..", root_ + "/v2/up");
  const auto scan = Source().Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(
      ListProblems(*scan),
      ElementsAre("RepeatedFolder current: leads to \"v2\", which is read under its own name: "
                  "remove one of the two",
                  "RepeatedFolder v2/up: leads to the manifests directory itself, which is read "
                  "under its own name: remove one of the two"));
  EXPECT_THAT(PathsOf(*scan), ElementsAre("a.yaml", "v2/b.yaml"));
}

}  // namespace
}  // namespace bindery::manifests
