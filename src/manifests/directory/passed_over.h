#pragma once

#include <dirent.h>

#include <string>
#include <string_view>
#include <vector>

#include "manifests/directory/listing.h"
#include "manifests/files/held_names.h"

namespace bindery::manifests {

/// For a folder: ignored names whose files may have been meant as manifests, and may be manifests
/// that are missing elsewhere.
class PassedOver {
 public:
  PassedOver(const std::string& folder, bool recursive) : folder_(folder), recursive_(recursive) {}

  /// A name in the folder, which is open as `fd`.
  void Take(int fd, const dirent& entry);

  /// Adds the findings. `beside_data`: the folder holds a `..data`, as ConfigMap volumes do, where
  /// folders with two leading dots are normal.
  void Tell(bool beside_data, Listing& listing) const;

 private:
  struct Folder {
    std::string name;
    FileStamp stamp;
  };

  void TakeHeld(int fd, const dirent& entry, const HeldName& held);
  void TakeFile(int fd, const dirent& entry);
  void TakeFolder(int fd, const dirent& entry);

  const std::string& folder_;
  bool recursive_;
  bool repository_ = false;
  std::vector<std::string> hidden_;  ///< Names of files.
  std::vector<HeldFile> held_;
  std::vector<std::string> misspelled_;  ///< Likewise.
  std::vector<Folder> folders_;
};

}  // namespace bindery::manifests
