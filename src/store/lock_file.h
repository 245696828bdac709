#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/expected.h"

namespace bindery::store {

/// The exclusive right to write to a store: an flock() on a file of its own, which the kernel gives
/// back when the process ends, however it ends. The file holds the owner's process id, for the
/// message to whoever comes second, and stays behind empty.
class LockFile {
 public:
  /// kFailedPrecondition when another process (or another LockFile of this one) holds it:
  /// "the store "…" is in use by process 123: " and what to do. kPermissionDenied when the file
  /// cannot be made.
  [[nodiscard]] static Expected<LockFile> Take(const std::string& store_path,
                                               std::string_view advice);

  ~LockFile();
  LockFile(LockFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  LockFile& operator=(LockFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

 private:
  explicit LockFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace bindery::store
