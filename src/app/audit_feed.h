#pragma once

#include <optional>
#include <string>
#include <thread>

#include "attribution/log_folder.h"
#include "config/config.h"
#include "core/clock.h"
#include "core/mutex.h"
#include "store/audit_progress.h"
#include "store/state_writer.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace bindery {

/// Brings what audit logs say of the targets into the store: looks through their folder every so
/// often, on a thread of its own. What cannot be read is said once, and tried again.
class AuditFeed {
 public:
  struct Settings {
    AttributionConfig attribution;
    std::chrono::milliseconds keep;  ///< Older entries are not taken.
  };

  /// All must outlive it. Nothing is read before Start() or ReadNow().
  AuditFeed(StateWriter& writer, const AuditProgress& progress, Logger& log, Metrics& metrics,
            const Clock& clock, Settings settings);
  /// Ends after the piece that it is reading.
  ~AuditFeed();
  AuditFeed(const AuditFeed&) = delete;
  AuditFeed& operator=(const AuditFeed&) = delete;

  /// Reads from now on.
  void Start();

  /// From any thread; does not block.
  void Configure(Settings settings);

  /// Reads all there is now, on the caller's thread. Requires: not started.
  void ReadNow();

 private:
  void Run();
  /// True when there is more to be read right away.
  bool ReadPiece(const Settings& settings);
  [[nodiscard]] Expected<bool> TakeHarvest(const Settings& settings);
  void Tell(const attribution::Harvest& harvest, std::int64_t kept);

  StateWriter& writer_;
  const AuditProgress& progress_;
  Logger& log_;
  Metrics& metrics_;
  const Clock& clock_;

  Mutex mutex_;
  CondVar wake_;
  Settings settings_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;

  // The thread's own.
  std::filesystem::path directory_;
  std::optional<attribution::LogFolder> folder_;
  std::optional<WallTime> newest_;
  std::string last_error_;
  std::thread thread_;
};

}  // namespace bindery
