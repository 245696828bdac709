#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "manifests/directory/listing.h"

namespace bindery::manifests {

/// Files and folders that left their place, with their last stamp.
using GoneFiles = std::vector<std::pair<std::string, FileStamp>>;

/// Looks for `gone` in `folders`, with all below: a trash, a tool's former versions, `lost+found`,
/// a folder with a leading dot. Scans never read such folders. Returns the new place of each file
/// found, with the inode there. Equal inodes prove a file, and so do equal size, time and beginning
/// of the name. Looks at 20,000 names at most, and not deeper than 8 folders.
[[nodiscard]] std::map<std::string, std::uint64_t> FindMovedFiles(
    const OpenRoot& root, const std::vector<std::string>& folders, const GoneFiles& gone);

}  // namespace bindery::manifests
