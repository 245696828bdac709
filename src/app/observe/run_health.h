#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/mutex.h"
#include "server/control.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace bindery::app {

/// The facts for the health checks, updated by their owners. Thread-safe.
class RunHealth {
 public:
  /// Both must outlive the object.
  RunHealth(telemetry::Logger& log, telemetry::Metrics& metrics) : log_(log), metrics_(metrics) {}

  // Of the store: whether the last commit failed, and the fault of its files (null: none).
  void StoreFailed(const Error& error);
  void StoreCommitted(std::chrono::nanoseconds duration);
  void StoreState(const Error* fault);
  [[nodiscard]] bool StoreWritesFail() const;

  /// Why the manifests cannot be loaded; empty: they can.
  void SetLoadError(const std::string& error);
  /// What waits to be removed, and why; empty: nothing.
  void SetWithheld(const std::string& note);
  /// A note about the clock; empty when the clock is confirmed.
  void SetClockNote(const std::string& note);

  /// Permanent if `done` and the manifests are loaded. True: for the first time.
  [[nodiscard]] bool NoteFirstPass(bool done);
  [[nodiscard]] bool first_pass_done() const;

  [[nodiscard]] std::vector<server::HealthCheck> Checks() const;

 private:
  /// When neither writes nor files fail any more.
  void TellStoreUsable() REQUIRES(mutex_);

  telemetry::Logger& log_;
  telemetry::Metrics& metrics_;
  mutable Mutex mutex_;
  std::string load_error_ GUARDED_BY(mutex_) =
      "no scan of the manifests directory was completed yet";
  std::string store_error_ GUARDED_BY(mutex_);  ///< Of the last commit.
  std::string store_fault_ GUARDED_BY(mutex_);  ///< Of its files.
  std::string clock_note_ GUARDED_BY(mutex_);
  bool first_pass_done_ GUARDED_BY(mutex_) = false;
  std::string withheld_ GUARDED_BY(mutex_);
};

}  // namespace bindery::app
