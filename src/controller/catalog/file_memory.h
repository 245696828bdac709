#pragma once

#include <vector>

#include "controller/claims/catalog_settings.h"
#include "controller/claims/claims.h"
#include "controller/claims/scan_input.h"
#include "controller/clock/now.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// The recorded state of the directory, so that the next start need not read all files: the last
/// scan, and the files whose manifests are all in force as written.
///
/// Invariant: after InvalidateSnapshot() the next start reads every file. Belongs to the loop
/// thread; claims and settings outlive it.
class FileMemory {
 public:
  FileMemory(const Claims& claims, const CatalogSettings& settings)
      : claims_(claims), settings_(settings) {}

  /// What the store must know of the scan's files. After the scan came into force.
  void Remember(const ScanInput& scan, store::StoreChange& change) const;
  /// A scan came into force: records the generation and the problems.
  void RecordScan(const ScanInput& scan, const Now& now, ScanOutcome& outcome);
  /// The store lacks something: the next start must read all files, and judge them again.
  void InvalidateSnapshot() { trusted_ = false; }
  /// As it is to be recorded now.
  [[nodiscard]] store::GenerationRecord LastGeneration() const;

 private:
  [[nodiscard]] bool IsInForce(const manifests::FileContent& file) const;

  const Claims& claims_;
  const CatalogSettings& settings_;
  bool trusted_ = true;  ///< The store has all that was to be recorded, as far as is known.
  store::GenerationRecord generation_;  ///< Of the last scan.
};

}  // namespace bindery::controller
