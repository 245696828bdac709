#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manifests/directory/listing.h"
#include "manifests/files/directory_facts.h"

namespace bindery::manifests {

/// Collects the mounts below the manifests directory with read content, each under its own path,
/// however reached. Refers to the root.
class MountPoints {
 public:
  explicit MountPoints(const OpenRoot& root) : root_(root) {}

  /// `mount` is unknown so far, and not the mount of the root.
  [[nodiscard]] bool IsNew(std::uint64_t mount) const;
  /// What lies at `path`, relative to the root and without links, is read and lies on `mount`.
  void Note(std::uint64_t mount, std::string path);

  /// Sorted by path.
  [[nodiscard]] std::vector<MountPoint> Take();

 private:
  const OpenRoot& root_;
  std::set<std::uint64_t> known_;
  std::vector<MountPoint> found_;
};

/// The mount on `path`, relative to the root; nothing when `path` is no mount point.
[[nodiscard]] std::optional<MountPoint> MountPointAt(const OpenRoot& root, const std::string& path);

/// As Ground::mounted_at.
[[nodiscard]] std::string MountedAt(const OpenRoot& root);

/// As Ground::volume, for the open descriptor.
[[nodiscard]] std::string GetVolume(int fd);

}  // namespace bindery::manifests
