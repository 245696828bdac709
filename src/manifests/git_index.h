#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/expected.h"

namespace bindery {

/// A file that the index of a git work tree tells of.
struct GitIndexFile {
  std::string path;  ///< Relative to the work tree.
  std::string id;    ///< Of its content, in hex digits.

  bool operator==(const GitIndexFile&) const = default;
};

/// Reads an index (`.git/index`) of version 2, 3 or 4, with ids of SHA-1 or SHA-256: the files and
/// links that belong into the work tree, sorted by path. Not those that a sparse checkout leaves
/// out, nor those that are only going to be added, nor the work trees of submodules. Of a split
/// index only what it holds itself.
///
/// kInvalidArgument: it is damaged or not wholly there, or of another version. Any bytes may be
/// given: nothing beyond them is read. Format: gitformat-index(5).
[[nodiscard]] Expected<std::vector<GitIndexFile>> ParseGitIndex(std::string_view bytes);

}  // namespace bindery
