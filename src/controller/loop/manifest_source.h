#pragma once

#include "controller/claims/scan_input.h"
#include "core/base/expected.h"
#include "manifests/directory/directory.h"

namespace bindery::controller {

/// How a directory is looked at.
enum class ScanMode {
  kHinted,   ///< What the hints name, where that tells all; else everything. Taken for settled.
  kSettled,  ///< Everything, taken for settled.
  kFull,     ///< Everything; settled when it is as it was, or was changed atomically.
};

/// Where manifests come from, as the loop needs it. Implemented over a directory by the program.
class ManifestSource {
 public:
  struct Scanned {
    ScanInput input;  ///< When it is settled and not `same`; of any other only the digest.
    manifests::DirectoryScan scan;
    bool settled = true;  ///< False: it changed just now; look again before acting on it.
    bool same = false;    ///< The same digest as the settled scan before.
  };

  virtual ~ManifestSource() = default;

  /// Scans. Blocks; called on a worker, never twice at once. An error means that the declared state
  /// is unknown: the state in force stays. kAborted: try again soon. Hints taken by a scan that
  /// failed or was not settled are kept for the next scan.
  [[nodiscard]] virtual Expected<Scanned> Scan(ScanMode how) = 0;

  /// A descriptor that becomes readable when something may have changed; -1 if none exists and only
  /// rescans tell.
  [[nodiscard]] virtual int WatchDescriptor() const = 0;

  /// Takes the hints off the descriptor and keeps them for the next scan. True when a scan is worth
  /// while. May be called while a scan runs.
  virtual bool TakeHints() = 0;
};

/// Completes the input of a scan by all findings: also for a scan that is `same` and has to be
/// brought into force nevertheless. The differing parts then belong to the input.
void ListAll(manifests::DirectoryScan& scan, ScanInput& input);

/// Scans; an exception of the source becomes an error.
[[nodiscard]] Expected<ManifestSource::Scanned> ScanOrFail(ManifestSource& source, ScanMode how);

}  // namespace bindery::controller
