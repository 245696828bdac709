#include "manifests/directory/unfinished_checkouts.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "core/base/whole_file.h"
#include "core/text/text_search.h"
#include "manifests/files/file_names.h"
#include "manifests/files/git_blob.h"

namespace bindery::manifests {
namespace {

/// That of a repository of a million files is smaller.
constexpr std::int64_t kLargestIndex = 256L * 1024 * 1024;
/// A larger file is no manifest file (DirectorySettings::max_file_bytes).
constexpr std::int64_t kLargestFile = 64L * 1024 * 1024;

std::int64_t NowInNs() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// All of a file beside `path`.
std::optional<std::string> Neighbour(const std::string& path, const std::string& name) {
  const std::string beside = path.substr(0, path.rfind('/') + 1) + name;
  const Descriptor fd(::open(beside.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status = {};
  const bool fits = fd.valid() && ::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                    status.st_size <= kLargestIndex;
  return fits ? ReadAll(fd.get(), static_cast<std::size_t>(status.st_size)) : std::nullopt;
}

/// A file that would be read if present, or a folder of such files.
bool IsRead(std::string_view path, bool folder, const DirectorySettings& settings) {
  std::size_t depth = 0;
  for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
    if (!settings.recursive || ++depth > settings.max_depth) return false;
    if (IsIgnoredName(path.substr(0, slash))) return false;
    path.remove_prefix(slash + 1);
  }
  if (folder) return settings.recursive && !IsIgnoredName(path) && IsSafeName(path);
  return IsManifestName(path) && IsSafeName(path);
}

/// Paths in a work tree as paths in the directory, which one of the two lies within.
class PathMap {
 public:
  PathMap(const std::string& tree, const std::string& directory) {
    if (IsWithin(tree, directory)) {
      if (tree.size() > directory.size()) put_before_ = Rest(tree, directory) + "/";
    } else {
      taken_off_ = Rest(directory, tree) + "/";
    }
  }

  [[nodiscard]] std::optional<std::string> Of(const std::string& path) const {
    if (!path.starts_with(taken_off_)) return std::nullopt;
    return put_before_ + path.substr(taken_off_.size());
  }

 private:
  static std::string Rest(const std::string& path, const std::string& above) {
    return path.substr(above == "/" ? 1 : above.size() + 1);
  }

  std::string put_before_;
  std::string taken_off_;
};

bool IsListed(const Listing& listing, const std::string& path) {
  const auto slash = path.rfind('/');
  const bool topmost = slash == std::string::npos;
  const std::string_view all = path;
  const std::string_view name = topmost ? all : all.substr(slash + 1);
  const ListedFolder* folder = listing.Find(topmost ? std::string_view() : all.substr(0, slash));
  return folder != nullptr && folder->HasAt(folder->FindPlace(name), name);
}

bool IsThere(const OpenRoot& root, const std::string& path) {
  struct stat status = {};
  if (::fstatat(root.fd.get(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return true;
  // Inaccessible items are reported elsewhere.
  return errno != ENOENT && errno != ENOTDIR;
}

}  // namespace

const UnfinishedCheckouts::Index* UnfinishedCheckouts::Read(const OpenRoot& root,
                                                            const GitWork& repository,
                                                            const DirectorySettings& settings) {
  const std::string path = repository.index();
  if (path.empty()) return nullptr;
  // A missing or unreadable file is no evidence.
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status = {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  const FileStamp stamp = FileStamp::Of(status);
  if (stamp.size > kLargestIndex) return nullptr;
  Index& index = known_[path];
  if (index.lasting && index.stamp == stamp) return &index;
  const auto coarsest = std::chrono::nanoseconds(settings.coarsest_clock).count();
  const std::vector<GitIndexFile> before = std::exchange(index.files, {});
  index = {stamp, stamp.changed_ns + coarsest < NowInNs() &&
                      stamps_.Prove(fd.get(), /*mount=*/0, stamp.device)};
  as_said_.clear();
  const auto bytes = ReadAll(fd.get(), static_cast<std::size_t>(stamp.size));
  if (!bytes) return nullptr;
  Expected<std::vector<GitIndexFile>> files =
      ParseGitIndex(*bytes, [&path](const std::string& name) { return Neighbour(path, name); });
  index.damaged = !files;
  if (!files) return &index;
  const PathMap paths(repository.tree(), root.real_path);
  for (GitIndexFile& file : *files) {
    auto here = paths.Of(file.path);
    if (!here || !IsRead(*here, file.submodule, settings)) continue;
    file.path = std::move(*here);
    if (!file.unwritten) file.id.resize(std::min(file.id.size(), kIdDigits));
    index.files.push_back(std::move(file));
  }
  gone_.IndexChanged(before, index.files);
  return &index;
}

void UnfinishedCheckouts::NoteGone(std::string path) {
  if (const auto slash = path.rfind('/'); slash != std::string::npos) {
    left_.insert(path.substr(0, slash));
  }
  gone_.Note(std::move(path));
}

bool UnfinishedCheckouts::IsOlder(const OpenRoot& root, const GitIndexFile& file) {
  const Descriptor fd(::openat(root.fd.get(), file.path.c_str(),
                               O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  struct stat status = {};
  // Inaccessible items are reported elsewhere.
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const FileStamp stamp = FileStamp::Of(status);
  if (stamp.size > kLargestFile) return false;
  const auto known = as_said_.find({file.path, file.id});
  if (known != as_said_.end() && known->second == stamp) return false;
  const auto content = ReadAll(fd.get(), static_cast<std::size_t>(stamp.size));
  const auto id = content ? GitBlobId(*content, file.id.size()) : std::nullopt;
  if (!id || *id != file.id) return id.has_value();
  if (stamps_.Prove(fd.get(), /*mount=*/0, stamp.device)) as_said_[{file.path, file.id}] = stamp;
  return false;
}

std::optional<UnreadItem> UnfinishedCheckouts::MakeItem(const OpenRoot& root,
                                                        const Listing& listing,
                                                        const GitIndexFile& file) {
  const std::string id = file.id.substr(0, kIdDigits);
  if (file.submodule) {
    const bool left = std::any_of(left_.begin(), left_.end(), [&file](const std::string& folder) {
      return IsWithin(folder, file.path);
    });
    if (!left || IsThere(root, PathIn(file.path, ".git"))) return std::nullopt;
    return UnreadItem{file.path, "is a submodule of git that is not checked out", "commit " + id,
                      /*ignored=*/true};
  }
  if (IsListed(listing, file.path) || IsThere(root, file.path)) {
    if (!file.unwritten || !IsOlder(root, file)) return std::nullopt;
    return UnreadItem{file.path,
                      "is not what git's index says, and was put into the index by who did not "
                      "write it: a checkout was not finished (or run \"git add\")",
                      "content " + id, /*ignored=*/false, /*opaque=*/true};
  }
  return gone_.Missing(file);
}

void UnfinishedCheckouts::Look(const OpenRoot& root, const Listing& listing,
                               const std::vector<GitWork>& repositories,
                               const DirectorySettings& settings) {
  items_.clear();
  damaged_.clear();
  std::set<std::string> missing;
  for (const GitWork& repository : repositories) {
    const Index* index = Read(root, repository, settings);
    if (index == nullptr) continue;
    if (index->damaged) {
      damaged_.push_back({repository.index(),
                          "is no whole index of git: git is writing it, or it is damaged (then "
                          "delete it and run \"git reset\")",
                          /*git=*/true});
    }
    for (const GitIndexFile& file : index->files) {
      auto item = MakeItem(root, listing, file);
      if (!item) continue;
      missing.insert(file.path);
      items_.push_back(std::move(*item));
    }
  }
  // While the index cannot be read nothing of it is forgotten.
  if (!damaged_.empty()) return;
  gone_.Keep(missing);
}

}  // namespace bindery::manifests
