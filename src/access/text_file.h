#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/expected.h"

namespace bindery::access {

/// A file of an administrator. kInvalidArgument, with the name of the file: no regular file, larger
/// than `most` MiB, or unreadable.
[[nodiscard]] Expected<std::ifstream> OpenTextFile(const std::filesystem::path& file,
                                                   std::size_t most);

/// The text of such a file; errors likewise.
[[nodiscard]] Expected<std::string> ReadTextFile(const std::filesystem::path& file,
                                                 std::size_t most);

}  // namespace bindery::access
