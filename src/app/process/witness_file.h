#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "config/config.h"
#include "core/base/mutex.h"
#include "store/witness/witness.h"
#include "telemetry/log.h"

namespace bindery::app {

/// Where the witness of the store is kept: `store.witness`, else a separate file for each store in
/// the folder `witness` of the unit's state folder ($STATE_DIRECTORY) or the user's
/// ($XDG_STATE_HOME/bindery, ~/.local/state/bindery). Empty where no such folder exists. Before
/// there are threads.
[[nodiscard]] std::filesystem::path WitnessFile(const config::Config& config);

/// Says when an older store may not be noticed at the next start, because the witness is not
/// written, and when it is written again. Any thread.
class WitnessWatch {
 public:
  /// `log` must outlive the object.
  WitnessWatch(std::shared_ptr<const store::StoreWitness> witness, telemetry::Logger& log);
  /// After the store was opened, and every so often.
  void Look();

 private:
  const std::shared_ptr<const store::StoreWitness> witness_;
  telemetry::Logger& log_;
  Mutex mutex_;
  std::string told_ GUARDED_BY(mutex_);  ///< Why it is not written; empty: it is.
};

}  // namespace bindery::app
