#pragma once

#include <memory>
#include <string>
#include <vector>

#include "manifests/directory/directory.h"
#include "store/ports/records.h"

namespace bindery::controller {

/// The state of the last run in the store, besides targets and resources.
struct StoredState {
  std::vector<store::DriftRecord> open_drift;
  std::vector<store::IntentRecord> intents;  ///< Without an outcome.
  std::vector<store::HoldRecord> holds;
  struct Rollback {
    store::RollbackRecord record;
    std::string policy;  ///< As JSON; empty when the revision is not on record any more.
  };
  std::vector<Rollback> rollbacks = {};
  std::vector<store::RemovalRecord> removals = {};  ///< That may count for the guard, oldest first.
};

/// A file of the store, as a scan would hand it out but for its manifests.
struct StoredFile {
  std::string stamp;
  std::shared_ptr<manifests::FileContent> content;

  [[nodiscard]] static StoredFile Of(store::FileRecord record);
};

}  // namespace bindery::controller
