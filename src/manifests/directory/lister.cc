// Reading the names and stamps of a whole tree.

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include "core/base/mutex.h"
#include "core/text/text_search.h"
#include "manifests/directory/file_shares.h"
#include "manifests/directory/file_status.h"
#include "manifests/directory/listing.h"
#include "manifests/directory/mount_points.h"
#include "manifests/directory/passed_over.h"
#include "manifests/files/file_names.h"
#include "manifests/files/open_folder.h"
#include "manifests/files/volume_kind.h"

namespace bindery::manifests {
namespace {

/// Lists one tree. Fails as a whole by setting failure_; all else that is wrong is a problem.
class Lister {
 public:
  Lister(const OpenRoot& root, const DirectorySettings& settings)
      : root_(root), settings_(settings) {}

  Expected<Listing> Run() {
    listing_.real_root = root_.real_path;
    folders_.emplace("", Pending{});
    // Links to folders come last, so that a folder is read under its own name if possible.
    while (!failure_ && !(folders_.empty() && links_.empty())) {
      auto& from = folders_.empty() ? links_ : folders_;
      const auto next = from.extract(from.begin());
      ReadFolder(next.key(), next.mapped());
    }
    if (!failure_) LookAtFiles();
    if (failure_) return Fail(std::move(*failure_));
    std::ranges::sort(listing_.folders, {}, &ListedFolder::path);
    listing_.mounts = mounts_.Take();
    std::ranges::stable_sort(listing_.problems, {}, &Problem::file);
    return std::move(listing_);
  }

 private:
  struct Pending {
    std::size_t depth = 0;
    bool link = false;      ///< Itself.
    bool via_link = false;  ///< Itself or a folder above it.
  };

  void Changed(const std::string& path) { failure_ = ChangedWhileRead(settings_, path); }

  /// `path` cannot be read and is not to be missed.
  void Broken(const std::string& path, const char* code, std::string message) {
    Problem problem;
    problem.file = path;
    problem.code = code;
    problem.message = std::move(message);
    listing_.problems.push_back(std::move(problem));
    listing_.broken.insert(path);
  }

  void BrokenFolder(const std::string& path, const char* code, std::string message) {
    Broken(path, code, std::move(message));
    listing_.broken_folders.push_back(path);
  }

  void ReadFolder(const std::string& path, const Pending& pending) {
    if (pending.depth > settings_.max_depth) {
      return BrokenFolder(path, "TooDeep",
                          "more than " + std::to_string(settings_.max_depth) +
                              " folders within folders: what is below is not read");
    }
    const int flags =
        O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (pending.link ? 0 : O_NOFOLLOW);
    Descriptor fd(::openat(root_.fd.get(), path.empty() ? "." : path.c_str(), flags));
    if (!fd.valid()) return CannotOpenFolder(path, errno);
    ListedFolder folder{path, {}, 0, pending.via_link, {}, {}};
    if (!Admit(fd.get(), folder)) return;
    OpenFolder open(std::move(fd));
    if (!open.valid()) return CannotOpenFolder(path, errno);
    ReadNames(open, folder, pending);
    if (failure_) return;
    if (errno != 0) return CannotOpenFolder(path, errno);
    std::ranges::sort(folder.files, {},
                      [&folder](const ListedFile& file) { return folder.GetName(file); });
    listing_.folders.push_back(std::move(folder));
    if (listing_.folders.size() > settings_.max_files) TooMany("folders");
  }

  void CannotOpenFolder(const std::string& path, int error) {
    if (path.empty()) return static_cast<void>(failure_ = CannotOpenDirectory(settings_, error));
    // The folder existed a moment ago.
    if (IsGone(error)) return Changed(path);
    BrokenFolder(path, "UnreadableFolder", "the folder cannot be read: " + SystemText(error));
  }

