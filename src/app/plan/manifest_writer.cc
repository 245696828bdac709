#include "app/plan/manifest_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/base/whole_file.h"
#include "manifests/files/descriptor.h"

namespace bindery {
namespace {

/// A file under a name that scans ignore, deleted by its owner.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& folder)
      : path_((folder / ".bindery-import-XXXXXX").string()),
        descriptor_(::mkostemp(path_.data(), O_CLOEXEC)) {}
  ~TemporaryFile() {
    if (descriptor_.valid()) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] int fd() const { return descriptor_.get(); }
  [[nodiscard]] const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
  Descriptor descriptor_;
};

/// As any new file of this process would be: a temporary one is its owner's alone.
bool ShareAsUsual(int fd) {
  constexpr ::mode_t kEverybody = 0666;
  const ::mode_t mask = ::umask(0);
  ::umask(mask);
  return ::fchmod(fd, kEverybody & ~mask) == 0;
}

tl::unexpected<Error> CannotWrite(const std::filesystem::path& file) {
  const int error = errno;
  if (error == EEXIST) {
    return Fail(Code::kAlreadyExists,
                "\"" + file.string() + "\" exists already: it is never overwritten");
  }
  return Fail(Code::kFailedPrecondition,
              "\"" + file.string() + "\" cannot be written: " + SystemText(error));
}

}  // namespace

Expected<void> WriteNewFile(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path folder = file.parent_path();
  const TemporaryFile temporary(folder);
  if (temporary.fd() < 0) return CannotWrite(file);
  if (!WriteAll(temporary.fd(), text) || !ShareAsUsual(temporary.fd()) ||
      ::fsync(temporary.fd()) != 0) {
    return CannotWrite(file);
  }
  // Unlike a renaming, a link replaces nothing.
  if (::link(temporary.path(), file.c_str()) != 0) return CannotWrite(file);
  SyncFolder(folder.string());
  return {};
}

Expected<void> ReplaceFile(const std::filesystem::path& file, const std::string& text) {
  std::error_code failure;
  const std::filesystem::path real = std::filesystem::canonical(file, failure);
  struct ::stat before = {};
  if (failure || ::stat(real.c_str(), &before) != 0) return CannotWrite(file);
  // A file that may not be written is not replaced either.
  if (::access(real.c_str(), W_OK) != 0) return CannotWrite(file);
  const TemporaryFile temporary(real.parent_path());
  if (temporary.fd() < 0) return CannotWrite(file);
  if (!WriteAll(temporary.fd(), text) ||
      ::fchown(temporary.fd(), before.st_uid, before.st_gid) != 0 ||
      ::fchmod(temporary.fd(), before.st_mode) != 0 || ::fsync(temporary.fd()) != 0 ||
      !MoveIntoPlace(temporary.path(), real.string())) {
    return CannotWrite(file);
  }
  return {};
}

}  // namespace bindery
