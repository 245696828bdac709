#pragma once

#include <filesystem>

#include "config/config.h"
#include "store/witness/witness.h"
#include "telemetry/log.h"

namespace bindery {

/// Where the witness of the store is kept: `store.witness`, else a separate file for each store in
/// the folder `witness` of the unit's state folder ($STATE_DIRECTORY) or the user's
/// ($XDG_STATE_HOME/bindery, ~/.local/state/bindery). Empty where no such folder exists. Before
/// there are threads.
[[nodiscard]] std::filesystem::path WitnessFile(const Config& config);

/// After the store was opened: says that an older store will not be noticed at the next start.
void WarnOfWitness(const StoreWitness& witness, Logger& log);

}  // namespace bindery
