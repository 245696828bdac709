#pragma once

#include <memory>
#include <vector>

#include "config/config.h"
#include "controller/catalog.h"
#include "controller/guard.h"
#include "core/expected.h"
#include "providers/kinds.h"
#include "store/startup_reader.h"

namespace bindery {

/// What a pass would start from, for commands that work without a daemon.
struct OfflineCatalog {
  explicit OfflineCatalog(const Kinds& kinds) : catalog(kinds) {}

  Catalog catalog;
  ScanInput scan;                            ///< Of the directory.
  std::vector<Problem> problems;             ///< Of the directory, and conflicts between manifests.
  std::int64_t declared_before = 0;          ///< Grants, as the last run left it.
  std::vector<HoldRecord> holds = {};        ///< Those of the last run.
  std::vector<RemovalRecord> removals = {};  ///< What it removed of late.
};

/// Targets and resources of a store, and what of the rest is read with them. Before the catalog's
/// first scan; does not end the load. Returns what knows the resources that were loaded.
[[nodiscard]] Expected<CatalogLoader> LoadCatalog(const StartupReader& store, Catalog& catalog,
                                                  bool by_same_rules);

/// Whether what the last run left in the store is read.
enum class KnownBefore { kFromStore, kNothing };

/// Reads store and directory as a daemon that starts would, and changes neither.
[[nodiscard]] Expected<std::unique_ptr<OfflineCatalog>> ReadCatalog(
    const Config& config, const CatalogSettings& settings, const Kinds& kinds,
    KnownBefore known = KnownBefore::kFromStore);

/// The guard as a daemon that starts would have it.
[[nodiscard]] Guard GuardOf(const OfflineCatalog& offline, const GuardLimits& limits);

}  // namespace bindery