  /// Decides whether an open folder may be read: it lies within the root and was not read before.
  bool Admit(int fd, ListedFolder& folder) {
    FileStatus status;
    if (const int error = LookUp(fd, status); error != 0) {
      CannotOpenFolder(folder.path, error);
      return false;
    }
    folder.stamp = status.stamp;
    folder.mount = folder.path.empty() ? root_.mount : status.mount;
    folder.stamps_prove = stamps_.Prove(fd, status.mount, status.stamp.device);
    // Without /proc no link can be followed, but folders are where they are.
    const bool trusted = folder.path.empty() || (root_.real_path.empty() && !folder.via_link);
    if (!trusted && !LiesWithin(GetRealPath(fd))) {
      BrokenFolder(folder.path, "EscapingLink", "the link leads out of the manifests directory");
      return false;
    }
    NoteMount(fd, folder.mount, folder.path);
    const auto [first, fresh] =
        visited_.emplace(std::pair(folder.stamp.device, folder.stamp.inode), folder.path);
    if (fresh) return true;
    const std::string where =
        first->second.empty() ? "the manifests directory itself" : "\"" + first->second + "\"";
    BrokenFolder(folder.path, "RepeatedFolder",
                 "leads to " + where + ", which is read under its own name: remove one of the two");
    return false;
  }

  /// What is open, and listed as `path`, lies on `mount`.
  void NoteMount(int fd, std::uint64_t mount, const std::string& path) {
    if (!mounts_.IsNew(mount)) return;
    const std::string real = GetRealPath(fd);
    const bool known = LiesWithin(real) && real.size() > root_.real_path.size() + 1;
    const std::size_t slash = root_.real_path == "/" ? 0 : 1;
    mounts_.Note(mount, known ? real.substr(root_.real_path.size() + slash) : path);
  }

  [[nodiscard]] bool LiesWithin(const std::string& real) const {
    return !root_.real_path.empty() && IsWithin(real, root_.real_path);
  }

  /// Leaves errno at 0 when all names were read.
  void ReadNames(OpenFolder& open, ListedFolder& folder, const Pending& pending) {
    PassedOver passed_over(folder.path, settings_.recursive);
    while (const dirent* entry = open.Next()) {
      const std::string_view name = entry->d_name;
      if (name == kDataLink) {
        folder.data_link = LinkText(open.fd(), entry->d_name);
        listing_.has_links = true;
      }
      if (IsManifestName(name)) {
        AddFile(name, folder);
      } else {
        if (settings_.recursive && !IsIgnoredName(name)) {
          AddFolder(open.fd(), *entry, folder, pending);
        }
        passed_over.Take(open.fd(), *entry);
      }
      if (failure_) return;
    }
    const int error = errno;
    passed_over.Tell(!folder.data_link.empty(), listing_);
    errno = error;
  }

  /// The path within the root; "" (and a problem) when the name cannot be shown as it is.
  std::string MakePath(const ListedFolder& folder, std::string_view name) {
    if (IsSafeName(name)) return PathIn(folder.path, name);
    Broken(PathIn(folder.path, EscapedName(name)), "InvalidFileName",
           "the name is not UTF-8 or holds control characters (shown as \\xNN): rename it");
    return {};
  }

  /// Every item with a manifest's name counts, whatever its type: no more names are ever
  /// kept.
  void AddFile(std::string_view name, ListedFolder& folder) {
    if (!IsSafeName(name)) return static_cast<void>(MakePath(folder, name));
    if (++listing_.name_count > settings_.max_files) return TooMany("manifest files");
    folder.files.push_back(folder.Named(name));
  }

  /// A name that is not simply a file to read.
  struct Odd {
    std::size_t folder = 0;  ///< Its index among the folders, and in its folder.
    std::size_t file = 0;
    FileStatus status;
    int error = 0;  ///< An errno: nothing was found.
  };

  /// A name with a different mount than its folder.
  struct Mounted {
    std::size_t folder = 0;
    std::size_t file = 0;
    std::uint64_t mount = 0;
  };

  struct Found {
    std::uint64_t bytes = 0;
    std::vector<Odd> odd;
    std::vector<Mounted> mounted;
  };

