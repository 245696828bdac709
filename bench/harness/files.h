#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bindery::bench {

/// A new folder, removed with everything in it.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] std::string operator/(std::string_view name) const {
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

/// The whole file; empty when it is not there.
[[nodiscard]] std::string ReadText(const std::string& path);
/// Replaces the file.
void WriteText(const std::string& path, std::string_view text);
/// The size of the file; 0 when it is not there.
[[nodiscard]] double FileBytes(const std::string& path);
/// Whether the folder is of a file system that has no disk (tmpfs, ramfs).
[[nodiscard]] bool IsInMemory(const std::string& folder);

}  // namespace bindery::bench
