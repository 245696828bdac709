#pragma once

#include <cstdint>

#include "manifests/directory/listing.h"

namespace bindery::manifests {

/// What the kernel tells of a file or folder.
struct FileStatus {
  std::uint32_t mode = 0;  ///< As of stat.
  FileStamp stamp;
  std::uint64_t mount = 0;   ///< As Ground::mount, of what it lies on.
  std::int64_t born_ns = 0;  ///< When it was made; 0: not known.
};

/// Asks for `name` in the folder `fd`; `flags` as of statx. Gives an errno, or 0.
[[nodiscard]] int LookUp(int fd, const char* name, int flags, FileStatus& status);

/// The same of an open file.
[[nodiscard]] int LookUp(int fd, FileStatus& status);

/// The file or folder may be the one that had the stamp, by another name: the same inode, and not
/// made since. A file system gives the number of a deleted file to one of the next new files.
[[nodiscard]] bool MayBeSame(const FileStatus& found, const FileStamp& former);

}  // namespace bindery::manifests
