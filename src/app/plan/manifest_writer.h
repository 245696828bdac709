#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace bindery::app {

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

class StagingFolder;

/// New files, batch by batch: the files of a batch are seen together, each of them whole, after one
/// synchronization of the disk for all of them. A process that ends in the middle leaves the files
/// of the batches before, and of the last batch some or none. For one thread.
class NewFileBatches {
 public:
  /// `folder`: an existing one, in which the texts of a batch wait.
  explicit NewFileBatches(std::filesystem::path folder);
  ~NewFileBatches();
  NewFileBatches(const NewFileBatches&) = delete;
  NewFileBatches& operator=(const NewFileBatches&) = delete;

  /// Takes a file into the batch; the folder of the file exists. kAlreadyExists when there is a
  /// file of the name, or the batch has one.
  [[nodiscard]] Expected<void> Add(const std::filesystem::path& file, const std::string& text);

  /// Ends the batch. After an error some files of the batch may be missing.
  [[nodiscard]] Expected<void> Place();

 private:
  [[nodiscard]] bool IsElsewhere(const std::filesystem::path& folder) const;

  const std::filesystem::path folder_;
  std::unique_ptr<StagingFolder> staging_;    ///< Made with the first file.
  std::vector<std::filesystem::path> files_;  ///< Of the batch, by the number of the waiting text.
  std::set<std::filesystem::path> names_;     ///< The same.
};

/// Replaces the text of an existing file, in one step and with the same owner and mode: follows a
/// link.
[[nodiscard]] Expected<void> ReplaceFile(const std::filesystem::path& file,
                                         const std::string& text);

}  // namespace bindery::app
