#include "manifests/files/volume_kind.h"

#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <utility>

namespace bindery::manifests {
namespace {

enum class Id { kOwn, kUuid, kNone };

struct Kind {
  std::uint32_t type;  ///< As in linux/magic.h, which does not have them all.
  Id id;
};

/// The kinds whose stamps prove something.
constexpr std::array<Kind, 8> kKinds{{
    {0x0000EF53, Id::kOwn},  // ext2, ext3, ext4
    {kXfs, Id::kUuid},       // Without its UUID there is only the number of its device.
    {kF2fs, Id::kUuid},
    {0x9123683E, Id::kOwn},   // btrfs
    {0xCA451A4E, Id::kOwn},   // bcachefs
    {0x2FC12FC1, Id::kOwn},   // ZFS
    {0x01021994, Id::kOwn},   // tmpfs
    {0x858458F6, Id::kNone},  // ramfs
}};

const Kind* Find(std::uint32_t type) {
  const auto* const found = std::find_if(kKinds.begin(), kKinds.end(),
                                         [type](const Kind& kind) { return kind.type == type; });
  return found == kKinds.end() ? nullptr : found;
}

std::string MountInfo() {
  std::ifstream stream("/proc/self/mountinfo");
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

bool StampsProve(std::uint32_t type) { return Find(type) != nullptr; }

std::string VolumeTypeText(std::uint32_t type) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[(type >> shift) & 0x0FU];
  return text;
}

bool HasOwnId(std::string_view volume) {
  return std::any_of(kKinds.begin(), kKinds.end(), [volume](const Kind& kind) {
    if (!volume.starts_with(VolumeTypeText(kind.type))) return false;
    if (kind.id == Id::kUuid) return volume.find(":uuid:") != std::string_view::npos;
    return kind.id == Id::kOwn && volume.find(":id:") != std::string_view::npos;
  });
}

bool IsReadOnlyImage(std::string_view mountinfo, std::uint64_t device) {
  const std::string wanted =
      " " + std::to_string(major(device)) + ":" + std::to_string(minor(device)) + " ";
  while (!mountinfo.empty()) {
    const std::string_view line = mountinfo.substr(0, mountinfo.find('\n'));
    mountinfo.remove_prefix(std::min(mountinfo.size(), line.size() + 1));
    if (line.find(wanted) == std::string_view::npos) continue;
    // "… - TYPE SOURCE OPTIONS", the options of the whole file system.
    const std::size_t dash = line.find(" - ");
    const std::size_t options = line.rfind(' ');
    if (dash == std::string_view::npos || options <= dash) continue;
    const std::string_view all = line.substr(options + 1);
    return all == "ro" || all.starts_with("ro,");
  }
  return false;
}

bool StampTrust::Prove(int fd, std::uint64_t mount, std::uint64_t device) {
  const auto [known, fresh] = known_.try_emplace({mount, device}, false);
  if (!fresh) return known->second;
  struct statfs status = {};
  known->second = ::fstatfs(fd, &status) == 0 &&
                  StampsProve(static_cast<std::uint32_t>(status.f_type)) &&
                  !((static_cast<unsigned long>(status.f_flags) & ST_RDONLY) != 0 &&
                    IsReadOnlyImage(MountInfo(), device));
  return known->second;
}

}  // namespace bindery::manifests
