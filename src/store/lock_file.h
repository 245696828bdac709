#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/expected.h"

namespace bindery::store {

/// The exclusive right to write to a store: an flock() on a file of its own, which the kernel gives
/// back when the process ends, however it ends. The file holds the owner's process id, for the
/// message to the second process, and stays behind empty.
class LockFile {
 public:
  /// kFailedPrecondition when another process (or another LockFile of this one) holds it:
  /// "the store "…" is in use by process 123: " and what to do. kPermissionDenied when the file
  /// cannot be made.
  [[nodiscard]] static Expected<LockFile> Take(const std::string& store_path,
                                               std::string_view advice);

  /// Whether the file at the path still is the one that is locked: without it a second daemon takes
  /// the store.
  [[nodiscard]] bool Holds() const;

  /// Makes and locks a file that was removed. kFailedPrecondition when another file is there:
  /// another daemon may have, or may have had, the store.
  [[nodiscard]] Expected<void> Renew();

  ~LockFile();
  LockFile(LockFile&& other) noexcept
      : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
  LockFile& operator=(LockFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

 private:
  LockFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  std::string path_;
  int descriptor_;
};

}  // namespace bindery::store
