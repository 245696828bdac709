#include "manifests/directory/mount_points.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "manifests/directory/file_status.h"
#include "manifests/files/file_names.h"
#include "manifests/files/volume_kind.h"

namespace bindery::manifests {
namespace {

/// As struct fsuuid2 and FS_IOC_GETFSUUID of linux/fs.h since Linux 6.9.
struct FileSystemUuid {
  std::uint8_t size;
  std::array<std::uint8_t, 16> bytes;
};
constexpr unsigned long kGetUuid = _IOR(0x15, 0, FileSystemUuid);

std::string Hex(const void* data, std::size_t size) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::vector<unsigned char> bytes(size);
  std::memcpy(bytes.data(), data, size);
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0x0FU];
  }
  return text;
}

std::string GetParent(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::uint64_t MountAt(const OpenRoot& root, const std::string& path) {
  FileStatus status;
  return LookUp(root.fd.get(), path.c_str(), AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH, status) == 0
             ? status.mount
             : 0;
}

std::optional<MountPoint> PointAt(const OpenRoot& root, const std::string& path) {
  FileStatus status;
  if (LookUp(root.fd.get(), path.c_str(), AT_SYMLINK_NOFOLLOW, status) != 0) return std::nullopt;
  const Descriptor fd(
      ::openat(root.fd.get(), path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  return MountPoint{path, status.stamp.device, status.stamp.inode,
                    fd.valid() ? GetVolume(fd.get()) : std::string(), status.mount};
}

}  // namespace

bool MountPoints::IsNew(std::uint64_t mount) const {
  return mount != 0 && mount != root_.mount && !known_.contains(mount);
}

void MountPoints::Note(std::uint64_t mount, std::string path) {
  if (!IsNew(mount) || path.empty()) return;
  known_.insert(mount);
  for (std::string above = GetParent(path); !above.empty() && MountAt(root_, above) == mount;
       above = GetParent(path)) {
    path = above;
  }
  if (auto point = PointAt(root_, path)) found_.push_back(std::move(*point));
}

std::vector<MountPoint> MountPoints::Take() {
  std::sort(found_.begin(), found_.end(),
            [](const MountPoint& a, const MountPoint& b) { return a.path < b.path; });
  return std::exchange(found_, {});
}

std::optional<MountPoint> MountPointAt(const OpenRoot& root, const std::string& path) {
  const std::uint64_t mount = MountAt(root, path);
  if (mount == 0 || mount == MountAt(root, GetParent(path))) return std::nullopt;
  return PointAt(root, path);
}

std::string MountedAt(const OpenRoot& root) {
  std::string path = root.real_path;
  if (path.empty() || root.mount == 0) return {};
  const auto lies_on_it = [&root](const std::string& at) {
    FileStatus status;
    return LookUp(AT_FDCWD, at.c_str(), AT_SYMLINK_NOFOLLOW, status) == 0 &&
           status.mount == root.mount;
  };
  if (!lies_on_it(path)) return {};
  while (path != "/") {
    std::string above = GetParent(path);
    if (above.empty()) above = "/";
    if (!lies_on_it(above)) break;
    path = std::move(above);
  }
  return path;
}

std::string GetVolume(int fd) {
  struct statfs status = {};
  if (::fstatfs(fd, &status) != 0) return {};
  const auto type = static_cast<std::uint32_t>(status.f_type);
  std::string name = VolumeTypeText(type);
  // The root of a container: different for each image, and the image matters here.
  if (type == kOverlay) return name;
  // These report the number of their device; the number may be reused after a restart.
  FileSystemUuid uuid = {};
  if ((type == kXfs || type == kF2fs) && ::ioctl(fd, kGetUuid, &uuid) == 0 &&
      uuid.size == uuid.bytes.size()) {
    return name + ":uuid:" + Hex(uuid.bytes.data(), uuid.bytes.size());
  }
  const auto& id = status.f_fsid;
  static_assert(sizeof(id) == 8);
  std::array<std::uint8_t, sizeof(id)> none = {};
  if (std::memcmp(&id, none.data(), sizeof(id)) == 0) return name;
  return name + ":id:" + Hex(&id, sizeof(id));
}

}  // namespace bindery::manifests
