#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manifests/files/directory_facts.h"

namespace bindery::manifests {

/// Whether a folder is a work tree of Mercurial, Sapling, Breezy or Subversion. Blocks.
[[nodiscard]] bool IsOtherWorkTree(const std::string& folder);

/// These work trees that hold `directory` (absolute, without links). Blocks.
[[nodiscard]] std::vector<std::string> OtherWorkTreesAbove(const std::string& directory);

/// What such a version control system has begun in its work tree and not ended. A command that was
/// killed leaves the same signs, until another command completes or reverts the work. Blocks.
[[nodiscard]] std::optional<Disturbance> OtherWorkUnderWay(const std::string& tree);

}  // namespace bindery::manifests
