#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace bindery::manifests {

/// Files that were written to and not closed since, as far as events of inotify tell.
class OpenWrites {
 public:
  /// An event of a file at a real path.
  void Note(const std::string& path, std::uint32_t mask);
  /// Events were lost, perhaps the event of a closing.
  void Clear() { paths_.clear(); }

  /// The paths below the folder `root`, relative to it. Forgets all further paths: a file that is
  /// gone, or lies elsewhere now, is not waited for. A `root` of "" has none.
  [[nodiscard]] std::vector<std::string> FindBelow(const std::string& root);

 private:
  std::set<std::string> paths_;
};

}  // namespace bindery::manifests
