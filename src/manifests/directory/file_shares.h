#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "manifests/directory/listing.h"

namespace bindery::manifests {

/// Some files of one folder: the files at `from` … `to` of its list, at least one.
struct FileShare {
  std::size_t folder = 0;  ///< Its place among the folders.
  std::size_t from = 0;
  std::size_t to = 0;
};

/// Calls `work` with each file of each folder once, on all cores if the files are many. Several
/// calls run at the same time and must not write shared data.
void FilesInShares(const std::vector<ListedFolder>& folders,
                   const std::function<void(const FileShare& share)>& work);

}  // namespace bindery::manifests
