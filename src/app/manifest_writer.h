#pragma once

#include <filesystem>
#include <string>

#include "core/expected.h"

namespace bindery {

/// Writes a new file into a folder atomically: readers see all of it or nothing. kAlreadyExists
/// when there is a file of the name, which stays unchanged.
[[nodiscard]] Expected<void> WriteNewFile(const std::filesystem::path& file,
                                          const std::string& text);

/// Puts another text into a file that exists, in one step and with the owner and mode it had: a
/// link is followed.
[[nodiscard]] Expected<void> ReplaceFile(const std::filesystem::path& file,
                                         const std::string& text);

}  // namespace bindery
