#pragma once

#include <optional>
#include <string>

#include "manifests/directory_facts.h"

namespace bindery {

/// The git repository whose work tree a directory belongs to.
class GitWork {
 public:
  /// Looks for `.git` in `directory` (absolute, without links) and the folders above it. Blocks.
  explicit GitWork(const std::string& directory);

  /// What git has begun in that work tree and not ended: a command that holds `index.lock`, a
  /// merge, a rebase. Nothing when there is no repository.
  [[nodiscard]] std::optional<Disturbance> UnderWay() const;

 private:
  std::string folder_;  ///< Git's own folder; empty when there is none.
  std::string shown_;   ///< How it is named to people.
};

}  // namespace bindery
