#include "manifests/watch/watcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "support/temp_dir.h"

namespace bindery::manifests {
namespace {

namespace fs = std::filesystem;

constexpr int kDeadlineMs = 10'000;

class WatcherTest : public ::testing::Test {
 protected:
  DirectoryWatcher Open(const std::string& directory, bool recursive = true) {
    WatcherSettings settings;
    settings.directory = directory;
    settings.recursive = recursive;
    DirectoryWatcher watcher = DirectoryWatcher::Open(settings);
    EXPECT_EQ(watcher.mode(), WatchMode::kInotify) << watcher.reason();
    EXPECT_EQ(watcher.reason(), "");
    return watcher;
  }
  DirectoryWatcher Open() {
    fs::create_directories(root_);
    return Open(root_);
  }

  /// Waits until there is something on the descriptor, and takes it. Events of this process's own
  /// calls are there when the call returns.
  static bool Noticed(DirectoryWatcher& watcher) {
    pollfd waiting = {watcher.fd(), POLLIN, 0};
    EXPECT_EQ(::poll(&waiting, 1, kDeadlineMs), 1) << "nothing came";
    return watcher.Drain().any;
  }
  static void Link(const std::string& target, const std::string& link) {
    fs::create_symlink(target, link);
  }
  static void Swap(const std::string& target, const std::string& link) {
    Link(target, link + "_new");
    fs::rename(link + "_new", link);
  }

