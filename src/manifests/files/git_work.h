#pragma once

#include <optional>
#include <string>

#include "manifests/files/directory_facts.h"

namespace bindery::manifests {

/// A git repository, by its work tree.
class GitWork {
 public:
  /// The repository whose work tree holds `directory` (absolute, without links). Blocks.
  [[nodiscard]] static GitWork Above(const std::string& directory);
  /// The repository of the `.git` in `folder` itself.
  [[nodiscard]] static GitWork In(const std::string& folder);

  /// What git has begun in the work tree and not ended: a command that holds `index.lock`, a merge,
  /// a rebase, a bisect. Nothing when no repository exists.
  [[nodiscard]] std::optional<Disturbance> UnderWay() const;

  /// Where the index is; "" when no repository exists.
  [[nodiscard]] std::string index() const;
  /// The folder that holds the `.git`: the root of the work tree.
  [[nodiscard]] const std::string& tree() const { return tree_; }

 private:
  bool Find(const std::string& folder);

  std::string tree_;
  std::string folder_;  ///< Git's own folder; empty when there is none.
  std::string shown_;   ///< How it is named to people.
};

}  // namespace bindery::manifests
