#include "manifests/directory/moved_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include "manifests/directory/file_status.h"
#include "manifests/directory/names_in.h"
#include "manifests/files/file_names.h"

namespace bindery::manifests {
namespace {

constexpr int kMostNames = 20'000;
constexpr std::size_t kDeepest = 8;
/// Of this number of missing files the names are compared, too.
constexpr std::size_t kMostByName = 64;
/// One file is enough as evidence; these are enough for the report.
constexpr std::size_t kMostFound = 100;

/// "a" of "team/a.yaml".
std::string_view MakeStem(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

class Finder {
 public:
  Finder(const OpenRoot& root, const GoneFiles& gone) : root_(root) {
    const auto count = static_cast<std::ptrdiff_t>(std::min(gone.size(), kMostByName));
    by_name_.assign(gone.begin(), gone.begin() + count);
    for (const auto& [path, stamp] : gone) by_inode_.emplace(stamp.inode, &stamp);
  }

  void LookInto(const std::string& folder, std::size_t depth) {
    if (depth > kDeepest) return;
    std::vector<std::string> below;
    bool goes_on = true;
    EachNameIn(root_, folder, O_NOFOLLOW, [&](int fd, const dirent& entry) {
      goes_on = ++names_ <= kMostNames && found_.size() < kMostFound;
      if (goes_on && !IsRepositoryName(entry.d_name)) Take(fd, entry, folder, below);
      return goes_on;
    });
    if (!goes_on) return;
    for (const std::string& path : below) LookInto(path, depth + 1);
  }

  [[nodiscard]] std::map<std::string, std::uint64_t> found() const { return found_; }

 private:
  void Take(int fd, const dirent& entry, const std::string& folder,
            std::vector<std::string>& below) {
    const std::string_view name = entry.d_name;
    const bool maybe_folder = entry.d_type == DT_DIR || entry.d_type == DT_UNKNOWN;
    if (!maybe_folder && !by_inode_.contains(entry.d_ino) && !BeginsAlike(name)) return;
    FileStatus status;
    if (LookUp(fd, entry.d_name, AT_SYMLINK_NOFOLLOW, status) != 0) return;
    const bool found = IsOneOfThem(name, status);
    if (found) found_[PathIn(folder, name)] = status.stamp.inode;
    // The content of a found folder need not be reported.
    if (S_ISDIR(status.mode) && !found) below.push_back(PathIn(folder, name));
  }

  [[nodiscard]] bool BeginsAlike(std::string_view name) const {
    return std::any_of(by_name_.begin(), by_name_.end(),
                       [name](const auto& gone) { return name.starts_with(MakeStem(gone.first)); });
  }

  [[nodiscard]] bool IsOneOfThem(std::string_view name, const FileStatus& status) const {
    const FileStamp& stamp = status.stamp;
    const auto [begin, end] = by_inode_.equal_range(stamp.inode);
    if (std::any_of(begin, end, [&](const auto& one) { return MayBeSame(status, *one.second); })) {
      return true;
    }
    // Where numbers of inodes do not last, or it was copied.
    return std::any_of(by_name_.begin(), by_name_.end(), [&](const auto& gone) {
      return gone.second.size == stamp.size && gone.second.modified_ns == stamp.modified_ns &&
             name.starts_with(MakeStem(gone.first));
    });
  }

  const OpenRoot& root_;
  GoneFiles by_name_;
  std::multimap<std::uint64_t, const FileStamp*> by_inode_;
  std::map<std::string, std::uint64_t> found_;
  int names_ = 0;
};

}  // namespace

std::map<std::string, std::uint64_t> FindMovedFiles(const OpenRoot& root,
                                                    const std::vector<std::string>& folders,
                                                    const GoneFiles& gone) {
  Finder finder(root, gone);
  for (const std::string& folder : folders) finder.LookInto(folder, 0);
  return finder.found();
}

}  // namespace bindery::manifests
