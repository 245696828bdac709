#pragma once

#include <optional>

#include "app/directory/known_catalog.h"
#include "config/config.h"
#include "controller/engine/dry_run.h"
#include "core/base/expected.h"
#include "providers/registry/kinds.h"

namespace bindery::app {

/// Whether the state of the last run in the store is read.
enum class KnownBefore { kFromStore, kNothing };

/// The knowledge of the store.
struct KnownState {
  bool has_store = false;
  bool has_scan = false;       ///< A scan of a cloud is finished.
  bool has_manifests = false;  ///< Some manifests were in force when the last run ended.
  std::optional<KnownManifests> manifests = {};  ///< As LoadKnown() says.
};

/// Reads the store like a starting daemon, and changes nothing. `run`, which is empty before,
/// then has the state of such a daemon before its first scan. After a failure `run` is
/// unusable.
[[nodiscard]] Expected<KnownState> LoadOffline(const config::Config& config, KnownBefore known,
                                               controller::DryRun& run);

/// The same, and reads the directory: `run` is where the daemon would be after its first scan.
[[nodiscard]] Expected<KnownState> StartOffline(const config::Config& config,
                                                const providers::Kinds& kinds, KnownBefore known,
                                                controller::DryRun& run);

}  // namespace bindery::app
