#include "manifests/directory/file_shares.h"

#include <algorithm>
#include <iterator>

#include "core/base/parallel_for.h"

namespace bindery::manifests {

void FilesInShares(const std::vector<ListedFolder>& folders,
                   const std::function<void(const FileShare& share)>& work) {
  std::vector<std::size_t> begins;  // Of each folder's files, among all of them.
  begins.reserve(folders.size());
  std::size_t count = 0;
  for (const ListedFolder& folder : folders) {
    begins.push_back(count);
    count += folder.files.size();
  }
  if (count == 0) return;
  ParallelFor(count, [&](std::size_t from, std::size_t to) {
    auto begin = std::prev(std::upper_bound(begins.begin(), begins.end(), from));
    for (std::size_t at = from; at < to; ++begin) {
      const auto folder = static_cast<std::size_t>(begin - begins.begin());
      const std::size_t end = std::min(to, *begin + folders[folder].files.size());
      if (end > at) work({folder, at - *begin, end - *begin});
      at = end;
    }
  });
}

}  // namespace bindery::manifests
