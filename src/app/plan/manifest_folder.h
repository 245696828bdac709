#pragma once

#include <filesystem>
#include <string>

#include "core/base/expected.h"

namespace bindery::app {

/// Makes the folders of a file below the manifests directory. kFailedPrecondition: the directory
/// itself does not exist, because a missing directory is an error and not empty; or a link leads
/// out of the directory.
[[nodiscard]] Expected<void> MakeFoldersBelow(const std::filesystem::path& directory,
                                              const std::filesystem::path& file);

/// Writes a new file below the manifests directory, as WriteNewFile(), with the necessary folders.
/// Errors as of both.
[[nodiscard]] Expected<void> WriteNewBelow(const std::filesystem::path& directory,
                                           const std::filesystem::path& file,
                                           const std::string& text);

}  // namespace bindery::app
