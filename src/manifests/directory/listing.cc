#include "manifests/directory/listing.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <tuple>
#include <utility>

#include "core/base/mutex.h"
#include "manifests/directory/file_shares.h"
#include "manifests/directory/file_status.h"
#include "manifests/files/file_names.h"

namespace bindery::manifests {
namespace {

std::int64_t TimespecNanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool SameProblems(const std::vector<Problem>& a, const std::vector<Problem>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Problem& x, const Problem& y) {
    return x.file == y.file && x.code == y.code && x.message == y.message;
  });
}

/// Compares the files of two folders; links only when `links`.
bool SameFiles(const ListedFolder& a, const ListedFolder& b, bool links) {
  const auto skip = [links](const ListedFolder& folder, std::size_t& at) {
    while (!links && at < folder.files.size() && folder.files[at].link) ++at;
    return at < folder.files.size();
  };
  for (std::size_t i = 0, j = 0;; ++i, ++j) {
    const bool more_a = skip(a, i);
    const bool more_b = skip(b, j);
    if (!more_a || !more_b) return more_a == more_b;
    const ListedFile& x = a.files[i];
    const ListedFile& y = b.files[j];
    if (x.stamp != y.stamp || x.link != y.link || a.GetName(x) != b.GetName(y)) return false;
  }
}

bool SameListedFolder(const ListedFolder& a, const ListedFolder& b) {
  return a.path == b.path && a.via_link == b.via_link && a.data_link == b.data_link &&
         SameFiles(a, b, true);
}

template <typename Folders>
auto FindFolder(Folders& folders, std::string_view path) {
  const auto found = std::lower_bound(folders.begin(), folders.end(), path,
                                      [](const ListedFolder& folder, std::string_view wanted) {
                                        return folder.path.compare(wanted) < 0;
                                      });
  return found != folders.end() && found->path == path ? &*found : nullptr;
}

