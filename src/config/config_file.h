#pragma once

#include <filesystem>
#include <string>

#include "core/base/expected.h"

namespace bindery::config {

/// The text of a small file, at most 1 MiB. kInvalidArgument "cannot be read: …".
[[nodiscard]] Expected<std::string> ReadConfigFile(const std::filesystem::path& file);

}  // namespace bindery::config
