#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "attribution/log_folder.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "store/ports/audit_progress.h"
#include "store/ports/state_writer.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace bindery::app {

/// Brings new entries of the audit logs in a folder into the store, piece by piece.
///
/// Invariant: the positions in the files advance in the same change of the store as the entries
/// read up to there. After a failure the files are read again from the positions on record. An
/// error is logged once for as long as it stays the same. For a single thread at a time.
class AuditIntake {
 public:
  /// All must outlive the object.
  AuditIntake(store::StateWriter& writer, const store::AuditProgress& progress,
              telemetry::Logger& log, telemetry::Metrics& metrics, const Clock& clock);

  /// Reads the next piece of `directory`; reads nothing if it is empty. Drops entries older than
  /// `keep`. True when there is more to be read right away. Never throws.
  bool ReadPiece(const std::filesystem::path& directory, std::chrono::milliseconds keep);

 private:
  [[nodiscard]] Expected<bool> TakeHarvest(std::chrono::milliseconds keep);
  void Tell(const attribution::Harvest& harvest, std::int64_t kept);

  store::StateWriter& writer_;
  const store::AuditProgress& progress_;
  telemetry::Logger& log_;
  telemetry::Metrics& metrics_;
  const Clock& clock_;
  std::filesystem::path directory_;
  std::optional<attribution::LogFolder> folder_;  ///< Of `directory_`, once it was read.
  std::optional<WallTime> newest_;
  std::string last_error_;
};

}  // namespace bindery::app