  testing::TempDir temp_;
  std::string root_ = temp_ / "m";
};

TEST_F(WatcherTest, NothingHappenedNothingNoticed) {
  temp_.Write("m/a.yaml", "text");
  DirectoryWatcher watcher = Open();
  EXPECT_FALSE(watcher.Drain().any);
  EXPECT_FALSE(watcher.Rearm());
  EXPECT_EQ(temp_.Read("m/a.yaml"), "text");
  EXPECT_FALSE(watcher.Drain().any);
}

TEST_F(WatcherTest, WritingAManifestIsNoticedOnceItIsClosed) {
  DirectoryWatcher watcher = Open();
  {
    std::ofstream out(root_ + "/a.yaml");
    out << "half" << std::flush;
    EXPECT_FALSE(watcher.Drain().any);
    out << " and half" << std::flush;
    EXPECT_FALSE(watcher.Drain().any);
  }
  EXPECT_TRUE(Noticed(watcher));
  EXPECT_FALSE(watcher.Drain().any);
}

TEST_F(WatcherTest, RenamingDeletingLinkingAndMendingAreNoticed) {
  temp_.Write("m/a.yaml", "text");
  DirectoryWatcher watcher = Open();
  fs::rename(root_ + "/a.yaml", root_ + "/b.yaml");
  EXPECT_TRUE(Noticed(watcher)) << "renamed";
  Link("b.yaml", root_ + "/c.yaml");
  EXPECT_TRUE(Noticed(watcher)) << "linked";
  fs::create_hard_link(root_ + "/b.yaml", root_ + "/d.yaml");
  EXPECT_TRUE(Noticed(watcher)) << "linked hard";
  ASSERT_EQ(::chmod((root_ + "/b.yaml").c_str(), 0600), 0);
  EXPECT_TRUE(Noticed(watcher)) << "another mode";
  fs::rename(root_ + "/b.yaml", root_ + "/b.yaml.bak");
  EXPECT_TRUE(Noticed(watcher)) << "moved away";
  fs::remove(root_ + "/d.yaml");
  EXPECT_TRUE(Noticed(watcher)) << "deleted";
}

TEST_F(WatcherTest, OtherNamesDoNotCount) {
  temp_.Write("m/a.yaml", "text");
  DirectoryWatcher watcher = Open();
  for (const char* name : {".a.yaml.swp", "4913", "a.yaml~", "#a.yaml#", "a.yaml.tmp", "README.md",
                           ".hidden.yaml", "a.yaml.orig"}) {
    temp_.Write("m/" + std::string(name), "text");
    EXPECT_FALSE(Noticed(watcher)) << name;
    fs::remove(temp_ / ("m/" + std::string(name)));
    EXPECT_FALSE(Noticed(watcher)) << name;
  }
  fs::create_directory(root_ + "/.git");
  temp_.Write("m/.git/a.yaml", "text");
  EXPECT_FALSE(Noticed(watcher));
  temp_.Write("beside.yaml", "text");
  EXPECT_FALSE(Noticed(watcher));
}

TEST_F(WatcherTest, AnEditorsDanceIsOneChange) {
  temp_.Write("m/a.yaml", "old");
  DirectoryWatcher watcher = Open();
  temp_.Write("m/.a.yaml.swp", "swap");
  EXPECT_FALSE(Noticed(watcher)) << "the editor was opened";
  temp_.Write("m/4913", "");
  fs::remove(root_ + "/4913");
  EXPECT_FALSE(Noticed(watcher)) << "it tried whether it may write";
  fs::rename(root_ + "/a.yaml", root_ + "/a.yaml~");
  temp_.Write("m/a.yaml", "new");
  fs::remove(root_ + "/a.yaml~");
  EXPECT_TRUE(Noticed(watcher)) << "it was saved";
  fs::remove(root_ + "/.a.yaml.swp");
  EXPECT_FALSE(Noticed(watcher)) << "the editor was closed";
  EXPECT_EQ(temp_.Read("m/a.yaml"), "new");
}

TEST_F(WatcherTest, NewFoldersAreWatchedToo) {
  DirectoryWatcher watcher = Open();
  fs::create_directories(root_ + "/x/y/z");
  EXPECT_TRUE(Noticed(watcher));
  watcher.Drain();
  temp_.Write("m/x/y/z/a.yaml", "text");
  EXPECT_TRUE(Noticed(watcher));
  fs::rename(root_ + "/x/y", root_ + "/w");
  EXPECT_TRUE(Noticed(watcher));
  watcher.Drain();
  temp_.Write("m/w/z/a.yaml", "more");
  EXPECT_TRUE(Noticed(watcher));
  fs::remove_all(root_ + "/w");
  EXPECT_TRUE(Noticed(watcher));
  watcher.Drain();
  temp_.Write("m/x/a.yaml", "text");
  EXPECT_TRUE(Noticed(watcher));
}

TEST_F(WatcherTest, AFolderThatWasMovedOutIsForgotten) {
  fs::create_directories(root_ + "/x");
  DirectoryWatcher watcher = Open();
  fs::rename(root_ + "/x", temp_ / "out");
  EXPECT_TRUE(Noticed(watcher));
  watcher.Drain();
  temp_.Write("out/a.yaml", "text");
  EXPECT_FALSE(watcher.Drain().any);
}

TEST_F(WatcherTest, FoldersDoNotCountUnlessRecursive) {
  fs::create_directories(root_ + "/x");
  DirectoryWatcher watcher = Open(root_, false);
  fs::create_directories(root_ + "/y");
  EXPECT_FALSE(Noticed(watcher));
  temp_.Write("m/x/a.yaml", "text");
  EXPECT_FALSE(watcher.Drain().any);
  temp_.Write("m/a.yaml", "text");
  EXPECT_TRUE(Noticed(watcher));
}

TEST_F(WatcherTest, ExchangingTheDataOfAConfigMapVolumeIsNoticed) {
  temp_.Write("m/..v1/a.yaml", "one");
  temp_.Write("m/..v1/team/b.yaml", "one");
  Link("..v1", root_ + "/..data");
  Link("..data/a.yaml", root_ + "/a.yaml");
  Link("..data/team", root_ + "/team");
  DirectoryWatcher watcher = Open();
  temp_.Write("m/..v2/a.yaml", "two");
  temp_.Write("m/..v2/team/b.yaml", "two");
  Link("..v2", root_ + "/..data_tmp");
  EXPECT_FALSE(Noticed(watcher)) << "only prepared";
  fs::rename(root_ + "/..data_tmp", root_ + "/..data");
  EXPECT_TRUE(Noticed(watcher));
  fs::remove_all(root_ + "/..v1");
  watcher.Drain();
  temp_.Write("m/team/b.yaml", "three");
  EXPECT_TRUE(Noticed(watcher)) << "the folder behind the link is watched";
}

TEST_F(WatcherTest, MovingALinkOnTheWayIsNoticedAndFollowed) {
  temp_.Write("trees/1/manifests/a.yaml", "one");
  temp_.Write("trees/2/manifests/a.yaml", "two");
  Link("trees/1", temp_ / "current");
  DirectoryWatcher watcher = Open(temp_ / "current/manifests");
  Swap("trees/2", temp_ / "current");
  EXPECT_TRUE(Noticed(watcher));
  EXPECT_FALSE(watcher.Rearm()) << "Drain() has followed it";
  temp_.Write("trees/1/manifests/a.yaml", "old");
  EXPECT_FALSE(watcher.Drain().any) << "the old tree is none of ours any more";
  fs::remove_all(temp_ / "trees/1");
  EXPECT_FALSE(watcher.Drain().any);
  temp_.Write("trees/2/manifests/a.yaml", "three");
  EXPECT_TRUE(Noticed(watcher));
}

TEST_F(WatcherTest, ADirectoryThatIsMissingIsNoticedWhenItComes) {
  DirectoryWatcher watcher = Open(temp_ / "x/y/m");
  const int fd = watcher.fd();
  EXPECT_FALSE(watcher.Rearm());
  fs::create_directory(temp_ / "x");
  EXPECT_TRUE(Noticed(watcher));
  fs::create_directories(temp_ / "x/y/m");
  EXPECT_TRUE(Noticed(watcher));
  watcher.Drain();
  temp_.Write("x/y/m/a.yaml", "text");
  EXPECT_TRUE(Noticed(watcher));
  EXPECT_EQ(watcher.fd(), fd);
}

TEST_F(WatcherTest, ADirectoryThatIsRemovedAndMadeAgainIsFollowed) {
  temp_.Write("m/a.yaml", "text");
  DirectoryWatcher watcher = Open();
  const int fd = watcher.fd();
  for (int i = 0; i < 3; ++i) {
    fs::remove_all(root_);
    EXPECT_TRUE(Noticed(watcher));
    watcher.Drain();
    fs::create_directory(root_);
    EXPECT_TRUE(Noticed(watcher));
    watcher.Drain();
    temp_.Write("m/a.yaml", "text");
    EXPECT_TRUE(Noticed(watcher));
    EXPECT_FALSE(watcher.Drain().any);
  }
  EXPECT_EQ(watcher.fd(), fd);
}

TEST_F(WatcherTest, ADirectoryThatIsReplacedIsFollowed) {
  temp_.Write("m/a.yaml", "text");
  temp_.Write("new/a.yaml", "text");
  DirectoryWatcher watcher = Open();
  fs::rename(root_, temp_ / "old");
  fs::rename(temp_ / "new", root_);
  EXPECT_TRUE(Noticed(watcher));
  watcher.Drain();
  temp_.Write("old/a.yaml", "other");
  EXPECT_FALSE(watcher.Drain().any);
  temp_.Write("m/a.yaml", "more");
  EXPECT_TRUE(Noticed(watcher));
}

TEST_F(WatcherTest, RearmingFindsWhatNoEventTells) {
  // Moving a folder above gives no event to what is beneath.
  temp_.Write("top/mid/m/a.yaml", "text");
  temp_.Write("new/mid/m/a.yaml", "text");
  DirectoryWatcher watcher = Open(temp_ / "top/mid/m");
  fs::rename(temp_ / "top", temp_ / "old");
  fs::rename(temp_ / "new", temp_ / "top");
  watcher.Drain();
  EXPECT_TRUE(watcher.Rearm());
  EXPECT_FALSE(watcher.Rearm());
  temp_.Write("top/mid/m/a.yaml", "more");
  EXPECT_TRUE(Noticed(watcher));
}

TEST_F(WatcherTest, AnOverflowCountsAsAChange) {
  int limit = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> limit;
  if (limit <= 0 || limit > 100'000) GTEST_SKIP() << "a queue of " << limit << " takes too long";
  temp_.Write("m/a.tmp", "text");
  DirectoryWatcher watcher = Open();
  for (int i = 0; i <= limit / 4 + 1; ++i) {
    fs::rename(root_ + "/a.tmp", root_ + "/b.tmp");
    fs::rename(root_ + "/b.tmp", root_ + "/a.tmp");
  }
  EXPECT_TRUE(Noticed(watcher)) << "none of the names is a manifest's, but some were lost";
  EXPECT_FALSE(watcher.Drain().any);
  temp_.Write("m/a.yaml", "text");
  EXPECT_TRUE(Noticed(watcher));
}

TEST_F(WatcherTest, PollingCanBeAskedFor) {
  WatcherSettings settings;
  settings.directory = root_;
  settings.force_polling = true;
  DirectoryWatcher watcher = DirectoryWatcher::Open(settings);
  EXPECT_EQ(watcher.mode(), WatchMode::kPoll);
  EXPECT_EQ(ToString(watcher.mode()), "poll");
  EXPECT_EQ(watcher.reason(), "polling was asked for");
  EXPECT_EQ(watcher.fd(), -1);
  EXPECT_FALSE(watcher.Drain().any);
  EXPECT_FALSE(watcher.Rearm());
}

/// Runs `body` in a child process of which the kernel's limit `limit` is 0. What it returns is the
/// child's complaint; nothing when this system lets no process limit itself.
template <typename Body>
std::optional<std::string> WithoutAny(const char* limit, Body body) {
  std::array<int, 2> ends = {};
  if (::pipe(ends.data()) != 0) return std::nullopt;
  const pid_t child = ::fork();
  if (child == 0) {
    // The limit is one of the user namespace: of the child's own.
    bool limited = ::unshare(CLONE_NEWUSER) == 0;
    if (limited) {
      std::ofstream file("/proc/sys/user/" + std::string(limit));
      limited = static_cast<bool>(file << 0 << std::flush);
    }
    const std::string said = limited ? "+" + body() : "";
    const bool written = ::write(ends[1], said.data(), said.size()) >= 0;
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  std::string said;
  std::array<char, 512> buffer = {};
  for (ssize_t size = 0; (size = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
    said.append(buffer.data(), static_cast<std::size_t>(size));
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  if (said.empty()) return std::nullopt;
  return said.substr(1);
}

std::string Described(const DirectoryWatcher& watcher) {
  return std::string(ToString(watcher.mode())) + (watcher.fd() < 0 ? " -1 " : " fd ") +
         watcher.reason();
}

TEST_F(WatcherTest, WithoutInotifyInstancesItPolls) {
  fs::create_directories(root_);
  const auto said = WithoutAny("max_inotify_instances", [this] {
    WatcherSettings settings;
    settings.directory = root_;
    return Described(DirectoryWatcher::Open(settings));
  });
  if (!said) GTEST_SKIP() << "no user namespace is to be had here";
  EXPECT_EQ(*said,
            "poll -1 inotify is not available: too many open files (raise "
            "fs.inotify.max_user_instances)");
}

TEST_F(WatcherTest, WithoutInotifyWatchesItPollsAndTriesAgain) {
  fs::create_directories(root_);
  const auto said = WithoutAny("max_inotify_watches", [this] {
    WatcherSettings settings;
    settings.directory = root_;
    DirectoryWatcher watcher = DirectoryWatcher::Open(settings);
    std::string text = Described(watcher) + (watcher.Rearm() ? "; rearmed" : "; as before");
    std::ofstream("/proc/sys/user/max_inotify_watches") << 100;
    text += watcher.Rearm() ? "; rearmed" : "; as before";
    return text + "; " + Described(watcher);
  });
  if (!said) GTEST_SKIP() << "no user namespace is to be had here";
  EXPECT_EQ(*said, "poll fd out of inotify watches at \"" + root_ +
                       "\" (raise fs.inotify.max_user_watches); as before; rearmed; inotify fd ");
}

}  // namespace
}  // namespace bindery::manifests
