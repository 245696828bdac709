#pragma once

#include <dirent.h>

#include <cerrno>
#include <tuple>
#include <utility>

#include "manifests/files/descriptor.h"

namespace bindery::manifests {

/// A folder for reading its names one by one.
class OpenFolder {
 public:
  explicit OpenFolder(Descriptor fd) : stream_(::fdopendir(fd.get())) {
    if (stream_ != nullptr) std::ignore = fd.release();  // it is the stream's now
  }
  ~OpenFolder() {
    if (stream_ != nullptr) ::closedir(stream_);
  }
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;

  [[nodiscard]] bool valid() const { return stream_ != nullptr; }
  [[nodiscard]] int fd() const { return ::dirfd(stream_); }
  /// Null at the end (errno is 0) and when it fails.
  const dirent* Next() {
    errno = 0;
    return ::readdir(stream_);  // NOLINT(concurrency-mt-unsafe): each stream belongs to one scan
  }

 private:
  DIR* stream_;
};

}  // namespace bindery::manifests
