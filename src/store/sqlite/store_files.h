#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/mutex.h"
#include "store/ports/store_health.h"

namespace bindery::store {

/// How many bytes must be free on a file system of `size` bytes before a full one counts as usable
/// again: some pages of the -wal file may still be rewritten on a full disk.
[[nodiscard]] std::uint64_t RoomNeeded(std::uint64_t size);

/// The files of an open database. SQLite goes on reading and writing files that were unlinked or
/// replaced, and says nothing: whether what is open is still what is at the paths has to be looked
/// at. Thread-safe.
class StoreFiles {
 public:
  /// Remembers the present files at `path` and beside it; call right after the opening.
  explicit StoreFiles(std::string path);

  /// Nothing while the files are the opened files. A few stat() calls.
  [[nodiscard]] std::optional<StoreFault> Look() const;

  /// Nothing while the file system takes writes. With `room`, it must also have some space left.
  [[nodiscard]] std::optional<StoreFault> LookAtFileSystem(bool room) const;

  /// Removes the -wal and -shm files of a database that is no longer at its path: the next database
  /// at the path must not read these files.
  void RemoveOrphans() const;

 private:
  struct Identity {
    ::dev_t device = 0;
    ::ino_t inode = 0;
    bool operator==(const Identity&) const = default;
  };
  struct Companion {
    std::string path;
    std::optional<Identity> opened;  ///< Not set: it was not there yet.
  };

  [[nodiscard]] static std::optional<Identity> GetIdentity(const std::string& path);

  const std::string path_;
  const std::optional<Identity> database_;
  mutable Mutex mutex_;
  mutable std::array<Companion, 2> companions_ GUARDED_BY(mutex_);
};

}  // namespace bindery::store
