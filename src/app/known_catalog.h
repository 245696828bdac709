#pragma once

#include "app/directory_manifests.h"
#include "controller/catalog.h"
#include "core/expected.h"
#include "store/startup_reader.h"

namespace bindery {

/// What a start knows from the run before: resources and targets go to the catalog, and the files
/// they were declared in to the source, which then need not read them again.
[[nodiscard]] Expected<void> LoadKnown(const StartupReader& store, Catalog& catalog,
                                       DirectoryManifests& source);

}  // namespace bindery
