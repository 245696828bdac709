#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/directory/known_catalog.h"
#include "config/config.h"
#include "controller/claims/scan_input.h"
#include "core/base/expected.h"
#include "providers/registry/kinds.h"

namespace bindery::app {

/// Named files and directories, with the rest of the scan for their check.
struct GivenFiles {
  controller::ScanInput scan;   ///< All of them.
  std::size_t files = 0;        ///< That were named, or are in a directory that was.
  std::size_t manifests = 0;    ///< In these.
  std::set<std::string> named;  ///< These, and whatever else of them there are problems of.
};

/// Adds files, sorted by path, to a scan: their whole content, and warnings about ended
/// conditions.
void AddFiles(std::vector<manifests::SharedFile> files, controller::ScanInput& scan);

/// Reads the configured directory once, as `plan` does: no watching, no second look. Paths of
/// problems are relative to it, as the daemon shows them. `known`: the files of the store that the
/// catalog was loaded from, which are opened only where their stamps are others by now; nothing:
/// all are read.
[[nodiscard]] Expected<controller::ScanInput> ReadOnce(
    const config::ManifestsConfig& config, const providers::Kinds& kinds,
    std::optional<KnownManifests> known = std::nullopt);

/// The same for files and directories, with problems under the names that the user gave. For files
/// within the configured directory the rest of the directory is read as well, to check references
/// between manifests. kNotFound for a missing path.
[[nodiscard]] Expected<GivenFiles> ReadGiven(const config::ManifestsConfig& config,
                                             const providers::Kinds& kinds,
                                             const std::vector<std::string>& paths);

}  // namespace bindery::app
