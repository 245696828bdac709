#pragma once

#include <optional>
#include <vector>

#include "controller/catalog/catalog.h"
#include "core/base/expected.h"
#include "manifests/directory/directory.h"
#include "manifests/files/digest_sum.h"
#include "store/ports/startup_reader.h"

namespace bindery {

/// The manifest files of the store, as a scan would hand them out, and the sum of their digests:
/// what DirectorySource::Seed takes.
struct KnownManifests {
  std::vector<KnownFile> files;
  DigestSum sum;
};

/// Whether another process writes to the store while it is read.
enum class OtherWriter { kNone, kPossible };

/// What a start knows from the run before: resources and targets go to the catalog, before its
/// first scan. Returns the files that they were declared in, whose contents need not be read again
/// where their stamps are the same; nothing where all files have to be read: other rules placed the
/// manifests, or some manifest is not in force as it is written.
///
/// With another writer the files are those of an earlier moment than the catalog: a file that came
/// into force in between has another stamp, and is read.
[[nodiscard]] Expected<std::optional<KnownManifests>> LoadKnown(const StartupReader& store,
                                                                Catalog& catalog,
                                                                OtherWriter writer);

}  // namespace bindery
