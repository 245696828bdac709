#include "manifests/directory/halfway_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "manifests/directory/file_status.h"
#include "manifests/directory/names_in.h"
#include "manifests/files/file_names.h"

namespace bindery::manifests {
namespace {

/// Each is kept in the store.
constexpr std::size_t kMostTold = 1000;
/// The second is the name that the manual of rsync proposes.
constexpr std::array<std::string_view, 2> kFoldersOfRsync = {".~tmp~", ".rsync-partial"};

std::string_view LastName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

class HalfwayFinder {
 public:
  HalfwayFinder(const OpenRoot& root, const Listing& listing, bool recursive)
      : root_(root), listing_(listing), recursive_(recursive) {}

  /// Kubernetes moves `..data` first, and then makes the links for new names.
  void LookBehind(const ListedFolder& folder) {
    Each(PathIn(folder.path, kDataLink), [&](std::string_view name, const FileStatus& status) {
      const bool shown = S_ISDIR(status.mode)
                             ? !recursive_ || IsIgnoredName(name) || IsFolderShown(folder, name)
                             : !IsManifestName(name) || folder.HasAt(folder.FindPlace(name), name);
      return shown ? nullptr : "has no link that shows it: the update of a volume was not finished";
    });
  }

  void LookInto(const std::string& folder) {
    Each(folder, [](std::string_view name, const FileStatus& status) {
      const bool file = S_ISREG(status.mode) && IsManifestName(name);
      return file ? "was brought by rsync, which did not put it in its place" : nullptr;
    });
  }

  [[nodiscard]] std::vector<UnreadItem> Take() { return std::move(items_); }

 private:
  [[nodiscard]] bool IsFolderShown(const ListedFolder& folder, std::string_view name) const {
    const std::string path = PathIn(folder.path, name);
    return listing_.Find(path) != nullptr || listing_.broken.contains(path);
  }

  /// `judge` says why an item with the name is reported; null: not reported.
  template <typename Judge>
  void Each(const std::string& path, const Judge& judge) {
    if (items_.size() >= kMostTold) return;
    EachNameIn(root_, path, /*flags=*/0, [&](int fd, const dirent& entry) {
      const std::string_view name = entry.d_name;
      FileStatus status;
      const bool found =
          IsSafeName(name) && LookUp(fd, entry.d_name, AT_SYMLINK_NOFOLLOW, status) == 0;
      if (const char* why = found ? judge(name, status) : nullptr) {
        items_.push_back(
            {PathIn(path, name), why,
             std::to_string(status.stamp.inode) + ":" + std::to_string(status.stamp.modified_ns),
             /*ignored=*/true});
      }
      return items_.size() < kMostTold;
    });
  }

  const OpenRoot& root_;
  const Listing& listing_;
  bool recursive_;
  std::vector<UnreadItem> items_;
};

}  // namespace

std::vector<UnreadItem> FilesHalfway(const OpenRoot& root, const Listing& listing, bool recursive) {
  HalfwayFinder finder(root, listing, recursive);
  for (const ListedFolder& folder : listing.folders) {
    if (!folder.data_link.empty()) finder.LookBehind(folder);
  }
  for (const auto& [path, stamp] : listing.hidden_folders) {
    const bool of_rsync = std::find(kFoldersOfRsync.begin(), kFoldersOfRsync.end(),
                                    LastName(path)) != kFoldersOfRsync.end();
    if (of_rsync) finder.LookInto(path);
  }
  return finder.Take();
}

}  // namespace bindery::manifests
