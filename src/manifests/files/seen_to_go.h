#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manifests/files/directory_facts.h"
#include "manifests/files/git_index.h"

namespace bindery::manifests {

/// Files that went while somebody looked. Where git's index still tells of such a file, somebody
/// deleted the file; of all others that are missing a checkout was not finished. Paths are relative
/// to the directory. Pure.
class SeenToGo {
 public:
  /// A known file is gone.
  void Note(std::string path) { gone_.insert(std::move(path)); }
  /// The index says `now`, and said `before`; both are sorted by path. What went while the index
  /// got another content for it is being checked out.
  void IndexChanged(const std::vector<GitIndexFile>& before, const std::vector<GitIndexFile>& now);
  /// The report of a missing file of the index.
  [[nodiscard]] UnreadItem Missing(const GitIndexFile& file) const;
  /// Forgets all further paths.
  void Keep(const std::set<std::string>& paths);

 private:
  std::set<std::string> gone_;
};

/// Enough of an id to distinguish ids, and short enough to need no separate memory.
inline constexpr std::size_t kIdDigits = 15;

}  // namespace bindery::manifests
