#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"

namespace bindery::manifests {

/// An item of the manifests directory with unknown content: the item may declare anything.
struct UnreadItem {
  std::string path;  ///< Relative to the directory.
  std::string why;   ///< Completes "PATH …": "is empty", "cannot be read".
  /// The same text as long as the bytes are the same; where these cannot be read, as long as the
  /// file's identity, size and time are.
  std::string fingerprint;
  /// By its name the item is no manifest file: of interest only when the item appears while a
  /// manifest disappears.
  bool ignored = false;
  /// Files that come into the folder, however deep, leave no trace: an unreadable folder.
  bool opaque = false;
  /// The possible content exists elsewhere as well, or was deleted visibly: the item holds no
  /// missing manifest, unless its bytes change.
  bool harmless = false;

  bool operator==(const UnreadItem&) const = default;
};

/// A folder or file below the manifests directory on which something else is mounted.
struct MountPoint {
  std::string path;  ///< Its own, without links.
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::string volume{};     ///< As Ground::volume.
  std::uint64_t mount = 0;  ///< As Ground::mount. Not kept in the store.

  bool operator==(const MountPoint&) const = default;
};

/// The location of the directory, by the kernel.
struct Ground {
  std::string directory;  ///< As configured, made absolute.
  std::string real_path;  ///< "" where /proc is not there.
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  /// The kernel's number of the mount: since Linux 6.8 no other mount since the start of the
  /// machine had it. 0: not known. Not kept in the store.
  std::uint64_t mount = 0;
  bool linked = false;       ///< A link leads to it: exchanged by moving the link.
  bool mount_point = false;  ///< It is the root of a mount.
  /// Mounts below the directory with read content, sorted by path.
  std::vector<MountPoint> mounts{};
  /// The identity of the file system, also over a restart of the machine: its type and its id, if
  /// any. "": unknown.
  ///
  /// A tmpfs has a new id after each mount, on purpose: a new tmpfs is empty, and a later writer
  /// filled it again, perhaps in part.
  std::string volume{};
  std::string mounted_at{};         ///< Where the mount is that it lies on; "": not known.
  std::optional<bool> recursive{};  ///< Folders within it are read.

  bool operator==(const Ground&) const = default;
};

/// Why `now` is not the ground that `before` was, in words that begin with a path or "the manifests
/// directory"; nothing when it is the same. `same_run`: device and inode numbers can be compared,
/// as no restart of the machine lies between the two.
[[nodiscard]] std::optional<std::string> GroundChange(const Ground& before, const Ground& now,
                                                      bool same_run);

/// For the store: one line of JSON, and back. Nothing when the text is none that GroundText() gave.
[[nodiscard]] std::string GroundText(const Ground& ground);
[[nodiscard]] std::optional<Ground> GroundFromText(const std::string& text);

/// Work under way in the directory, so that the present content is not final.
struct Disturbance {
  std::string path;
  std::string what;  ///< Completes "PATH …": "is open for writing".
  /// Git, or another version control system, is at work: not even what is urgent is done meanwhile.
  bool git = false;

  bool operator==(const Disturbance&) const = default;
};

/// The findings of a look besides the manifests: how far the look can be believed about missing
/// items.
struct DirectoryFacts {
  std::vector<UnreadItem> unread{};  ///< Sorted by path.
  std::optional<Ground> ground{};    ///< Nothing when not all folders were looked at.
  WallTime newest{};  ///< The latest time stamp of a file or folder that was looked at.
  std::vector<Disturbance> under_way{};  ///< Sorted by path.
  /// A file that was read, where the system does not tell whether the file is open for writing; "":
  /// none.
  std::string writers_unknown{};
  /// The begin of the look, for the comparison with `newest`. Nothing: the time of the
  /// notification.
  std::optional<WallTime> begun{};
  /// Time stamps are always times of a change. False: writers can set stamps, or the stamps come
  /// from a different place (VolumeKind), so that old stamps prove no rest.
  bool stamps_prove = true;
};

}  // namespace bindery::manifests
