#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "app/observe/engine_gauges.h"
#include "app/observe/load_observer.h"
#include "app/observe/run_health.h"
#include "app/observe/work_observer.h"
#include "app/process/progress_bar.h"
#include "controller/loop/loop.h"

namespace bindery::app {

/// Shows what engine and loop do, by its parts. Called on the loop thread but for health().
class RunObserver final : public controller::LoopObserver {
 public:
  RunObserver(telemetry::Logger& log, telemetry::Metrics& metrics, const Clock& clock,
              ProgressBar& progress);

  void Loaded(const controller::ScanInput& scan,
              const controller::Engine::Scanned* changes) override {
    loads_.Loaded(scan, changes);
  }
  void LoadFailed(const Error& error) override { loads_.LoadFailed(error); }
  void StoreFailed(const Error& error) override { health_.StoreFailed(error); }
  void Progress(const controller::Engine& engine) override;

  /// Facts that hold until the process ends.
  void Began(bool inotify, int concurrency);
  /// The configuration was loaded, at the start or again; or it could not be.
  void ConfigLoaded(bool successful);

  /// Called on the loop thread with the time when a pass that changed something is over, and when
  /// the first pass is, whether or not it `changed` something. Set before the loop begins.
  void OnPassOver(std::function<void(WallTime, bool changed)> told) {
    pass_over_ = std::move(told);
  }
  /// Looks whether that is so now.
  void TellOfPass(const controller::Engine& engine);

  /// How `run --once` ends: 0 as declared, 1 differences of the severity or worse left, 2 errors.
  [[nodiscard]] int ExitCode(const controller::Engine& engine, Severity least) const;

  [[nodiscard]] WorkObserver& work() { return work_; }
  [[nodiscard]] LoadObserver& loads() { return loads_; }
  [[nodiscard]] EngineGauges& gauges() { return gauges_; }
  [[nodiscard]] RunHealth& health() { return health_; }

 private:
  /// What KeptSummary said of the resources after a scan.
  struct Kept {
    std::int32_t look = -1;     ///< The scan, as RemovalEvidence::look.
    std::uint64_t changes = 0;  ///< As Engine::changes.
    MonoTime at = {};
    std::string text = {};
  };

  void NoteWithheld(const controller::Engine& engine);
  [[nodiscard]] const std::string& KeptNow(const controller::Engine& engine);
  void NoteClock(const controller::Engine& engine);
  void NoteFirstPass(const controller::Engine& engine);

  telemetry::Logger& log_;
  telemetry::Metrics& metrics_;
  const Clock& clock_;
  ProgressBar& progress_;
  RunHealth health_;
  LoadObserver loads_;
  WorkObserver work_;
  EngineGauges gauges_;
  bool changed_ = false;  ///< Something, since a pass was told to be over.
  bool first_ = false;    ///< The first pass is over and was not told.
  std::function<void(WallTime, bool changed)> pass_over_;
  Kept kept_;
};

}  // namespace bindery::app
