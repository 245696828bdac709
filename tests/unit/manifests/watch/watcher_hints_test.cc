// What hints name: files by their paths in the directory, or everything.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "manifests/watch/watcher.h"
#include "support/temp_dir.h"

namespace bindery::manifests {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class WatcherHintsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    temp_.Write("m/a.yaml", "one");
    temp_.Write("m/team/b.yaml", "two");
  }
  DirectoryWatcher Open() { return DirectoryWatcher::Open({root_}); }

  /// Events of this process's own calls are there when the call returns.
  static std::set<std::string> FilesIn(DirectoryWatcher& watcher) {
    const Hints hints = watcher.Drain();
    EXPECT_TRUE(hints.any);
    EXPECT_FALSE(hints.everything);
    return {hints.files.begin(), hints.files.end()};
  }
  static void ExpectEverything(DirectoryWatcher& watcher, const char* what) {
    const Hints hints = watcher.Drain();
    EXPECT_TRUE(hints.any) << what;
    EXPECT_TRUE(hints.everything) << what;
    EXPECT_THAT(hints.files, IsEmpty()) << what;
  }

  testing::TempDir temp_;
  std::string root_ = temp_ / "m";
};

TEST_F(WatcherHintsTest, FilesAreNamed) {
  DirectoryWatcher watcher = Open();
  temp_.Write("m/a.yaml", "more");
  EXPECT_THAT(FilesIn(watcher), ElementsAre("a.yaml"));
  temp_.Write("m/team/new.yaml", "more");
  fs::remove(root_ + "/a.yaml");
  EXPECT_THAT(FilesIn(watcher), ElementsAre("a.yaml", "team/new.yaml"));
  fs::rename(root_ + "/team/b.yaml", root_ + "/c.yaml");
  EXPECT_THAT(FilesIn(watcher), ElementsAre("c.yaml", "team/b.yaml"));
  temp_.Write("m/.c.yaml.new", "text");
  fs::rename(root_ + "/.c.yaml.new", root_ + "/c.yaml");
  EXPECT_THAT(FilesIn(watcher), ElementsAre("c.yaml"));
  EXPECT_FALSE(watcher.Drain().any);
}

TEST_F(WatcherHintsTest, BehindALinkTheyAreNamedFromTheDirectoryOn) {
  fs::create_symlink("m", temp_ / "current");
  DirectoryWatcher watcher = DirectoryWatcher::Open({temp_ / "current"});
  temp_.Write("m/team/b.yaml", "more");
  EXPECT_THAT(FilesIn(watcher), ElementsAre("team/b.yaml"));
}

TEST_F(WatcherHintsTest, FoldersAndLinksToThemAreEverything) {
  DirectoryWatcher watcher = Open();
  fs::create_directory(root_ + "/new");
  ExpectEverything(watcher, "a new folder");
  fs::rename(root_ + "/team", root_ + "/crew");
  ExpectEverything(watcher, "one that moved");
  fs::create_symlink("crew", root_ + "/link");
  ExpectEverything(watcher, "a link to one");
  fs::create_symlink("crew", root_ + "/..data");
  ExpectEverything(watcher, "the link of a ConfigMap volume");
  temp_.Write("m/a.yaml", "more");
  fs::remove(root_ + "/new");
  ExpectEverything(watcher, "a file and a folder");
}

TEST_F(WatcherHintsTest, TheDirectoryItselfIsEverything) {
  DirectoryWatcher watcher = Open();
  fs::rename(root_, temp_ / "old");
  temp_.Write("m/a.yaml", "more");
  ExpectEverything(watcher, "another directory of that name");
}

TEST_F(WatcherHintsTest, ManyFilesAreEverything) {
  DirectoryWatcher watcher = Open();
  for (int i = 0; i < 1100; ++i) temp_.Write("m/" + std::to_string(i) + ".yaml", "text");
  ExpectEverything(watcher, "more than it pays to look at one by one");
}

TEST_F(WatcherHintsTest, LostEventsAreEverything) {
  DirectoryWatcher watcher = Open();
  // More than fs.inotify.max_queued_events, each different from the one before it.
  std::ifstream limit("/proc/sys/fs/inotify/max_queued_events");
  int events = 0;
  limit >> events;
  if (events <= 0 || events > 100'000) GTEST_SKIP() << "no overflow within reach";
  for (int i = 0; i <= events / 2; ++i) {
    fs::permissions(root_ + "/a.yaml", fs::perms::owner_all);
    fs::permissions(root_ + "/team/b.yaml", fs::perms::owner_all);
  }
  ExpectEverything(watcher, "an overflow");
}

TEST(Hints, AddUp) {
  Hints hints;
  hints.Add({});
  EXPECT_FALSE(hints.any);
  hints.Add({true, false, {"a"}});
  hints.Add({true, false, {"b"}});
  EXPECT_THAT(hints.files, ElementsAre("a", "b"));
  hints.Add({true, true, {}});
  hints.Add({true, false, {"c"}});
  EXPECT_TRUE(hints.everything);
  EXPECT_THAT(hints.files, IsEmpty());
}

}  // namespace
}  // namespace bindery::manifests
