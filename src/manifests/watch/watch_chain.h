#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bindery::manifests {

/// A name in a folder that decides the target of a path.
struct WatchStep {
  std::string folder;  ///< Real path.
  std::string name;
  bool operator==(const WatchStep&) const = default;
};

/// The resolution of a path, and its target.
struct WatchChain {
  /// Every link on the way, the last component, and the first one that is missing: nothing else can
  /// make the path lead elsewhere, but for the moving of a folder above.
  std::vector<WatchStep> steps;
  std::string real_path;  ///< "" when it leads to no directory.
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const WatchChain&) const = default;
};

/// Resolves an absolute path. Never fails: what is missing ends the chain.
[[nodiscard]] WatchChain ResolveChain(const std::string& path);

/// Why inotify cannot be relied on for the file system `path` lies on, "" when it can: network and
/// user-space file systems do not tell of what others change.
[[nodiscard]] std::string WhyUnwatchable(const std::string& path);

}  // namespace bindery::manifests
