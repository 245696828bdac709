#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "manifests/directory/directory.h"
#include "manifests/files/descriptor.h"

namespace bindery::manifests {

/// A value that changes with every change of a file or folder.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;  ///< Of anything, also of a name or mode; cannot be set back.

  [[nodiscard]] static FileStamp Of(const struct stat& status);
  bool operator==(const FileStamp&) const = default;

  /// The stamp as 40 bytes for storage; the bytes may be NUL.
  [[nodiscard]] std::string Bytes() const;
  /// Nothing when the text is no result of Bytes().
  [[nodiscard]] static std::optional<FileStamp> FromBytes(std::string_view bytes);
};

/// What the caller of the scans has been told to remember of a file.
enum class WhatIsKept : std::uint8_t {
  kNone,
  kStale,  ///< Another stamp or content than the file has now.
  kCurrent,
};

/// One manifest file. Its name is kept in the folder: a directory may hold a hundred thousand.
struct ListedFile {
  std::uint32_t name_at = 0;
  std::uint32_t name_size = 0;
  bool link = false;
  bool open_for_writing = false;  ///< When it was read last.
  bool read_anyway = false;       ///< It is read at this look, whatever its stamp says.
  FileStamp stamp;                ///< Of what a link leads to.

  std::shared_ptr<const FileContent> content = {};  ///< What was read; null when it could not be.
  /// The stamp vouches for the content. Not so of a file that was read right after it changed:
  /// clocks of file systems are coarse, and a second change may have left the stamp as it was.
  bool proven = false;
  WhatIsKept record = WhatIsKept::kNone;
};

struct ListedFolder {
  std::string path;         ///< Relative to the root, which is "".
  FileStamp stamp;          ///< Of before its names were read.
  std::uint64_t mount = 0;  ///< As Ground::mount.
  bool via_link = false;    ///< It, or a folder above it, is a link.
  std::string data_link;    ///< What its `..data` leads to; "" when there is none.
  std::string names;
  std::vector<ListedFile> files = {};  ///< Sorted by name.
  bool stamps_prove = true;            ///< As StampTrust::Prove() says.

  [[nodiscard]] std::string_view GetName(const ListedFile& file) const {
    return std::string_view(names).substr(file.name_at, file.name_size);
  }
  /// The same, ended by a NUL.
  [[nodiscard]] const char* GetCName(const ListedFile& file) const {
    return names.data() + file.name_at;
  }
  /// Where in `files` a file of the name is, or belongs.
  [[nodiscard]] std::size_t FindPlace(std::string_view name) const;
  /// Whether `files` has the name at `place`.
  [[nodiscard]] bool HasAt(std::size_t place, std::string_view name) const {
    return place < files.size() && GetName(files[place]) == name;
  }
  /// The read data of `file`, a member of `files`, is still valid: its stamp proves the content.
  [[nodiscard]] bool VouchesFor(const ListedFile& file) const {
    return file.content != nullptr && file.proven && stamps_prove && !file.read_anyway;
  }
  /// A new member for `files`, with a kept name.
  [[nodiscard]] ListedFile Named(std::string_view name);
};

/// A file that by its name may hold a manifest file.
struct HeldFile {
  std::string path;
  std::string of;    ///< The path of the manifest file.
  std::string left;  ///< What left it there: "a backup of an editor".
};

/// The content of the directory at one look.
struct Listing {
  std::string real_root;
  std::vector<ListedFolder> folders;  ///< Sorted by path.
  std::vector<Problem> problems;      ///< Sorted by file.
  std::set<std::string> broken;       ///< As DirectoryScan::broken, without what folders held.
  std::vector<std::string> broken_folders;
  std::vector<std::string> hidden_files;  ///< Paths of manifests but for the dots they begin with.
  /// Folders ignored by their names, with the stamp that identifies a renamed folder.
  std::vector<std::pair<std::string, FileStamp>> hidden_folders;
  std::vector<std::string> misspelled;  ///< Paths of manifests but for capitals in their endings.
  /// Remains of manifest files by tools, under names that are not read.
  std::vector<HeldFile> held_files;
  std::vector<std::string> repositories;  ///< Folders that hold a repository.
  std::vector<MountPoint> mounts;         ///< As Ground::mounts.
  std::size_t file_count = 0;
  /// The number of items with a manifest's name, of any type: bounded by max_files.
  std::size_t name_count = 0;
  std::uint64_t bytes = 0;    ///< Of all files.
  std::int64_t begun_ns = 0;  ///< When the look began, by the local clock.
  bool has_links = false;     ///< To files or folders: one change may show in several places.

  /// Null when not listed.
  [[nodiscard]] const ListedFolder* Find(std::string_view folder) const;
  [[nodiscard]] ListedFolder* Find(std::string_view folder);
};

/// The directory, held open for one scan: everything is read relative to it, so that a link that
/// moves meanwhile does not mix two states.
struct OpenRoot {
  Descriptor fd;
  FileStamp stamp;
  std::uint64_t mount = 0;   ///< As Ground::mount.
  bool mount_point = false;  ///< As Ground::mount_point.
  std::string real_path;
};

/// Opens the directory of the settings; the errors are the errors of DirectorySource::Scan.
[[nodiscard]] Expected<OpenRoot> OpenDirectory(const DirectorySettings& settings);

/// "manifests directory "…"": how messages begin.
[[nodiscard]] std::string Named(const DirectorySettings& settings);

/// Why the directory itself cannot be used, from errno.
[[nodiscard]] Error CannotOpenDirectory(const DirectorySettings& settings, int error);

/// Whether an errno says that a recent item is gone, or has changed its type.
[[nodiscard]] bool IsGone(int error);

/// kAborted, naming the changed path; "" for the directory itself.
[[nodiscard]] Error ChangedWhileRead(const DirectorySettings& settings, const std::string& path);

/// Lists the tree: kResourceExhausted over a limit, kAborted when it changes meanwhile.
[[nodiscard]] Expected<Listing> List(const OpenRoot& root, const DirectorySettings& settings);

/// kResourceExhausted: a path in it is longer than 2,048 bytes, which no key of a store in
/// PostgreSQL may be.
[[nodiscard]] Expected<void> CheckPaths(const DirectorySettings& settings, const Listing& listing);

/// Opens a folder of the tree; invalid, with errno, when that fails.
[[nodiscard]] Descriptor OpenFolderAt(const OpenRoot& root, const std::string& path);

/// Whether the settings still lead to the directory that is open.
[[nodiscard]] bool IsStillThere(const OpenRoot& root, const DirectorySettings& settings);

/// The path of a file that is different now, or of a folder of such that is gone; nothing when all
/// are the same. On all cores where there are many.
[[nodiscard]] std::optional<std::string> DifferenceIn(const OpenRoot& root,
                                                      const std::vector<ListedFolder>& folders);

/// Looks again, without reading folders whose stamp is the same. kAborted when anything is
/// different.
[[nodiscard]] std::optional<Error> LookAgain(const OpenRoot& root, const Listing& before,
                                             const DirectorySettings& settings);

/// The same files with the same stamps, and the same problems.
[[nodiscard]] bool SameListing(const Listing& a, const Listing& b);

/// The listings differ only by an atomic exchange through a link.
[[nodiscard]] bool OnlySwapped(const Listing& before, const Listing& after);

}  // namespace bindery::manifests