  void LookAtFiles() {
    struct {
      Mutex mutex;
      Found all GUARDED_BY(mutex);
    } shared;
    FilesInShares(listing_.folders, [&](const FileShare& share) {
      const Found found = StampFiles(share);
      const MutexLock lock(shared.mutex);
      shared.all.odd.insert(shared.all.odd.end(), found.odd.begin(), found.odd.end());
      shared.all.mounted.insert(shared.all.mounted.end(), found.mounted.begin(),
                                found.mounted.end());
      shared.all.bytes += found.bytes;
    });
    const MutexLock lock(shared.mutex);
    listing_.bytes += shared.all.bytes;
    listing_.file_count = listing_.name_count;
    for (const Mounted& mounted : shared.all.mounted) NoteMountOn(mounted);
    DropUnreadable(shared.all.odd);
    if (listing_.bytes <= settings_.max_total_bytes || failure_) return;
    Exceeded("manifest files of more than " + std::to_string(settings_.max_total_bytes) +
             " bytes in all");
  }

  /// Stamps the members that are files to read.
  Found StampFiles(const FileShare& share) {
    ListedFolder& folder = listing_.folders[share.folder];
    const Descriptor fd = OpenFolderAt(root_, folder.path);
    const int unopened = fd.valid() ? 0 : errno;
    Found found;
    FileStatus status;
    for (std::size_t i = share.from; i < share.to; ++i) {
      ListedFile& file = folder.files[i];
      int error = unopened;
      if (error == 0) error = LookUp(fd.get(), folder.GetCName(file), AT_SYMLINK_NOFOLLOW, status);
      if (error != 0 || !S_ISREG(status.mode) || IsTooLarge(status)) {
        found.odd.push_back({share.folder, i, status, error});
        continue;
      }
      file.stamp = status.stamp;
      found.bytes += static_cast<std::uint64_t>(status.stamp.size);
      file.read_anyway = status.mount != folder.mount;
      if (file.read_anyway) found.mounted.push_back({share.folder, i, status.mount});
    }
    return found;
  }

