#include "manifests/directory/facts_keeper.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "manifests/directory/file_status.h"
#include "manifests/directory/halfway_files.h"
#include "manifests/directory/mount_points.h"
#include "manifests/files/file_names.h"
#include "manifests/files/other_work.h"

namespace bindery::manifests {
namespace {

/// The identity of an unreadable file's state.
std::string StampText(const OpenRoot& root, const std::string& path) {
  struct stat status = {};
  if (::fstatat(root.fd.get(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return "none";
  const FileStamp stamp = FileStamp::Of(status);
  return std::to_string(stamp.device) + ":" + std::to_string(stamp.inode) + ":" +
         std::to_string(stamp.size) + ":" + std::to_string(stamp.modified_ns);
}

bool IsFolder(const OpenRoot& root, const std::string& path, bool& exists) {
  struct stat status = {};
  exists = ::fstatat(root.fd.get(), path.c_str(), &status, 0) == 0;
  return exists && S_ISDIR(status.st_mode);
}

WallTime ToWall(std::int64_t nanoseconds) {
  return WallTime(
      std::chrono::duration_cast<WallTime::duration>(std::chrono::nanoseconds(nanoseconds)));
}

WallTime NewestIn(const Listing& listing) {
  std::int64_t newest = 0;
  const auto take = [&newest](const FileStamp& stamp) {
    newest = std::max({newest, stamp.changed_ns, stamp.modified_ns});
  };
  for (const ListedFolder& folder : listing.folders) {
    take(folder.stamp);
    for (const ListedFile& file : folder.files) take(file.stamp);
  }
  return ToWall(newest);
}

void SortByPath(std::vector<UnreadItem>& items) {
  std::stable_sort(items.begin(), items.end(),
                   [](const UnreadItem& a, const UnreadItem& b) { return a.path < b.path; });
}

constexpr std::string_view kLostAndFound = "lost+found";

std::string_view NameIn(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Files that by their names may hold the missing part.
void AddHeld(const OpenRoot& root, const Listing& listing, std::vector<UnreadItem>& items) {
  constexpr std::size_t kMostBeside = 1000;  // Each is kept in the store.
  std::size_t beside = 0;
  for (const HeldFile& held : listing.held_files) {
    struct stat status = {};
    const bool there = ::fstatat(root.fd.get(), held.of.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (there && ++beside > kMostBeside) continue;
    UnreadItem item{held.path, "may hold \"" + held.of + "\", as it is named like " + held.left,
                    StampText(root, held.path), true};
    item.harmless = there;
    items.push_back(std::move(item));
  }
}

/// A known folder has become a hidden folder.
bool WasRenamedTo(const OpenRoot& root, const ListedFolder& known, const std::string& path,
                  const FileStatus& now) {
  if (MayBeSame(now, known.stamp)) return true;
  // Of an earlier run only its files are known.
  constexpr std::size_t kSome = 3;
  const std::size_t count = known.stamp.inode == 0 ? std::min(known.files.size(), kSome) : 0;
  return std::any_of(known.files.begin(), known.files.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const ListedFile& file) {
                       FileStatus status;
                       const std::string there = PathIn(path, known.GetName(file));
                       return LookUp(root.fd.get(), there.c_str(), AT_SYMLINK_NOFOLLOW, status) ==
                                  0 &&
                              MayBeSame(status, file.stamp);
                     });
}

}  // namespace

/// A known folder that is not listed: gone, hidden, replaced, or omitted.
void FactsKeeper::CheckFolder(const OpenRoot& root, const ListedFolder& known,
                              const Listing& listing) {
  const auto& broken = listing.broken_folders;
  if (std::find(broken.begin(), broken.end(), known.path) != broken.end()) return;
  bool exists = false;
  if (IsFolder(root, known.path, exists)) {
    // A folder reached by a link may be listed under a new name now.
    if (!known.via_link && !omitted_) omitted_ = known.path;
    return;
  }
  if (exists) replaced_.insert(known.path);
  gone_.emplace_back(known.path, known.stamp);
  for (const ListedFile& file : known.files) {
    NoteGone(PathIn(known.path, known.GetName(file)), file.stamp);
  }
  for (const auto& [path, stamp] : listing.hidden_folders) {
    FileStatus status;
    if (LookUp(root.fd.get(), path.c_str(), AT_SYMLINK_NOFOLLOW, status) != 0) continue;
    if (WasRenamedTo(root, known, path, status)) hidden_.insert(path);
    const std::string inside = PathIn(path, NameIn(known.path));
    if (LookUp(root.fd.get(), inside.c_str(), AT_SYMLINK_NOFOLLOW, status) != 0) continue;
    if (WasRenamedTo(root, known, inside, status)) moved_[inside] = status.stamp.inode;
  }
}

void FactsKeeper::NoteGone(std::string path, const FileStamp& stamp) {
  checkouts_.NoteGone(path);
  gone_.emplace_back(std::move(path), stamp);
}

void FactsKeeper::NoteGone(const Listing& known, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const std::string_view name = NameIn(path);
    const bool topmost = name.size() == path.size();
    const ListedFolder* folder =
        known.Find(topmost ? std::string_view() : path.substr(0, path.size() - name.size() - 1));
    const std::size_t place = folder == nullptr ? 0 : folder->FindPlace(name);
    if (folder != nullptr && folder->HasAt(place, name)) {
      NoteGone(path, folder->files[place].stamp);
    }
  }
}

/// A file may be moved to an ignored place by mistake, just as a file may be renamed so.
void FactsKeeper::FindMoved(const OpenRoot& root, const Listing& listing) {
  if (!gone_.empty()) {
    std::vector<std::string> folders;
    for (const auto& [path, stamp] : listing.hidden_folders) {
      if (!hidden_.contains(path)) folders.push_back(path);
    }
    for (auto& [path, inode] : FindMovedFiles(root, folders, gone_)) moved_[path] = inode;
  }
  gone_.clear();
  std::erase_if(moved_, [&root](const auto& moved) {
    FileStatus status;
    return LookUp(root.fd.get(), moved.first.c_str(), AT_SYMLINK_NOFOLLOW, status) != 0 ||
           status.stamp.inode != moved.second;
  });
}

std::optional<std::string> FactsKeeper::OmittedFile(const OpenRoot& root, const ListedFolder& known,
                                                    const Listing& listing) {
  const ListedFolder* folder = listing.Find(known.path);
  if (folder == nullptr) return std::nullopt;
  auto at = folder->files.begin();
  for (const ListedFile& file : known.files) {
    const std::string_view name = known.GetName(file);
    while (at != folder->files.end() && folder->GetName(*at) < name) ++at;
    if (at != folder->files.end() && folder->GetName(*at) == name) continue;
    const std::string path = PathIn(known.path, name);
    struct stat status = {};
    if (listing.broken.contains(path)) continue;
    if (::fstatat(root.fd.get(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return path;
    NoteGone(path, file.stamp);
  }
  return std::nullopt;
}

std::optional<Error> FactsKeeper::CheckOmitted(const OpenRoot& root, const Listing& known,
                                               const Listing& listing) {
  omitted_.reset();
  for (const ListedFolder& folder : known.folders) {
    if (!folder.path.empty() && !settings_.recursive) continue;
    if (listing.Find(folder.path) == nullptr) {
      CheckFolder(root, folder, listing);
    } else if (!omitted_) {
      omitted_ = OmittedFile(root, folder, listing);
    }
  }
  if (!omitted_) return std::nullopt;
  Error error = ChangedWhileRead(settings_, *omitted_);
  error.message += ", which is there, was not listed";
  return error;
}

void FactsKeeper::NoteWriters(const Listing& read, const std::vector<std::string>& gone) {
  for (const std::string& path : gone) writers_.erase(path);
  for (const ListedFolder& folder : read.folders) {
    for (const ListedFile& file : folder.files) {
      if (!file.open_for_writing && writers_.empty()) continue;
      const std::string path = PathIn(folder.path, folder.GetName(file));
      if (file.open_for_writing) {
        writers_.insert(path);
      } else {
        writers_.erase(path);
      }
    }
  }
}

std::vector<UnreadItem> FactsKeeper::Unreadable(const OpenRoot& root, const Listing& listing,
                                                const std::vector<Problem>& problems) const {
  std::vector<UnreadItem> items;
  for (const Problem& problem : problems) {
    if (problem.severity != ProblemSeverity::kError) continue;
    const auto& folders = listing.broken_folders;
    const bool opaque = std::find(folders.begin(), folders.end(), problem.file) != folders.end();
    items.push_back({problem.file, "(" + problem.code + ") " + problem.message,
                     problem.code + " " + StampText(root, problem.file), /*ignored=*/false,
                     opaque});
  }
  for (const std::string& path : replaced_) {
    items.push_back({path, "was a folder and is something else now", StampText(root, path)});
  }
  for (const std::string& path : listing.misspelled) {
    items.push_back({path, "is not read, as its ending has capitals", StampText(root, path), true});
  }
  for (const std::string& path : listing.hidden_files) {
    items.push_back({path, "is hidden by its name", StampText(root, path), true});
  }
  for (const auto& [path, stamp] : listing.hidden_folders) {
    if (!hidden_.contains(path)) continue;
    items.push_back({path, "is hidden by its name", std::to_string(stamp.inode), true});
  }
  for (const auto& [path, stamp] : listing.hidden_folders) {
    const bool lost = NameIn(path) == kLostAndFound && !OpenFolderAt(root, path).valid();
    if (!lost) continue;
    // A device may get another number with each start of the machine.
    items.push_back({path, "cannot be read, and holds what was lost when a volume was repaired",
                     std::to_string(stamp.inode) + ":" + std::to_string(stamp.modified_ns), true});
  }
  AddHeld(root, listing, items);
  std::vector<UnreadItem> halfway = FilesHalfway(root, listing, settings_.recursive);
  std::move(halfway.begin(), halfway.end(), std::back_inserter(items));
  for (const auto& [path, inode] : moved_) {
    items.push_back(
        {path, "is in a folder that is hidden by its name", std::to_string(inode), true});
  }
  items.insert(items.end(), checkouts_.items().begin(), checkouts_.items().end());
  return items;
}

Ground FactsKeeper::FindGroundFacts(const OpenRoot& root, const Listing& listing) {
  Ground ground;
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(settings_.directory, failed);
  ground.directory = (failed ? settings_.directory : absolute).lexically_normal().generic_string();
  while (ground.directory.size() > 1 && ground.directory.back() == '/') ground.directory.pop_back();
  ground.real_path = root.real_path;
  ground.device = root.stamp.device;
  ground.inode = root.stamp.inode;
  ground.mount = root.mount;
  ground.linked = !root.real_path.empty() && root.real_path != ground.directory;
  ground.mount_point = root.mount_point;
  ground.volume = GetVolume(root.fd.get());
  ground.mounted_at = MountedAt(root);
  ground.recursive = settings_.recursive;
  ground.mounts = listing.mounts;
  for (const MountPoint& mount : listing.mounts) mounts_.insert(mount.path);
  // A mount that still exists is not gone because no path leads to the mount any more.
  for (const std::string& path : mounts_) {
    const bool listed = std::any_of(listing.mounts.begin(), listing.mounts.end(),
                                    [&](const MountPoint& mount) { return mount.path == path; });
    if (listed) continue;
    if (auto mount = MountPointAt(root, path)) ground.mounts.push_back(std::move(*mount));
  }
  std::sort(ground.mounts.begin(), ground.mounts.end(),
            [](const MountPoint& a, const MountPoint& b) { return a.path < b.path; });
  return ground;
}

void FactsKeeper::AddActivities(DirectoryFacts& facts) const {
  for (const std::string& path : writers_) facts.under_way.push_back({path, "is open for writing"});
  for (const GitWork& git : git_) {
    if (auto work = git.UnderWay()) facts.under_way.push_back(std::move(*work));
  }
  for (const std::string& tree : other_trees_) {
    if (auto work = OtherWorkUnderWay(tree)) facts.under_way.push_back(std::move(*work));
  }
  facts.under_way.insert(facts.under_way.end(), checkouts_.damaged().begin(),
                         checkouts_.damaged().end());
}

/// A repository may come, go or be a different one at any time.
void FactsKeeper::FindRepositories(const OpenRoot& root, const Listing& listing) {
  git_.clear();
  git_.push_back(GitWork::Above(root.real_path));
  other_trees_ = OtherWorkTreesAbove(root.real_path);
  if (root.real_path.empty()) return;
  for (const std::string& folder : listing.repositories) {
    if (folder.empty()) continue;  // That was found above.
    std::string tree = PathIn(root.real_path, folder);
    git_.push_back(GitWork::In(tree));
    if (IsOtherWorkTree(tree)) other_trees_.push_back(std::move(tree));
  }
}

DirectoryFacts FactsKeeper::Facts(const OpenRoot& root, const Listing& listing,
                                  const Contents& contents, const std::vector<Problem>& problems) {
  std::erase_if(replaced_, [&](const std::string& path) {
    bool exists = false;
    return IsFolder(root, path, exists) || !exists;
  });
  FindRepositories(root, listing);
  checkouts_.Look(root, listing, git_, settings_);
  FindMoved(root, listing);
  unreadable_ = Unreadable(root, listing, problems);
  DirectoryFacts facts = HintedFacts(listing, contents);
  facts.begun = ToWall(listing.begun_ns);
  facts.stamps_prove = std::all_of(listing.folders.begin(), listing.folders.end(),
                                   [](const ListedFolder& folder) { return folder.stamps_prove; });
  facts.ground = FindGroundFacts(root, listing);
  return facts;
}

DirectoryFacts FactsKeeper::HintedFacts(const Listing& present, const Contents& contents) {
  DirectoryFacts facts;
  facts.newest = NewestIn(present);
  facts.unread = contents.Unread();
  facts.unread.insert(facts.unread.end(), unreadable_.begin(), unreadable_.end());
  SortByPath(facts.unread);
  AddActivities(facts);
  return facts;
}

}  // namespace bindery::manifests
