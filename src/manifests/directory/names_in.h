#pragma once

#include <fcntl.h>

#include <string>
#include <string_view>

#include "manifests/directory/listing.h"
#include "manifests/files/open_folder.h"

namespace bindery::manifests {

/// Calls `take(fd, entry)` for each name in a folder of the tree, but "." and "..", until it
/// returns false. `fd` is of the folder; `flags` of open(2) come to the usual ones. Of a folder
/// that cannot be opened or read there are no names.
template <typename Take>
void EachNameIn(const OpenRoot& root, const std::string& folder, int flags, const Take& take) {
  OpenFolder open(Descriptor(::openat(root.fd.get(), folder.c_str(),
                                      O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | flags)));
  if (!open.valid()) return;
  while (const dirent* entry = open.Next()) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && !take(open.fd(), *entry)) return;
  }
}

}  // namespace bindery::manifests
