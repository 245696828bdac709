#include "manifests/files/open_for_writing.h"

#include <fcntl.h>

#include <cerrno>

namespace bindery::manifests {

std::optional<bool> IsOpenForWriting(int fd) {
  if (::fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
    ::fcntl(fd, F_SETLEASE, F_UNLCK);
    return false;
  }
  if (errno == EAGAIN) return true;
  return std::nullopt;
}

}  // namespace bindery::manifests
