// Files that are written and read whole.

#include "core/base/whole_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>

#include "support/temp_dir.h"

namespace bindery {
namespace {

namespace fs = std::filesystem;

class WholeFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::size_t CountFiles() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(dir_.path()), fs::directory_iterator()));
  }

  testing::TempDir dir_;
  const std::string path_ = dir_ / "file";
};

TEST_F(WholeFile, IsReplacedAndClosedToOthers) {
  for (const bool to_disk : {false, true}) {
    for (const std::string text : {"first", "", "second and longer"}) {
      ASSERT_TRUE(ReplacePrivateFile(path_, text, to_disk));
      EXPECT_EQ(dir_.Read("file"), text);
    }
  }
  EXPECT_EQ(fs::status(path_).permissions() & (fs::perms::group_all | fs::perms::others_all),
            fs::perms::none);
  EXPECT_EQ(CountFiles(), 1U);
}

TEST_F(WholeFile, ALinkInItsPlaceIsReplacedAndLeadsNowhere) {
  dir_.Write("other", "as it was");
  fs::create_symlink(dir_ / "other", path_);
  ASSERT_TRUE(ReplacePrivateFile(path_, "text", /*to_disk=*/true));
  EXPECT_EQ(dir_.Read("other"), "as it was");
  EXPECT_FALSE(fs::is_symlink(path_));
}

TEST_F(WholeFile, ALinkBesideItIsNotFollowed) {
  dir_.Write("other", "as it was");
  fs::create_symlink(dir_ / "other", path_ + ".new");
  EXPECT_FALSE(ReplacePrivateFile(path_, "text", /*to_disk=*/true));
  EXPECT_EQ(errno, ELOOP);
  EXPECT_EQ(dir_.Read("other"), "as it was");
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(WholeFile, WhatCannotBeReplacedStaysAndNothingIsLeftBesideIt) {
  fs::create_directories(path_ + "/not-empty");
  EXPECT_FALSE(ReplacePrivateFile(path_, "text", /*to_disk=*/true));
  EXPECT_EQ(CountFiles(), 1U);
  EXPECT_FALSE(ReplacePrivateFile(dir_ / "nowhere/file", "text", /*to_disk=*/true));
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(WholeFile, IsReadToItsEndOrAsFarAsIsAsked) {
  dir_.Write("file", "0123456789");
  struct Case {
    std::size_t size;
    const char* text;
  };
  for (const Case& one :
       {Case{0, ""}, Case{4, "0123"}, Case{10, "0123456789"}, Case{99, "0123456789"}}) {
    const int fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(ReadAll(fd, one.size), one.text);
    ::close(fd);
  }
  EXPECT_EQ(ReadAll(-1, 4), std::nullopt);
}

TEST_F(WholeFile, ALongTextIsWrittenWhole) {
  const std::string text(1'000'000, 'x');
  dir_.Write("file", "");
  const int fd = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  EXPECT_TRUE(WriteAll(fd, text));
  ::close(fd);
  EXPECT_EQ(dir_.Read("file"), text);
  EXPECT_FALSE(WriteAll(-1, "x"));
  EXPECT_TRUE(WriteAll(-1, ""));
}

}  // namespace
}  // namespace bindery
