#include "manifests/directory/file_status.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>

namespace bindery::manifests {
namespace {

/// As STATX_MNT_ID_UNIQUE of linux/stat.h since Linux 6.8. Older kernels do not know it.
constexpr unsigned kUniqueMount = 0x4000;
constexpr unsigned kWanted = STATX_BASIC_STATS | STATX_BTIME | STATX_MNT_ID | kUniqueMount;

std::int64_t StatxNanoseconds(const statx_timestamp& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

int LookUp(int fd, const char* name, int flags, FileStatus& status) {
  struct statx found = {};
  if (::statx(fd, name, flags, kWanted, &found) != 0) return errno;
  status.mode = found.stx_mode;
  // In the form of stat, for comparisons of stamps.
  status.stamp = {static_cast<std::uint64_t>(makedev(found.stx_dev_major, found.stx_dev_minor)),
                  found.stx_ino, static_cast<std::int64_t>(found.stx_size),
                  StatxNanoseconds(found.stx_mtime), StatxNanoseconds(found.stx_ctime)};
  const bool known = (found.stx_mask & (STATX_MNT_ID | kUniqueMount)) != 0;
  status.mount = known ? found.stx_mnt_id : 0;
  const bool born = (found.stx_mask & STATX_BTIME) != 0;
  status.born_ns = born ? StatxNanoseconds(found.stx_btime) : 0;
  return 0;
}

int LookUp(int fd, FileStatus& status) { return LookUp(fd, "", AT_EMPTY_PATH, status); }

bool MayBeSame(const FileStatus& found, const FileStamp& former) {
  if (found.stamp.device != former.device || found.stamp.inode != former.inode) return false;
  // By a clock that was set back a file may have changed before it was made.
  const bool as_it_was =
      found.stamp.size == former.size && found.stamp.modified_ns == former.modified_ns;
  return as_it_was || found.born_ns <= former.changed_ns;
}

}  // namespace bindery::manifests
