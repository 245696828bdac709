#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace bindery::manifests {

inline constexpr std::uint32_t kXfs = 0x58465342;
inline constexpr std::uint32_t kF2fs = 0xF2F52010;
inline constexpr std::uint32_t kOverlay = 0x794C7630;

/// Whether on file systems of the type (f_type of statfs) the time of a file's last change is that
/// of the kernel's clock and cannot be set, so that a file with the same stamp holds the same
/// bytes. Not so where another machine or program tells the stamps (NFS, SMB, 9p, FUSE), where they
/// are coarse or set with the others (FAT, exFAT), where they come with an image (squashfs, erofs,
/// ISO 9660), where several file systems are stacked (overlay), nor of unknown types.
[[nodiscard]] bool StampsProve(std::uint32_t type);

/// Whether a volume (Ground::volume) has an id of its own that changes when a different volume is
/// mounted. Volumes without have no id, or the number of their device.
[[nodiscard]] bool HasOwnId(std::string_view volume);

/// The type as Ground::volume begins: "0000ef53".
[[nodiscard]] std::string VolumeTypeText(std::uint32_t type);

/// Tells of what is open whether its stamps prove anything: by the type of its file system, which
/// must not be mounted read-only as a whole, as an image is. Asks once for each mount.
class StampTrust {
 public:
  /// `mount` and `device`: of the open descriptor `fd`.
  [[nodiscard]] bool Prove(int fd, std::uint64_t mount, std::uint64_t device);

 private:
  std::map<std::pair<std::uint64_t, std::uint64_t>, bool> known_;  ///< By mount and device.
};

/// Whether, by the text of /proc/self/mountinfo, the file system on the device can be written to
/// nowhere. One that is only mounted read-only here can be.
[[nodiscard]] bool IsReadOnlyImage(std::string_view mountinfo, std::uint64_t device);

}  // namespace bindery::manifests
