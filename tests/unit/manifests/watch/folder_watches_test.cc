#include "manifests/watch/folder_watches.h"

#include <gtest/gtest.h>
#include <sys/inotify.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/temp_dir.h"

namespace bindery::manifests {
namespace {

class FolderWatchesTest : public ::testing::Test {
 protected:
  FolderWatchesTest() : inotify_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

  std::string Folder(const std::string& name) {
    std::filesystem::create_directories(dir_ / name);
    return dir_ / name;
  }
  FolderWatch* AddOfTree(const std::string& path) {
    FolderWatch* const watch = watches_.Add(path, IN_CREATE);
    if (watch != nullptr) watch->folder = true;
    return watch;
  }
  /// Whether the kernel tells of a file that is made in the folder.
  bool IsWatched(const std::string& folder) {
    TakeEvents();
    const std::string file = folder + "/" + std::to_string(++files_);
    std::ofstream(file) << "x";
    return TakeEvents();
  }

  testing::TempDir dir_;
  Descriptor inotify_;
  FolderWatches watches_{inotify_};

 private:
  bool TakeEvents() {
    alignas(inotify_event) std::array<char, 4096> buffer = {};
    bool any = false;
    while (::read(inotify_.get(), buffer.data(), buffer.size()) > 0) any = true;
    return any;
  }

  int files_ = 0;
};

TEST_F(FolderWatchesTest, ARoundLeavesWhatWasAddedInIt) {
  const std::string a = Folder("a");
  const std::string b = Folder("b");
  watches_.BeginRound();
  ASSERT_NE(watches_.Add(a, IN_CREATE), nullptr);
  ASSERT_NE(watches_.Add(b, IN_CREATE), nullptr);
  watches_.EndRound();
  EXPECT_TRUE(IsWatched(a));
  EXPECT_TRUE(IsWatched(b));
  watches_.BeginRound();
  ASSERT_NE(watches_.Add(b, IN_CREATE), nullptr);
  watches_.EndRound();
  EXPECT_FALSE(IsWatched(a));
  EXPECT_TRUE(IsWatched(b));
}

TEST_F(FolderWatchesTest, AFolderIsOneWatchInARound) {
  const std::string folder = Folder("a");
  watches_.BeginRound();
  watches_.Add(folder, IN_CREATE)->names.insert("link");
  EXPECT_TRUE(watches_.Add(folder, IN_DELETE)->names.contains("link"));
  watches_.EndRound();
  watches_.BeginRound();
  EXPECT_TRUE(watches_.Add(folder, IN_CREATE)->names.empty());
}

TEST_F(FolderWatchesTest, SayWhyThereIsNone) {
  watches_.BeginRound();
  EXPECT_EQ(watches_.Add(dir_ / "none", IN_CREATE), nullptr);
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(FolderWatchesTest, EndBeneathAFolderThatIsMoved) {
  const std::string moved = Folder("a");
  const std::string inner = Folder("a/b");
  const std::string other = Folder("c");
  const std::string step = Folder("a/step");
  watches_.BeginRound();
  for (const std::string& folder : {moved, inner, other, step}) AddOfTree(folder);
  AddOfTree(step)->names.insert("link");
  watches_.EndRound();
  watches_.EndBeneath(moved);
  EXPECT_FALSE(IsWatched(moved));
  EXPECT_FALSE(IsWatched(inner));
  EXPECT_TRUE(IsWatched(other));
  EXPECT_TRUE(IsWatched(step));
}

}  // namespace
}  // namespace bindery::manifests
