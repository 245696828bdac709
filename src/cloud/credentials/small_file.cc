#include "cloud/credentials/small_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace bindery::cloud {
namespace {

tl::unexpected<Error> Bad(const std::string& path, const std::string& why) {
  return Fail(Code::kUnauthenticated, CredentialFileName(path) + " " + why);
}

tl::unexpected<Error> Unreadable(const std::string& path, int reason) {
  return Bad(path, "cannot be read: " + std::generic_category().message(reason));
}

FileVersion GetVersion(const struct stat& status) {
  return {status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec};
}

class OpenFile {
 public:
  /// Not blocking: a pipe by the name must not hold us up.
  explicit OpenFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

/// "x -> ..data/x": a file of a Kubernetes volume, which turns the link ..data at every change.
bool IsInKubernetesVolume(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path link = std::filesystem::read_symlink(path, failed);
  return !failed && link.begin() != link.end() && *link.begin() == "..data";
}

}  // namespace

std::string CredentialFileName(const std::string& path) {
  return "credential file \"" + path + "\"";
}

Expected<SmallFile> ReadSmallFile(const std::string& path) {
  const OpenFile file(path);
  if (file.descriptor() < 0) return Unreadable(path, errno);
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) return Unreadable(path, errno);
  if (!S_ISREG(status.st_mode)) return Bad(path, "is not a regular file");
  SmallFile result;
  result.version = GetVersion(status);
  result.mode = status.st_mode;
  // A growing text leaves copies behind.
  result.text.reserve(std::min(kMaxCredentialBytes, static_cast<std::size_t>(status.st_size)) + 1);
  std::array<char, 4096> chunk{};
  for (;;) {
    const ssize_t got = ::read(file.descriptor(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Unreadable(path, errno);
    if (got == 0) return result;
    result.text.append(chunk.data(), static_cast<std::size_t>(got));
    if (result.text.size() > kMaxCredentialBytes) {
      return Bad(path, "is larger than " + std::to_string(kMaxCredentialBytes) + " bytes");
    }
  }
}

Expected<FileVersion> VersionOfFile(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return Unreadable(path, errno);
  return GetVersion(status);
}

std::string AccessWarning(const std::string& path, mode_t mode) {
  std::string others;
  if ((mode & (S_IWGRP | S_IWOTH)) != 0) {
    others = "can be changed by others than its owner";
  } else if ((mode & S_IROTH) != 0 && !IsInKubernetesVolume(path)) {
    others = "can be read by every user of this machine";
  }
  if (others.empty()) return others;
  return CredentialFileName(path) + " " + others + ": run chmod 600 \"" + path + "\"";
}

}  // namespace bindery::cloud
