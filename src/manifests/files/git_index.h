#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"

namespace bindery::manifests {

/// A file, or the folder of a submodule, that the index of a git work tree tells of.
struct GitIndexFile {
  std::string path;  ///< Relative to the work tree.
  std::string id;    ///< Of its content, in hex digits; of a submodule, of its commit.
  bool submodule = false;
  /// The index has no size and no time of the file: the author of the entry did not write the file.
  bool unwritten = false;

  bool operator==(const GitIndexFile&) const = default;
};

/// Gives the bytes of a file beside the index; nothing: it cannot be read.
using GitIndexNeighbour = std::function<std::optional<std::string>(const std::string& name)>;

/// Reads an index (`.git/index`) of version 2, 3 or 4, with ids of SHA-1 or SHA-256: the files and
/// links that belong into the work tree, and its submodules, sorted by path. Not those that a
/// sparse checkout leaves out, nor those that are only going to be added. `neighbour` is asked for
/// the shared half of a split index.
///
/// kInvalidArgument: damaged, incomplete, or of an unknown version; or the shared half is. Any
/// bytes may be given: nothing beyond them is read. Format: gitformat-index(5).
[[nodiscard]] Expected<std::vector<GitIndexFile>> ParseGitIndex(
    std::string_view bytes, const GitIndexNeighbour& neighbour = {});

}  // namespace bindery::manifests
