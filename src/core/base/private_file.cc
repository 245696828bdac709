#include "core/base/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <tuple>

namespace bindery {

int OpenPrivateFile(const std::string& path, int flags, unsigned mode) {
  // Without O_NONBLOCK a pipe at the path would be waited for.
  const int file =
      ::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, static_cast<mode_t>(mode));
  if (file < 0) return file;
  struct stat found = {};
  if (::fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) {
    ::close(file);
    errno = EINVAL;
    return -1;
  }
  // Fails for a second user's file, whose mode is the user's matter.
  if ((found.st_mode & S_IRWXO) != 0) {
    std::ignore = ::fchmod(file, found.st_mode & (S_IRWXU | S_IRWXG));
  }
  return file;
}

std::string PrivateFileFailure(int error) {
  if (error == ELOOP) return "it is a link, and bindery follows no link there";
  if (error == EINVAL || error == ENXIO) return "it is not a regular file";
  return std::generic_category().message(error);
}

}  // namespace bindery
