#include "store/sqlite/store_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/base/quoted.h"

namespace bindery::store {
namespace {

StoreFault Lost(const std::string& message, bool gone = false) {
  StoreFault fault;
  fault.error.code = Code::kUnavailable;
  fault.error.message = message;
  fault.lost = true;
  fault.gone = gone;
  fault.older = !gone;
  return fault;
}

StoreFault Fault(Code code, const std::string& message) {
  StoreFault fault;
  fault.error.code = code;
  fault.error.message = message;
  return fault;
}

std::string SystemErrorText(int error) { return std::generic_category().message(error); }

}  // namespace

std::uint64_t RoomNeeded(std::uint64_t size) {
  constexpr std::uint64_t kMost = 1U << 20U;
  // A small one never has as much to spare.
  constexpr std::uint64_t kShare = 16;
  return std::min(kMost, size / kShare);
}

StoreFiles::StoreFiles(std::string path)
    : path_(std::move(path)),
      database_(GetIdentity(path_)),
      companions_{{{path_ + "-wal", GetIdentity(path_ + "-wal")},
                   {path_ + "-shm", GetIdentity(path_ + "-shm")}}} {}

std::optional<StoreFiles::Identity> StoreFiles::GetIdentity(const std::string& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return Identity{found.st_dev, found.st_ino};
}

std::optional<StoreFault> StoreFiles::Look() const {
  struct stat found = {};
  if (::stat(path_.c_str(), &found) != 0) {
    const int why = errno;
    if (why == ENOENT || why == ENOTDIR) {
      return Lost("the store " + Quoted(path_) + " was deleted or moved while it was open",
                  /*gone=*/true);
    }
    return Fault(Code::kUnavailable,
                 "the store " + Quoted(path_) + " cannot be looked at: " + SystemErrorText(why));
  }
  if (database_ != Identity{found.st_dev, found.st_ino}) {
    return Lost("the store " + Quoted(path_) + " was replaced by another file while it was open");
  }
  if (found.st_size == 0) {
    return Lost("the store " + Quoted(path_) + " was emptied while it was open");
  }
  const MutexLock lock(mutex_);
  for (Companion& companion : companions_) {
    const auto now = GetIdentity(companion.path);
    if (!companion.opened) companion.opened = now;
    if (companion.opened == now) continue;
    return Lost("the file " + Quoted(companion.path) +
                " was deleted or replaced while the store was open");
  }
  return std::nullopt;
}

std::optional<StoreFault> StoreFiles::LookAtFileSystem(bool room) const {
  struct statvfs system = {};
  if (::statvfs(path_.c_str(), &system) != 0) {
    return Fault(Code::kUnavailable,
                 "the file system of the store cannot be looked at: " + SystemErrorText(errno));
  }
  if ((system.f_flag & ST_RDONLY) != 0) {
    return Fault(Code::kPermissionDenied, "the file system of the store is mounted read-only");
  }
  if (::faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0) {
    return Fault(Code::kPermissionDenied,
                 "the store " + Quoted(path_) + " cannot be written: " + SystemErrorText(errno));
  }
  const std::uint64_t free = ::geteuid() == 0 ? system.f_bfree : system.f_bavail;
  if (room && free * system.f_frsize < RoomNeeded(system.f_blocks * system.f_frsize)) {
    return Fault(Code::kResourceExhausted, "the disk of the store is full");
  }
  return std::nullopt;
}

void StoreFiles::RemoveOrphans() const {
  if (GetIdentity(path_) == database_) return;
  const MutexLock lock(mutex_);
  for (const Companion& companion : companions_) {
    if (companion.opened && GetIdentity(companion.path) == companion.opened) {
      ::unlink(companion.path.c_str());
    }
  }
}

}  // namespace bindery::store
