#include "store/sqlite/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <system_error>
#include <tuple>

#include "core/base/private_file.h"

namespace bindery::store {
namespace {

Code GetCode(int error) {
  if (error == EACCES || error == EPERM || error == EROFS) return Code::kPermissionDenied;
  if (error == ENOSPC || error == EDQUOT) return Code::kResourceExhausted;
  return Code::kFailedPrecondition;
}

tl::unexpected<Error> CannotLock(const std::string& path, const std::error_code& failure) {
  const Code code = GetCode(failure.value());
  return Fail(code, "cannot lock the store with \"" + path +
                        "\": " + PrivateFileFailure(failure.value()) +
                        (code == Code::kPermissionDenied
                             ? "; the user who runs bindery must be allowed to write there"
                             : ""));
}

std::string OwnerText(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  const std::string_view read(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::string digits(read.substr(0, read.find_first_not_of("0123456789")));
  return digits.empty() ? "another process" : "process " + digits;
}

void WriteOwner(int descriptor) {
  const std::string text = std::to_string(::getpid()) + "\n";
  // Only for a message: the lock does not depend on the text.
  std::ignore = ::ftruncate(descriptor, 0);
  std::ignore = ::pwrite(descriptor, text.data(), text.size(), 0);
}

/// The file at the path is the open file.
bool IsOpenAt(int descriptor, const std::string& path) {
  struct stat open = {};
  struct stat there = {};
  return descriptor >= 0 && ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &there) == 0 &&
         open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

}  // namespace

Expected<LockFile> LockFile::Take(const std::string& store_path, std::string_view advice) {
  const std::string path = store_path + ".lock";
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failure;
  if (!folder.empty()) std::filesystem::create_directories(folder, failure);
  if (failure) return CannotLock(path, failure);

  const int descriptor = OpenPrivateFile(path, O_RDWR | O_CREAT);
  if (descriptor < 0) return CannotLock(path, {errno, std::generic_category()});
  LockFile lock(store_path, advice, descriptor);

  int taken = ::flock(descriptor, LOCK_EX | LOCK_NB);
  while (taken != 0 && errno == EINTR) taken = ::flock(descriptor, LOCK_EX | LOCK_NB);
  if (taken == 0) {
    WriteOwner(descriptor);
    if (auto locked = lock.LockDatabase(); !locked) return Fail(locked.error());
    return lock;
  }
  if (errno != EWOULDBLOCK) {
    const std::error_code why{errno, std::generic_category()};
    ::close(std::exchange(lock.descriptor_, -1));
    return CannotLock(path, why);
  }
  const std::string owner = OwnerText(descriptor);
  ::close(std::exchange(lock.descriptor_, -1));  // not ours: the owner's id must stay in the file
  return Fail(Code::kFailedPrecondition, "the store \"" + store_path + "\" is in use by " + owner +
                                             ": " + std::string(advice));
}

Expected<void> LockFile::LockDatabase() {
  if (IsOpenAt(database_, store_)) return {};
  const int database = ::open(store_.c_str(), O_RDWR | O_CLOEXEC);
  // The next opener reports a file that cannot be opened.
  if (database < 0) return {};
  struct flock range = {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  // Behind all of SQLite's locks: a byte that a database has no use for, by a lock that belongs to
  // the descriptor and ends with no other descriptor.
  range.l_start = std::numeric_limits<std::int64_t>::max() - 1;
  range.l_len = 1;
  if (::fcntl(database, F_OFD_SETLK, &range) != 0 && (errno == EAGAIN || errno == EACCES)) {
    ::close(database);
    return Fail(Code::kFailedPrecondition,
                "the store \"" + store_ +
                    "\" is in use by another process, by another name or lock file: " + advice_);
  }
  if (database_ >= 0) ::close(database_);
  database_ = database;
  return {};
}

bool LockFile::Holds() const { return IsOpenAt(descriptor_, Path()); }

Expected<void> LockFile::Renew() {
  const std::string path = Path();
  const int descriptor = OpenPrivateFile(path, O_RDWR | O_CREAT | O_EXCL);
  if (descriptor < 0 && errno == EEXIST) {
    return Fail(Code::kFailedPrecondition,
                "the lock file \"" + path + "\" was replaced: another daemon may use the store");
  }
  if (descriptor < 0) return CannotLock(path, {errno, std::generic_category()});
  LockFile renewed(store_, advice_, descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return CannotLock(path, {errno, std::generic_category()});
  }
  WriteOwner(descriptor);
  std::swap(descriptor_, renewed.descriptor_);
  return {};
}

LockFile::~LockFile() {
  if (database_ >= 0) ::close(database_);
  if (descriptor_ < 0) return;
  std::ignore = ::ftruncate(descriptor_, 0);
  ::close(descriptor_);
}

}  // namespace bindery::store
