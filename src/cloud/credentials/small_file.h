#pragma once

#include <sys/stat.h>

#include <string>

#include "core/base/expected.h"
#include "core/base/wipe.h"

namespace bindery::cloud {

/// Longest file that credentials are read from; more is refused.
inline constexpr std::size_t kMaxCredentialBytes = 64U << 10U;

/// The read version of the file. A different version, also behind a changed symbolic link (as in
/// Kubernetes), has to be read again.
struct FileVersion {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  time_t seconds = 0;
  long nanoseconds = 0;
  bool operator==(const FileVersion&) const = default;
};

struct SmallFile {
  SmallFile() = default;
  SmallFile(const SmallFile&) = delete;
  SmallFile& operator=(const SmallFile&) = delete;
  SmallFile(SmallFile&&) = default;
  SmallFile& operator=(SmallFile&&) = default;
  ~SmallFile() { Wipe(text); }

  std::string text;  ///< Wiped at the end.
  FileVersion version;
  mode_t mode = 0;
};

/// Reads a regular file of at most kMaxCredentialBytes. kUnauthenticated, naming the file, when
/// that cannot be done.
[[nodiscard]] Expected<SmallFile> ReadSmallFile(const std::string& path);

/// The state a file is in now, without reading it. Fails as ReadSmallFile does.
[[nodiscard]] Expected<FileVersion> VersionOfFile(const std::string& path);

/// `credential file "PATH"`: the name in messages.
[[nodiscard]] std::string CredentialFileName(const std::string& path);

/// Why the permissions of a file with a secret are too wide, with the remedy; empty when nothing
/// is. The group may read: systemd and Kubernetes hand out secrets that way. A file that Kubernetes
/// put into a volume may be read by everybody, because only the pod sees it.
[[nodiscard]] std::string AccessWarning(const std::string& path, mode_t mode);

}  // namespace bindery::cloud
