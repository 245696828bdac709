#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/json.h"
#include "core/base/json_text.h"
#include "manifests/files/directory_facts.h"
#include "manifests/files/volume_kind.h"

namespace bindery::manifests {
namespace {

const MountPoint* FindMount(const Ground& ground, const std::string& path) {
  const auto found = std::lower_bound(
      ground.mounts.begin(), ground.mounts.end(), path,
      [](const MountPoint& mount, const std::string& wanted) { return mount.path < wanted; });
  return found != ground.mounts.end() && found->path == path ? &*found : nullptr;
}

/// Type and id of a volume; the id is empty where the file system has none.
std::pair<std::string_view, std::string_view> VolumeParts(std::string_view volume) {
  const auto colon = volume.find(':');
  if (colon == std::string_view::npos) return {volume, {}};
  return {volume.substr(0, colon), volume.substr(colon + 1)};
}

/// Two different volumes. An unknown id says nothing.
bool AreTwoVolumes(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || a == b) return false;
  const auto [type_a, id_a] = VolumeParts(a);
  const auto [type_b, id_b] = VolumeParts(b);
  if (type_a != type_b) return true;
  // A different form of id: the kernel's report has changed, not the volume.
  const auto form = [](std::string_view id) { return id.substr(0, id.find(':')); };
  return !id_a.empty() && form(id_a) == form(id_b);
}

/// If a volume has no id of its own, a different volume may have the same numbers. Within one run.
bool IsMountedAgain(std::uint64_t before, std::uint64_t now, const std::string& volume) {
  return before != 0 && now != 0 && before != now && !HasOwnId(volume);
}

bool SameInode(const Ground& a, const Ground& b) {
  return a.device == b.device && a.inode == b.inode;
}

/// Also after a restart of the machine, when the device may have a new number.
bool SameForSure(const Ground& a, const Ground& b) {
  return !a.volume.empty() && a.volume == b.volume && a.inode == b.inode;
}

std::optional<std::string> RootChangeOverRuns(const Ground& before, const Ground& now) {
  if (before.directory != now.directory && !SameInode(before, now)) {
    return "the manifests directory was \"" + before.directory + "\" before";
  }
  if (AreTwoVolumes(before.volume, now.volume)) {
    return "the manifests directory is on another volume than before";
  }
  if (SameInode(before, now) || SameForSure(before, now)) return {};
  if (before.mount_point != now.mount_point) {
    return std::string("the manifests directory ") +
           (before.mount_point ? "was a mounted volume before, and is none now"
                               : "is a mounted volume now, and was none before");
  }
  const bool known = !before.mounted_at.empty() && !now.mounted_at.empty();
  if (!known || before.mounted_at == now.mounted_at) return {};
  return "the manifests directory was on the volume that is mounted on \"" + before.mounted_at +
         "\" before, and is on that of \"" + now.mounted_at + "\" now";
}

/// Why the directory itself is a different directory.
std::optional<std::string> RootChange(const Ground& before, const Ground& now, bool same_run) {
  if (!same_run) return RootChangeOverRuns(before, now);
  if (AreTwoVolumes(before.volume, now.volume)) {
    return "the manifests directory is on another volume than before";
  }
  if (SameInode(before, now)) {
    if (!IsMountedAgain(before.mount, now.mount, now.volume)) return {};
    return "something was mounted again where the manifests directory is, and nothing tells "
           "whether it is the same volume";
  }
  // git-sync and the kubelet exchange directories by moving a link on one volume.
  const bool same_mount = before.device == now.device && before.mount == now.mount;
  if (now.linked && before.linked && same_mount) return {};
  return same_mount ? "the manifests directory was replaced by another one"
                    : "the manifests directory is on another volume than before";
}

/// The choice of files to read has changed.
std::optional<std::string> ChoiceChange(const Ground& before, const Ground& now) {
  if (!before.recursive || !now.recursive || before.recursive == now.recursive) return {};
  return std::string("the manifests directory was read ") +
         (*before.recursive ? "with" : "without") + " the folders within it before, and is read " +
         (*now.recursive ? "with" : "without") + " them now (manifests.recursive)";
}

bool IsOtherMount(const MountPoint& before, const MountPoint& now, bool same_run) {
  if (AreTwoVolumes(before.volume, now.volume)) return true;
  return same_run && (before.device != now.device || before.inode != now.inode ||
                      IsMountedAgain(before.mount, now.mount, now.volume));
}

}  // namespace

std::optional<std::string> GroundChange(const Ground& before, const Ground& now, bool same_run) {
  if (auto change = RootChange(before, now, same_run)) return change;
  if (auto change = ChoiceChange(before, now)) return change;
  for (const MountPoint& mount : before.mounts) {
    const MountPoint* still = FindMount(now, mount.path);
    if (still == nullptr) return "\"" + mount.path + "\" was a mounted volume, and is none now";
    if (IsOtherMount(mount, *still, same_run)) {
      return "\"" + mount.path + "\" is another volume than before";
    }
  }
  for (const MountPoint& mount : now.mounts) {
    if (FindMount(before, mount.path) == nullptr) {
      return "a volume was mounted on \"" + mount.path + "\"";
    }
  }
  return std::nullopt;
}

std::string GroundText(const Ground& ground) {
  Json mounts = Json::array();
  for (const MountPoint& mount : ground.mounts) {
    mounts.push_back({{"path", mount.path},
                      {"device", mount.device},
                      {"inode", mount.inode},
                      {"volume", mount.volume}});
  }
  Json json = {{"directory", ground.directory}, {"realPath", ground.real_path},
               {"device", ground.device},       {"inode", ground.inode},
               {"linked", ground.linked},       {"mountPoint", ground.mount_point},
               {"mounts", std::move(mounts)},   {"volume", ground.volume},
               {"mountedAt", ground.mounted_at}};
  if (ground.recursive) json["recursive"] = *ground.recursive;
  return CompactJson(json);
}

std::optional<Ground> GroundFromText(const std::string& text) {
  const Expected<Json> json = ParseJson(text);
  if (!json || !json->is_object() || !json->contains("directory")) return std::nullopt;
  Ground ground;
  ground.directory = StringMember(*json, "directory");
  ground.real_path = StringMember(*json, "realPath");
  ground.device = json->value("device", std::uint64_t{0});
  ground.inode = json->value("inode", std::uint64_t{0});
  ground.linked = json->value("linked", false);
  ground.mount_point = json->value("mountPoint", false);
  if (const Json* mounts = FindMember(*json, "mounts"); mounts != nullptr && mounts->is_array()) {
    for (const Json& mount : *mounts) {
      ground.mounts.push_back({StringMember(mount, "path"), mount.value("device", std::uint64_t{0}),
                               mount.value("inode", std::uint64_t{0}),
                               StringMember(mount, "volume")});
    }
  }
  const auto by_path = [](const MountPoint& a, const MountPoint& b) { return a.path < b.path; };
  std::sort(ground.mounts.begin(), ground.mounts.end(), by_path);
  ground.volume = StringMember(*json, "volume");
  ground.mounted_at = StringMember(*json, "mountedAt");
  if (json->contains("recursive")) ground.recursive = json->value("recursive", true);
  return ground;
}

}  // namespace bindery::manifests
