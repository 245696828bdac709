#pragma once

#include "config/config.h"
#include "controller/dry_run.h"
#include "core/expected.h"
#include "providers/kinds.h"

namespace bindery {

/// Whether what the last run left in the store is read.
enum class KnownBefore { kFromStore, kNothing };

/// Reads store and directory as a daemon that starts would, and changes neither. `run`, which knows
/// nothing yet, is then where that daemon would be after its first scan. After a failure `run` is
/// of no use.
[[nodiscard]] Expected<void> StartOffline(const Config& config, const Kinds& kinds,
                                          KnownBefore known, DryRun& run);

}  // namespace bindery
