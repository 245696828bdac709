#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "controller/engine/dry_run.h"
#include "core/base/expected.h"
#include "store/ports/store.h"

namespace bindery::app {

/// Brings `run`, which knows nothing yet, to the state that StartOffline() with
/// KnownBefore::kFromStore reaches, with a part of the resources alone: `names`, and the resources
/// that a plan of `names` can depend on. Such resources are on the same targets, are accepted drift
/// or needed by any of these, or are or were declared in files unlike the record. All
/// files are looked at; files unlike the record are read. The store is read by name and by
/// target.
///
/// False: all resources are needed; `run` is of no use any more. Reasons: a manifest is gone or on
/// its way out, a name is not known, a target goes by a number, part of the directory cannot be
/// read, or the gathered part is not small.
[[nodiscard]] Expected<bool> StartNarrow(const config::Config& config, const store::Store& store,
                                         const std::vector<std::string>& names,
                                         controller::DryRun& run);

}  // namespace bindery::app
