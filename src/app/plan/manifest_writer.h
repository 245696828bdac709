#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace bindery {

/// Writes a new file into a folder atomically: readers see all of it or nothing. kAlreadyExists
/// when there is a file of the name, which stays unchanged.
[[nodiscard]] Expected<void> WriteNewFile(const std::filesystem::path& file,
                                          const std::string& text);

/// A file to be.
struct NewManifestFile {
  std::string name;  ///< Without a folder.
  std::string text;
};

/// Writes new files into a folder, all or none, with one synchronization of the disk for all of
/// them. kAlreadyExists when there is a file of one of the names. A process that ends in the middle
/// may leave some of the files, each of them whole.
[[nodiscard]] Expected<void> WriteNewFiles(const std::filesystem::path& folder,
                                           const std::vector<NewManifestFile>& files);

/// Replaces the text of an existing file, in one step and with the same owner and mode: follows a
/// link.
[[nodiscard]] Expected<void> ReplaceFile(const std::filesystem::path& file,
                                         const std::string& text);

}  // namespace bindery
