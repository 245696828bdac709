#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"

namespace bindery {

/// Something in the manifests directory whose content is not known: it may declare anything.
struct UnreadItem {
  std::string path;  ///< Relative to the directory.
  std::string why;   ///< Completes "PATH …": "is empty", "cannot be read".
  /// The same text as long as the bytes are the same; where these cannot be read, as long as the
  /// file's identity, size and time are.
  std::string fingerprint;
  /// Its name says that it is no manifest file: it is of interest only when it appears while
  /// something else disappears.
  bool ignored = false;
  /// What comes into it, however deep, leaves no trace: an unreadable folder.
  bool opaque = false;
  /// What it may hold is there as well, or was taken away before everybody's eyes: nothing is
  /// missing that it holds, unless its bytes change.
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

/// Where the directory is, by what the kernel says of it.
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
  /// Below it, sorted by path: those that hold something that is read.
  std::vector<MountPoint> mounts{};
  /// What tells its file system from others, also over a restart of the machine: its type and,
  /// where it has one, its id. "": not known.
  ///
  /// A tmpfs has another id each time it is mounted, and that is as it should be: it is empty then,
  /// and what it holds was put there again by somebody, perhaps not all of it.
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

/// Something that is under way in the directory, so that its content now is not its last word.
struct Disturbance {
  std::string path;
  std::string what;  ///< Completes "PATH …": "is open for writing".
  bool git = false;  ///< Git is at work: not even what is urgent is done meanwhile.

  bool operator==(const Disturbance&) const = default;
};

/// What a look at the directory tells besides its manifests: how far it can be believed when
/// something is missing.
struct DirectoryFacts {
  std::vector<UnreadItem> unread{};  ///< Sorted by path.
  std::optional<Ground> ground{};    ///< Nothing when not all folders were looked at.
  WallTime newest{};  ///< The latest time stamp of a file or folder that was looked at.
  std::vector<Disturbance> under_way{};  ///< Sorted by path.
  /// A file that was read and of which the system does not tell whether it is open for writing;
  /// "": none.
  std::string writers_unknown{};
  /// When the look began: what `newest` is compared with. Nothing: when it was told of.
  std::optional<WallTime> begun{};
  /// Time stamps there can only be of the time of a change. False: who writes can set them, or they
  /// are of another place (VolumeKind), so that old ones say nothing of rest.
  bool stamps_prove = true;
};

}  // namespace bindery
