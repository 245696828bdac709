#pragma once

#include <optional>
#include <vector>

#include "controller/catalog/catalog.h"
#include "core/base/expected.h"
#include "manifests/directory/directory.h"
#include "manifests/files/digest_sum.h"
#include "store/ports/startup_reader.h"

namespace bindery::app {

/// The manifest files of the store in the form of a scan, and the sum of the digests of the files.
/// DirectorySource::Seed takes both.
struct KnownManifests {
  std::vector<manifests::KnownFile> files;
  manifests::DigestSum sum;
};

/// Whether another process writes to the store during the reading.
enum class OtherWriter { kNone, kPossible };

/// Loads the resources and targets of the run before into the catalog, before the first scan.
/// Returns the files with the manifests of these resources: a file with the recorded stamp need not
/// be read again. Returns nothing if all files have to be read: other rules placed the manifests,
/// or the text of some manifest is not in force.
///
/// With another writer the files can be of an earlier moment than the catalog: a file that came
/// into force in between has a new stamp, and is read.
[[nodiscard]] Expected<std::optional<KnownManifests>> LoadKnown(const store::StartupReader& store,
                                                                controller::Catalog& catalog,
                                                                OtherWriter writer);

}  // namespace bindery::app