  void NoteMountOn(const Mounted& mounted) {
    if (!mounts_.IsNew(mounted.mount)) return;
    const ListedFolder& folder = listing_.folders[mounted.folder];
    const std::string path = PathIn(folder.path, folder.GetName(folder.files[mounted.file]));
    const Descriptor fd(::openat(root_.fd.get(), path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (fd.valid()) NoteMount(fd.get(), mounted.mount, path);
  }

  [[nodiscard]] bool IsTooLarge(const FileStatus& status) const {
    return static_cast<std::uint64_t>(status.stamp.size) > settings_.max_file_bytes;
  }

  void DropUnreadable(const std::vector<Odd>& odd) {
    std::map<std::size_t, std::set<std::size_t>> dropped;  // By folder.
    for (const Odd& one : odd) {
      ListedFolder& folder = listing_.folders[one.folder];
      if (!TakeUp(folder, one, folder.files[one.file])) {
        dropped[one.folder].insert(one.file);
      }
    }
    for (const auto& [folder, places] : dropped) {
      std::vector<ListedFile> kept;
      std::vector<ListedFile>& files = listing_.folders[folder].files;
      for (std::size_t i = 0; i < files.size(); ++i) {
        if (!places.contains(i)) kept.push_back(std::move(files[i]));
      }
      files = std::move(kept);
      listing_.file_count -= places.size();
    }
  }

  /// False when it is no file to read; a problem or a failure says why.
  bool TakeUp(const ListedFolder& folder, const Odd& odd, ListedFile& file) {
    if (odd.error != 0) {
      Missed(folder, file, odd.error);
      return false;
    }
    FileStatus status = odd.status;
    file.link = S_ISLNK(status.mode);
    listing_.has_links = listing_.has_links || file.link;
    if (file.link && !FollowToFile(folder, file, status)) return false;
    const std::string path = PathIn(folder.path, folder.GetName(file));
    if (!S_ISREG(status.mode)) {
      Broken(path, "NotAFile",
             S_ISDIR(status.mode) ? "is a folder, but bears the name of a manifest file"
                                  : "is not a regular file");
      return false;
    }
    if (IsTooLarge(status)) {
      const std::string most = std::to_string(settings_.max_file_bytes);
      Broken(path, "TooLarge", "holds more than " + most + " bytes: split the file");
      return false;
    }
    file.stamp = status.stamp;
    file.read_anyway = status.mount != folder.mount;
    listing_.bytes += static_cast<std::uint64_t>(status.stamp.size);
    return true;
  }

  void Missed(const ListedFolder& folder, const ListedFile& file, int error) {
    const std::string path = PathIn(folder.path, folder.GetName(file));
    // The file or its folder existed a moment ago.
    if (IsGone(error)) return Changed(path);
    Broken(path, "UnreadableFile", "cannot be read: " + SystemText(error));
  }

  void TooMany(const char* what) {
    Exceeded("more than " + std::to_string(settings_.max_files) + " " + what);
  }

  void Exceeded(const std::string& what) {
    failure_ = Fail(Code::kResourceExhausted,
                    Named(settings_) + " holds " + what + std::string(kNothingDeleted))
                   .value();
  }

  /// Opens the target of a link, without reading. Invalid, with a problem, after a failure.
  Descriptor OpenTarget(int fd, const char* name, const ListedFolder& folder, FileStatus& status) {
    Descriptor target(::openat(fd, name, O_PATH | O_CLOEXEC));
    const int error = target.valid() ? LookUp(target.get(), status) : errno;
    if (error == 0) return target;
    const std::string path = PathIn(folder.path, name);
    if (error == ENOENT || error == ENOTDIR) {
      Broken(path, "DanglingLink",
             "the link leads to \"" + EscapedName(LinkText(fd, name)) + "\", which does not exist");
    } else {
      Broken(path, error == ELOOP ? "LinkLoop" : "UnreadableFile",
             "the link cannot be followed: " + SystemText(error));
    }
    return Descriptor();
  }

  bool FollowToFile(const ListedFolder& folder, const ListedFile& file, FileStatus& status) {
    const char* name = folder.GetCName(file);
    const Descriptor fd = OpenFolderAt(root_, folder.path);
    if (!fd.valid()) {
      Missed(folder, file, errno);
      return false;
    }
    const Descriptor target = OpenTarget(fd.get(), name, folder, status);
    if (!target.valid()) return false;
    if (!S_ISREG(status.mode)) return true;
    if (LiesWithin(GetRealPath(target.get()))) {
      NoteMount(target.get(), status.mount, PathIn(folder.path, name));
      return true;
    }
    Broken(PathIn(folder.path, name), "EscapingLink",
           "the link leads out of the manifests directory");
    return false;
  }

  /// A name that is no manifest's: of interest if the name is a folder, or a link to a folder.
  void AddFolder(int fd, const dirent& entry, const ListedFolder& folder, const Pending& above) {
    FileStatus status;
    bool is_folder = entry.d_type == DT_DIR;
    bool is_link = entry.d_type == DT_LNK;
    if (entry.d_type == DT_UNKNOWN) {
      if (LookUp(fd, entry.d_name, AT_SYMLINK_NOFOLLOW, status) != 0) return;
      is_folder = S_ISDIR(status.mode);
      is_link = S_ISLNK(status.mode);
    }
    if (!is_folder && !is_link) return;
    const std::string path = MakePath(folder, entry.d_name);
    if (path.empty()) return;
    const Pending pending{above.depth + 1, is_link, is_link || above.via_link};
    if (is_folder) return static_cast<void>(folders_.emplace(path, pending));
    const Descriptor target = OpenTarget(fd, entry.d_name, folder, status);
    if (!target.valid() || S_ISDIR(status.mode)) listing_.has_links = true;
    if (!target.valid()) return listing_.broken_folders.push_back(path);
    if (S_ISDIR(status.mode)) links_.emplace(path, pending);
  }

  const OpenRoot& root_;
  const DirectorySettings& settings_;
  Listing listing_;
  MountPoints mounts_{root_};
  StampTrust stamps_;
  std::map<std::string, Pending> folders_;  ///< Still to be read.
  std::map<std::string, Pending> links_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> visited_;
  std::optional<Error> failure_;
};

}  // namespace

Expected<Listing> List(const OpenRoot& root, const DirectorySettings& settings) {
  return Lister(root, settings).Run();
}

}  // namespace bindery::manifests
