#include "manifests/unfinished_checkouts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

#include "manifests/file_names.h"

namespace bindery {
namespace {

/// That of a repository of a million files is smaller.
constexpr std::int64_t kLargestIndex = 256L * 1024 * 1024;
/// Enough of an id to tell it from others, and short enough to need no room of its own.
constexpr std::size_t kIdDigits = 15;

std::int64_t NowInNs() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::optional<std::string> AllOf(int fd, std::int64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::read(fd, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

/// A file that would be read if it was there.
bool IsRead(std::string_view path, const DirectorySettings& settings) {
  std::size_t depth = 0;
  for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
    if (!settings.recursive || ++depth > settings.max_depth) return false;
    if (IsIgnoredName(path.substr(0, slash))) return false;
    path.remove_prefix(slash + 1);
  }
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

/// Requires: sorted by path.
const GitIndexFile* FindFile(const std::vector<GitIndexFile>& files, const std::string& path) {
  const auto found = std::lower_bound(
      files.begin(), files.end(), path,
      [](const GitIndexFile& file, const std::string& wanted) { return file.path < wanted; });
  return found != files.end() && found->path == path ? &*found : nullptr;
}

bool IsListed(const Listing& listing, const std::string& path) {
  const auto slash = path.rfind('/');
  const bool topmost = slash == std::string::npos;
  const std::string_view all = path;
  const std::string_view name = topmost ? all : all.substr(slash + 1);
  const ListedFolder* folder = listing.Find(topmost ? std::string_view() : all.substr(0, slash));
  return folder != nullptr && folder->HasAt(folder->PlaceOf(name), name);
}

bool IsThere(const OpenRoot& root, const Listing& listing, const std::string& path) {
  if (IsListed(listing, path)) return true;
  struct stat status = {};
  if (::fstatat(root.fd.get(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return true;
  // What cannot be looked at is told otherwise.
  return errno != ENOENT && errno != ENOTDIR;
}

}  // namespace

const UnfinishedCheckouts::Index* UnfinishedCheckouts::Read(const OpenRoot& root,
                                                            const GitWork& repository,
                                                            const DirectorySettings& settings) {
  const std::string path = repository.index();
  if (path.empty()) return nullptr;
  // One that is not there, or may not be read, tells nothing.
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status = {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  const FileStamp stamp = FileStamp::Of(status);
  if (stamp.size > kLargestIndex) return nullptr;
  Index& index = known_[path];
  if (index.lasting && index.stamp == stamp) return &index;
  const auto coarsest = std::chrono::nanoseconds(settings.coarsest_clock).count();
  const std::vector<GitIndexFile> before = std::exchange(index.files, {});
  index = {stamp, stamp.changed_ns + coarsest < NowInNs()};
  const auto bytes = AllOf(fd.get(), stamp.size);
  if (!bytes) return nullptr;
  Expected<std::vector<GitIndexFile>> files = ParseGitIndex(*bytes);
  index.damaged = !files;
  if (!files) return &index;
  const PathMap paths(repository.tree(), root.real_path);
  for (const GitIndexFile& file : *files) {
    auto here = paths.Of(file.path);
    if (!here || !IsRead(*here, settings)) continue;
    index.files.push_back({std::move(*here), file.id.substr(0, kIdDigits)});
  }
  // What went while the index got another content for it is being checked out.
  std::erase_if(seen_to_go_, [&](const std::string& gone) {
    const GitIndexFile* old = FindFile(before, gone);
    const GitIndexFile* now = FindFile(index.files, gone);
    return old != nullptr && now != nullptr && old->id != now->id;
  });
  return &index;
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
      if (IsThere(root, listing, file.path)) continue;
      UnreadItem item{file.path,
                      "is in git's index, is not there and was not seen to go: a checkout was not "
                      "finished",
                      "index " + file.id};
      item.harmless = seen_to_go_.contains(file.path);
      item.opaque = !item.harmless;
      missing.insert(file.path);
      items_.push_back(std::move(item));
    }
  }
  // While the index cannot be read nothing of it is forgotten.
  if (!damaged_.empty()) return;
  std::erase_if(seen_to_go_, [&](const std::string& path) { return !missing.contains(path); });
}

}  // namespace bindery
