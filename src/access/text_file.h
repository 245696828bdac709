#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "core/base/expected.h"

namespace bindery::access {

/// The text of a file of an administrator. kInvalidArgument, with the name of the file: no regular
/// file, larger than `most` MiB, or unreadable.
[[nodiscard]] Expected<std::string> ReadTextFile(const std::filesystem::path& file,
                                                 std::size_t most);

}  // namespace bindery::access
