#pragma once

#include <vector>

#include "manifests/directory.h"
#include "manifests/listing.h"

namespace bindery {

/// What a listing would have held if `files` were all there is, every one read and on record. Those
/// without content or with a stamp that is none are left out. Its real_root is "".
[[nodiscard]] Listing ListingOf(std::vector<KnownFile> files);

/// The files of a listing, as far as they could be read, sorted by path.
[[nodiscard]] std::vector<SharedFile> FilesOf(const Listing& listing);

}  // namespace bindery
