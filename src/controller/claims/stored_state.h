#pragma once

#include <memory>
#include <string>
#include <vector>

#include "manifests/directory/directory.h"
#include "store/ports/records.h"

namespace bindery {

/// The state of the last run in the store, besides targets and resources.
struct StoredState {
  std::vector<DriftRecord> open_drift;
  std::vector<IntentRecord> intents;  ///< Without an outcome.
  std::vector<HoldRecord> holds;
  struct Rollback {
    RollbackRecord record;
    std::string policy;  ///< As JSON; empty when the revision is not on record any more.
  };
  std::vector<Rollback> rollbacks = {};
  std::vector<RemovalRecord> removals = {};  ///< That may count for the guard, oldest first.
};

/// A file of the store, as a scan would hand it out but for its manifests.
struct StoredFile {
  std::string stamp;
  std::shared_ptr<FileContent> content;

  [[nodiscard]] static StoredFile Of(FileRecord record);
};

}  // namespace bindery
