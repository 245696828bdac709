#include "manifests/directory/file_shares.h"

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

namespace bindery::manifests {
namespace {

/// How often each file of each folder was given to the work.
std::vector<std::vector<int>> Given(const std::vector<std::size_t>& sizes) {
  std::vector<ListedFolder> folders;
  std::vector<std::vector<int>> given;
  for (const std::size_t size : sizes) {
    ListedFolder& folder = folders.emplace_back();
    for (std::size_t i = 0; i < size; ++i) folder.files.push_back(folder.Named("a.yaml"));
    given.emplace_back(size);
  }
  std::mutex mutex;
  FilesInShares(folders, [&](const FileShare& share) {
    const std::lock_guard lock(mutex);
    EXPECT_LT(share.from, share.to);
    for (std::size_t i = share.from; i < share.to; ++i) ++given.at(share.folder).at(i);
  });
  return given;
}

TEST(FilesInShares, GiveEachFileOnce) {
  struct Case {
    const char* what;
    std::vector<std::size_t> sizes;
  };
  const std::vector<Case> cases = {
      {"no folder", {}},
      {"folders without files", {0, 0}},
      {"one file", {0, 1, 0}},
      {"few", {3, 0, 2}},
      {"enough for several threads", {0, 5'000, 1, 0, 12'000, 7}},
      {"one large folder", {20'000}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    std::vector<std::vector<int>> once;
    for (const std::size_t size : one.sizes) once.emplace_back(size, 1);
    EXPECT_EQ(Given(one.sizes), once);
  }
}

}  // namespace
}  // namespace bindery::manifests
