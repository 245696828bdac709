#pragma once

#include "app/directory_manifests.h"
#include "controller/catalog.h"
#include "core/expected.h"
#include "store/startup_reader.h"

namespace bindery {

/// Targets and resources of a store, and what of the rest is read with them. Before the catalog's
/// first scan; does not end the load. Returns what knows the resources that were loaded.
[[nodiscard]] Expected<CatalogLoader> LoadCatalog(const StartupReader& store, Catalog& catalog,
                                                  bool by_same_rules);

/// What a start knows from the run before: resources and targets go to the catalog, and the files
/// they were declared in to the source, which then need not read them again.
[[nodiscard]] Expected<void> LoadKnown(const StartupReader& store, Catalog& catalog,
                                       DirectoryManifests& source);

}  // namespace bindery
