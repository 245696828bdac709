#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "controller/dry_run.h"
#include "core/expected.h"
#include "store/store.h"

namespace bindery {

/// Brings `run`, which knows nothing yet, to where StartOffline() with KnownBefore::kFromStore
/// brings it, but with a part of the resources alone: those named, and all others that a plan of
/// these can depend on. These are the resources on the same targets, accepted drift, the resources
/// that any of them depends on, and what is or was declared in files that are not as on record. All
/// files are looked at; those that are not as on record are read. The store is read by name and by
/// target.
///
/// False: all resources are needed; `run` is of no use then. So it is where a manifest is gone or
/// on its way out, where a name is not known, where a target goes by a number, where part of the
/// directory cannot be read, and where the part is not small.
[[nodiscard]] Expected<bool> StartNarrow(const Config& config, const Store& store,
                                         const std::vector<std::string>& names, DryRun& run);

/// Whether what such a run found, once it has worked, is what a run with all resources finds. What
/// takes access away is measured by all that is declared, which such a run does not know.
[[nodiscard]] bool FindsWhatAllFind(const DryRun& run);

}  // namespace bindery
