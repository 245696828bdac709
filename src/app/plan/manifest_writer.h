#pragma once

#include <filesystem>
#include <string>

#include "core/base/expected.h"

namespace bindery {

/// Writes a new file into a folder atomically: readers see all of it or nothing. kAlreadyExists
/// when there is a file of the name, which stays unchanged.
[[nodiscard]] Expected<void> WriteNewFile(const std::filesystem::path& file,
                                          const std::string& text);

/// Replaces the text of an existing file, in one step and with the same owner and mode: follows a
/// link.
[[nodiscard]] Expected<void> ReplaceFile(const std::filesystem::path& file,
                                         const std::string& text);

}  // namespace bindery
