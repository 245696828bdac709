#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/observe/run_health.h"
#include "app/process/memory.h"
#include "controller/engine/engine.h"
#include "core/base/clock.h"

namespace bindery::app {

/// Tells of scans of the manifests directory: log lines, metrics, and health. On the loop thread.
class LoadObserver {
 public:
  /// All must outlive the object.
  LoadObserver(telemetry::Logger& log, telemetry::Metrics& metrics, const Clock& clock,
               RunHealth& health)
      : log_(log), metrics_(metrics), clock_(clock), health_(health) {}

  // As the functions of LoopObserver.
  void Loaded(const controller::ScanInput& scan, const controller::Engine::Scanned* changes);
  void LoadFailed(const Error& error);

  /// Memory is to be given back now. Asked at each heartbeat.
  [[nodiscard]] bool MemoryReleaseDue() { return releases_.Due(std::exchange(large_load_, false)); }
  /// Why the manifests could not be loaded at the last scan; empty when they could.
  [[nodiscard]] const std::string& error() const { return error_; }
  /// The last scan failed, or something in it has an error.
  [[nodiscard]] bool refused() const { return failed_ || has_errors_; }

 private:
  void TellOfWriters(const controller::ScanInput& scan);
  /// Logs what was missing at the last load, and counts all.
  void TellProblems(const controller::ScanInput& scan,
                    const std::vector<manifests::Problem>& conflicts);

  telemetry::Logger& log_;
  telemetry::Metrics& metrics_;
  const Clock& clock_;
  RunHealth& health_;
  bool large_load_ = false;  ///< A scan changed very much since the last heartbeat.
  MemoryReleases releases_;
  bool loaded_ = false;  ///< Manifests are in force.
  bool told_of_writers_ = false;
  bool failed_ = false;
  bool has_errors_ = false;
  std::string error_;
  std::set<std::string> known_problems_;
};

}  // namespace bindery::app
