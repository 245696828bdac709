#include "core/base/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <tuple>

#include "core/base/private_file.h"

namespace bindery {
namespace {

std::string GetFolder(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == 0) return "/";
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

}  // namespace

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::optional<std::string> ReadAll(int fd, std::size_t size) {
  // `size` may be a limit, far above the length of the file.
  constexpr std::size_t kFirst = std::size_t{64} << 10U;
  std::string bytes;
  std::size_t done = 0;
  while (done < size) {
    if (done == bytes.size()) bytes.resize(std::min(size, std::max(kFirst, 2 * done)));
    const ssize_t count = ::read(fd, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

void SyncFolder(const std::string& folder) {
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  std::ignore = ::fsync(fd);
  ::close(fd);
}

bool MoveIntoPlace(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return false;
  SyncFolder(GetFolder(to));
  return true;
}

bool ReplacePrivateFile(const std::string& path, std::string_view text, bool to_disk) {
  const std::string unfinished = path + ".new";
  const int fd = OpenPrivateFile(unfinished, O_WRONLY | O_CREAT | O_TRUNC);
  if (fd < 0) return false;
  bool done = WriteAll(fd, text) && (!to_disk || ::fsync(fd) == 0);
  int failure = errno;
  ::close(fd);
  if (done) {
    done =
        to_disk ? MoveIntoPlace(unfinished, path) : ::rename(unfinished.c_str(), path.c_str()) == 0;
    failure = errno;
  }
  if (!done) ::unlink(unfinished.c_str());
  errno = failure;
  return done;
}

}  // namespace bindery
