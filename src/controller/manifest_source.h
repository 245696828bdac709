#pragma once

#include "controller/catalog.h"
#include "core/expected.h"

namespace bindery {

/// Where manifests come from, as the loop needs it. Implemented over a directory by the program.
class ManifestSource {
 public:
  struct Scanned {
    ScanInput input;
    bool settled = true;  ///< False: it changed just now; look again before acting on it.
  };

  virtual ~ManifestSource() = default;

  /// Reads everything. Blocks; called on a worker, never twice at once. An error says that nothing
  /// can be known of what is declared: what is in force stays so. kAborted: try again soon.
  [[nodiscard]] virtual Expected<Scanned> Scan(bool assume_settled) = 0;

  /// A descriptor that becomes readable when something may have changed; -1 when there is none and
  /// only rescans tell.
  [[nodiscard]] virtual int WatchDescriptor() const = 0;

  /// Takes the hints off the descriptor. True when a scan is worth while.
  virtual bool TakeHints() = 0;
};

}  // namespace bindery
