#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "manifests/directory/listing.h"

namespace bindery {

/// Files and folders that left their place, with their last stamp.
using GoneFiles = std::vector<std::pair<std::string, FileStamp>>;

/// Looks for `gone` in folders that are not read (`folders`, with all below them): a trash, what a
/// tool keeps of former versions, `lost+found`, a folder that was given a dot. Gives where each is
/// now, with the inode there. It is known by its inode, or by size and time under a name that
/// begins alike. Looks at 20,000 names at most, and not deeper than 8 folders.
[[nodiscard]] std::map<std::string, std::uint64_t> FindMovedFiles(
    const OpenRoot& root, const std::vector<std::string>& folders, const GoneFiles& gone);

}  // namespace bindery
