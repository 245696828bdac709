#pragma once

#include <vector>

#include "manifests/directory/directory.h"
#include "manifests/directory/listing.h"

namespace bindery::manifests {

/// A listing of exactly `files`, all read and on record. Leaves out files without content or
/// without a valid stamp. The real_root is "".
[[nodiscard]] Listing MakeListing(std::vector<KnownFile> files);

/// The files of a listing, as far as they could be read, sorted by path.
[[nodiscard]] std::vector<SharedFile> ListFiles(const Listing& listing);

}  // namespace bindery::manifests
