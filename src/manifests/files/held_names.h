#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bindery::manifests {

/// The manifest file that a file with a different name plausibly holds, wholly or in part.
struct HeldName {
  std::string name;       ///< Of the manifest file, in the same folder; any letters in capitals.
  std::string_view left;  ///< What left the other file: "a conflict copy of rclone".
};

/// By the names that tools give to files put aside, to the second half of a conflict, to incomplete
/// files, and to backups: `a.yaml.conflict1`, `.a.yaml.Xy12Zz`, `a.yaml~`. Nothing for names that
/// are read, and for further names.
[[nodiscard]] std::optional<HeldName> HeldBy(std::string_view name);

}  // namespace bindery::manifests