/// As DifferenceIn, of a share of one folder's files.
std::optional<std::string> DifferenceAmong(const OpenRoot& root, const ListedFolder& folder,
                                           const FileShare& share) {
  const Descriptor fd = OpenFolderAt(root, folder.path);
  if (!fd.valid()) return folder.path;
  struct stat status = {};
  for (std::size_t i = share.from; i < share.to; ++i) {
    const ListedFile& file = folder.files[i];
    const char* name = folder.GetCName(file);
    if (::fstatat(fd.get(), name, &status, file.link ? 0 : AT_SYMLINK_NOFOLLOW) != 0 ||
        FileStamp::Of(status) != file.stamp) {
      return PathIn(folder.path, name);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string FileStamp::Bytes() const {
  const std::array<std::uint64_t, 5> words = {device, inode, static_cast<std::uint64_t>(size),
                                              static_cast<std::uint64_t>(modified_ns),
                                              static_cast<std::uint64_t>(changed_ns)};
  std::string bytes(sizeof(words), '\0');
  std::memcpy(bytes.data(), words.data(), sizeof(words));
  return bytes;
}

std::optional<FileStamp> FileStamp::FromBytes(std::string_view bytes) {
  std::array<std::uint64_t, 5> words = {};
  if (bytes.size() != sizeof(words)) return std::nullopt;
  std::memcpy(words.data(), bytes.data(), sizeof(words));
  return FileStamp{words[0], words[1], static_cast<std::int64_t>(words[2]),
                   static_cast<std::int64_t>(words[3]), static_cast<std::int64_t>(words[4])};
}

std::size_t ListedFolder::FindPlace(std::string_view name) const {
  const auto place = std::lower_bound(
      files.begin(), files.end(), name,
      [this](const ListedFile& file, std::string_view wanted) { return GetName(file) < wanted; });
  return static_cast<std::size_t>(place - files.begin());
}

ListedFile ListedFolder::Named(std::string_view name) {
  ListedFile file;
  file.name_at = static_cast<std::uint32_t>(names.size());
  file.name_size = static_cast<std::uint32_t>(name.size());
  // Separated by a NUL, so that a name is also a C string in place.
  names.append(name).append(1, '\0');
  return file;
}

const ListedFolder* Listing::Find(std::string_view folder) const {
  return FindFolder(folders, folder);
}
ListedFolder* Listing::Find(std::string_view folder) { return FindFolder(folders, folder); }

FileStamp FileStamp::Of(const struct stat& status) {
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
          std::int64_t{status.st_size}, TimespecNanoseconds(status.st_mtim),
          TimespecNanoseconds(status.st_ctim)};
}

std::string Named(const DirectorySettings& settings) {
  return "the manifests directory \"" + settings.directory.string() + "\"";
}

Error CannotOpenDirectory(const DirectorySettings& settings, int error) {
  Error failure;
  std::string what = "cannot be read: " + SystemText(error);
  switch (error) {
    case ENOENT: {
      const std::string target = LinkText(AT_FDCWD, settings.directory.c_str());
      failure.code = Code::kNotFound;
      what = target.empty() ? "does not exist"
                            : "is a link to \"" + EscapedName(target) + "\", which does not exist";
      break;
    }
    case ENOTDIR:
      failure.code = Code::kFailedPrecondition;
      what = "is not a directory";
      break;
    case ELOOP:
      failure.code = Code::kFailedPrecondition;
      break;
    case EACCES:
    case EPERM:
      failure.code = Code::kPermissionDenied;
      break;
    default:
      failure.code = Code::kUnavailable;
  }
  failure.message = Named(settings) + " " + what + std::string(kNothingDeleted);
  return failure;
}

bool IsGone(int error) {
  return error == ENOENT || error == ESTALE || error == ENOTDIR || error == ELOOP;
}

Error ChangedWhileRead(const DirectorySettings& settings, const std::string& path) {
  Error error;
  error.code = Code::kAborted;
  error.message = Named(settings) + " changed while it was read";
  if (!path.empty()) error.message += ": \"" + path + "\"";
  return error;
}

Expected<void> CheckPaths(const DirectorySettings& settings, const Listing& listing) {
  constexpr std::size_t kLongest = 2048;
  constexpr std::size_t kLongestFile = 255;
  for (const ListedFolder& folder : listing.folders) {
    if (folder.path.size() < kLongest - kLongestFile) continue;
    return Fail(Code::kResourceExhausted, Named(settings) +
                                              " holds a path of more than 2048 bytes: \"" +
                                              folder.path.substr(0, folder.path.find('/')) +
                                              "/…\"" + std::string(kNothingDeleted));
  }
  return {};
}

Expected<OpenRoot> OpenDirectory(const DirectorySettings& settings) {
  OpenRoot root;
  root.fd = Descriptor(::open(settings.directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.fd.valid()) return Fail(CannotOpenDirectory(settings, errno));
  FileStatus status;
  if (const int error = LookUp(root.fd.get(), status); error != 0) {
    return Fail(CannotOpenDirectory(settings, error));
  }
  root.stamp = status.stamp;
  root.real_path = GetRealPath(root.fd.get());
  root.mount = status.mount;
  const Descriptor above(::openat(root.fd.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
  FileStatus of_above;
  if (above.valid()) std::ignore = LookUp(above.get(), of_above);
  root.mount_point = above.valid() && of_above.mount != root.mount;
  return root;
}

Descriptor OpenFolderAt(const OpenRoot& root, const std::string& path) {
  return Descriptor(::openat(root.fd.get(), path.empty() ? "." : path.c_str(),
                             O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK));
}

bool IsStillThere(const OpenRoot& root, const DirectorySettings& settings) {
  const Expected<OpenRoot> now = OpenDirectory(settings);
  return now && now->stamp.inode == root.stamp.inode && now->stamp.device == root.stamp.device &&
         now->real_path == root.real_path;
}

std::optional<std::string> DifferenceIn(const OpenRoot& root,
                                        const std::vector<ListedFolder>& folders) {
  struct {
    Mutex mutex;
    std::optional<std::string> different GUARDED_BY(mutex);
  } shared;
  std::atomic<bool> known = false;
  FilesInShares(folders, [&](const FileShare& share) {
    if (known) return;
    if (auto path = DifferenceAmong(root, folders[share.folder], share)) {
      const MutexLock lock(shared.mutex);
      shared.different = std::move(path);
      known = true;
    }
  });
  const MutexLock lock(shared.mutex);
  return shared.different;
}

std::optional<Error> LookAgain(const OpenRoot& root, const Listing& before,
                               const DirectorySettings& settings) {
  if (!IsStillThere(root, settings)) return ChangedWhileRead(settings, "");
  // A problem may have gone without a trace in what else is compared.
  bool list_again = !before.problems.empty();
  for (const ListedFolder& folder : before.folders) {
    const Descriptor fd = OpenFolderAt(root, folder.path);
    struct stat status = {};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0) {
      return ChangedWhileRead(settings, folder.path);
    }
    // Foreign file names change the stamp, too.
    if (FileStamp::Of(status) != folder.stamp) list_again = true;
    if (LinkText(fd.get(), std::string(kDataLink).c_str()) != folder.data_link) {
      return ChangedWhileRead(settings, PathIn(folder.path, kDataLink));
    }
  }
  if (const auto path = DifferenceIn(root, before.folders)) {
    return ChangedWhileRead(settings, *path);
  }
  if (!list_again) return std::nullopt;
  const Expected<Listing> after = List(root, settings);
  if (!after) return after.error();
  if (!SameListing(before, *after)) return ChangedWhileRead(settings, "");
  return std::nullopt;
}

bool SameListing(const Listing& a, const Listing& b) {
  return a.real_root == b.real_root && SameProblems(a.problems, b.problems) &&
         std::equal(a.folders.begin(), a.folders.end(), b.folders.begin(), b.folders.end(),
                    SameListedFolder);
}

bool OnlySwapped(const Listing& before, const Listing& after) {
  // What an exchange leaves dangling for a moment is not settled yet.
  if (!SameProblems(before.problems, after.problems)) return false;
  if (before.real_root != after.real_root) return true;
  bool swapped = false;
  std::size_t i = 0;
  std::size_t j = 0;
  const auto skip = [](const Listing& listing, std::size_t& at) {
    while (at < listing.folders.size() && listing.folders[at].via_link) ++at;
    return at < listing.folders.size();
  };
  for (;; ++i, ++j) {
    const bool more_before = skip(before, i);
    const bool more_after = skip(after, j);
    if (!more_before || !more_after) return swapped && more_before == more_after;
    const ListedFolder& a = before.folders[i];
    const ListedFolder& b = after.folders[j];
    const bool moved = a.data_link != b.data_link;
    if (moved) swapped = true;
    if (a.path != b.path || !SameFiles(a, b, !moved)) return false;
  }
}

}  // namespace bindery::manifests
