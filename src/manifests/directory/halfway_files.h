#pragma once

#include <vector>

#include "manifests/directory/listing.h"
#include "manifests/files/directory_facts.h"

namespace bindery::manifests {

/// Manifest files that a tool brought into the directory and did not put in their places: what is
/// behind the `..data` of a ConfigMap volume without a link that shows it, and what rsync keeps
/// aside (`--delay-updates`, `--partial-dir`). The tool is at work, or was killed. Blocks: looks
/// into the folders.
[[nodiscard]] std::vector<UnreadItem> FilesHalfway(const OpenRoot& root, const Listing& listing,
                                                   bool recursive);

}  // namespace bindery::manifests
