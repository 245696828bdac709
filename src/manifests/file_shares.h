#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "manifests/listing.h"

namespace bindery {

/// Some files of one folder: those at `from` … `to` of its list, which are not none.
struct FileShare {
  std::size_t folder = 0;  ///< Its place among the folders.
  std::size_t from = 0;
  std::size_t to = 0;
};

/// Calls `work` until all files of all folders were given to it once, on all cores where there are
/// many. Several calls run at the same time: what one writes no other may touch.
void FilesInShares(const std::vector<ListedFolder>& folders,
                   const std::function<void(const FileShare& share)>& work);

}  // namespace bindery
