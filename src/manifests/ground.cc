#include <algorithm>

#include "core/json.h"
#include "manifests/directory_facts.h"

namespace bindery {
namespace {

const MountPoint* FindMount(const Ground& ground, const std::string& path) {
  const auto found = std::find_if(ground.mounts.begin(), ground.mounts.end(),
                                  [&](const MountPoint& mount) { return mount.path == path; });
  return found == ground.mounts.end() ? nullptr : &*found;
}

bool SameFolder(const Ground& a, const Ground& b) {
  return a.device == b.device && a.inode == b.inode;
}

/// Why the directory itself is another one.
std::optional<std::string> RootChange(const Ground& before, const Ground& now, bool same_run) {
  if (SameFolder(before, now) && (same_run || before.directory == now.directory)) return {};
  if (!same_run) {
    if (before.directory != now.directory) {
      if (SameFolder(before, now)) return {};
      return "the manifests directory was \"" + before.directory + "\" before";
    }
    if (before.mount_point == now.mount_point) return {};
    return std::string("the manifests directory ") +
           (before.mount_point ? "was a mounted volume before, and is none now"
                               : "is a mounted volume now, and was none before");
  }
  // git-sync and the kubelet exchange directories by moving a link on one volume.
  const bool same_mount = before.device == now.device && before.mount == now.mount;
  if (now.linked && before.linked && same_mount) return {};
  return same_mount ? "the manifests directory was replaced by another one"
                    : "the manifests directory is on another volume than before";
}

}  // namespace

std::optional<std::string> GroundChange(const Ground& before, const Ground& now, bool same_run) {
  if (auto change = RootChange(before, now, same_run)) return change;
  for (const MountPoint& mount : before.mounts) {
    const MountPoint* still = FindMount(now, mount.path);
    if (still == nullptr) return "\"" + mount.path + "\" was a mounted volume, and is none now";
    if (same_run && *still != mount) return "\"" + mount.path + "\" is another volume than before";
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
    mounts.push_back({{"path", mount.path}, {"device", mount.device}, {"inode", mount.inode}});
  }
  return Json{{"directory", ground.directory}, {"realPath", ground.real_path},
              {"device", ground.device},       {"inode", ground.inode},
              {"linked", ground.linked},       {"mountPoint", ground.mount_point},
              {"mounts", std::move(mounts)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
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
                               mount.value("inode", std::uint64_t{0})});
    }
  }
  return ground;
}

}  // namespace bindery
