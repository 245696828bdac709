#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/expected.h"

namespace bindery::store {

/// The exclusive right to write to a store: an flock() on a separate file, which the kernel gives
/// back when the process ends, however it ends. The file holds the owner's process id, for the
/// message to the second process, and stays behind empty. The database is locked too, because a
/// second name of it (a link) has a lock file of its own.
class LockFile {
 public:
  /// kFailedPrecondition when a second process (or a second LockFile of this process) holds the
  /// lock: "the store "…" is in use by process 123: " and the remedy. kPermissionDenied when the
  /// file cannot be made.
  [[nodiscard]] static Expected<LockFile> Take(const std::string& store_path,
                                               std::string_view advice);

  /// Locks the database that is at the path by now, which a start may have made or replaced.
  /// kFailedPrecondition when another process has it, by another name or lock file. File systems
  /// without such locks are left to the lock file.
  [[nodiscard]] Expected<void> LockDatabase();

  /// Whether the file at the path still is the locked file: otherwise a second daemon can take the
  /// store.
  [[nodiscard]] bool Holds() const;

  /// Makes and locks a removed file again. kFailedPrecondition when a new file exists at the path:
  /// a second daemon may have, or may have had, the store.
  [[nodiscard]] Expected<void> Renew();

  ~LockFile();
  LockFile(LockFile&& other) noexcept
      : store_(std::move(other.store_)),
        advice_(std::move(other.advice_)),
        descriptor_(std::exchange(other.descriptor_, -1)),
        database_(std::exchange(other.database_, -1)) {}
  LockFile& operator=(LockFile&& other) noexcept {
    std::swap(store_, other.store_);
    std::swap(advice_, other.advice_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(database_, other.database_);
    return *this;
  }
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

 private:
  LockFile(std::string store, std::string_view advice, int descriptor)
      : store_(std::move(store)), advice_(advice), descriptor_(descriptor) {}
  [[nodiscard]] std::string Path() const { return store_ + ".lock"; }

  std::string store_;
  std::string advice_;
  int descriptor_;
  int database_ = -1;  ///< Open as long as the lock on it is to last.
};

}  // namespace bindery::store
