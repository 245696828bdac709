#include "manifests/watch/watch_chain.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "manifests/files/file_names.h"

namespace bindery::manifests {
namespace {

/// As many as the kernel follows.
constexpr int kMaxLinks = 40;

/// The components of a path still to be walked, the next one last.
void PushComponents(std::string_view path, std::vector<std::string>& pending) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  std::move(parts.rbegin(), parts.rend(), std::back_inserter(pending));
}

void GoUp(std::string& folder) {
  const std::size_t slash = folder.rfind('/');
  folder.resize(slash == 0 || slash == std::string::npos ? 1 : slash);
}

struct FileSystem {
  std::uint32_t magic;
  const char* name;
};

// Numbers missing in <linux/magic.h> come from statfs(2).
constexpr std::array<FileSystem, 15> kUnwatchable = {{
    {NFS_SUPER_MAGIC, "NFS"},
    {SMB_SUPER_MAGIC, "SMB"},
    {0xFF534D42U, "CIFS"},
    {0xFE534D42U, "SMB2"},
    {FUSE_SUPER_MAGIC, "FUSE"},
    {V9FS_MAGIC, "9p"},
    {AFS_SUPER_MAGIC, "AFS"},
    {0x6B414653U, "AFS"},
    {0x00C36400U, "Ceph"},
    {CODA_SUPER_MAGIC, "Coda"},
    {NCP_SUPER_MAGIC, "NCP"},
    {0x0BD00BD0U, "Lustre"},
    {0x01161970U, "GFS2"},
    {0x786F4256U, "VirtualBox shared folder"},
    {0xBACBACBCU, "VMware shared folder"},
}};

}  // namespace

WatchChain ResolveChain(const std::string& path) {
  WatchChain chain;
  std::vector<std::string> pending;
  PushComponents(path, pending);
  std::string folder = "/";
  struct stat status = {};
  int links = 0;
  while (!pending.empty()) {
    const std::string name = std::move(pending.back());
    pending.pop_back();
    if (name == ".") continue;
    if (name == "..") {
      GoUp(folder);
      continue;
    }
    std::string entry = PathIn(folder, name);
    const bool there = ::lstat(entry.c_str(), &status) == 0;
    const bool link = there && S_ISLNK(status.st_mode);
    if (!there || link || pending.empty()) chain.steps.push_back({folder, name});
    if (!there || (!link && !S_ISDIR(status.st_mode)) || (link && ++links > kMaxLinks)) {
      return chain;
    }
    if (!link) {
      folder = std::move(entry);
      continue;
    }
    const std::string target = LinkText(AT_FDCWD, entry.c_str());
    if (target.starts_with('/')) folder = "/";
    PushComponents(target, pending);
  }
  if (::stat(folder.c_str(), &status) != 0) return chain;
  chain.real_path = std::move(folder);
  chain.device = static_cast<std::uint64_t>(status.st_dev);
  chain.inode = static_cast<std::uint64_t>(status.st_ino);
  return chain;
}

std::string WhyUnwatchable(const std::string& path) {
  struct statfs status = {};
  if (::statfs(path.c_str(), &status) != 0) return {};
  const auto magic = static_cast<std::uint32_t>(status.f_type);
  const auto* const found =
      std::find_if(kUnwatchable.begin(), kUnwatchable.end(),
                   [magic](const FileSystem& known) { return known.magic == magic; });
  if (found == kUnwatchable.end()) return {};
  return "\"" + path + "\" is on a file system (" + found->name +
         ") that does not tell of all changes";
}

}  // namespace bindery::manifests
