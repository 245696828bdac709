#pragma once

#include <memory>

#include "app/lending_desk.h"
#include "app/loop_control.h"
#include "app/observe/run_telemetry.h"
#include "app/request_desk.h"
#include "controller/loop.h"
#include "store/store.h"

namespace bindery {

/// The loop, and the way to ask it: by the server's requests, and by those of other replicas.
/// Requests of other replicas are taken while it runs only.
class RunningLoop {
 public:
  /// Engine, store, source and `run` must outlive the object.
  RunningLoop(Engine& engine, Store& store, ManifestSource& source, RunTelemetry& run,
              const LoopOptions& options, Loop::Hooks hooks);

  [[nodiscard]] Loop& loop() { return loop_; }
  [[nodiscard]] LoopControl& control() { return control_; }

  /// Takes requests of other replicas from now on, where there can be any. `share_checks`: these
  /// also read targets for this one.
  void WorkWithReplicas(bool share_checks);

  /// As Loop::Run.
  bool Run();

 private:
  /// Nothing is lent before there is a desk, as the engine then knows of no helpers.
  [[nodiscard]] Loop::Hooks WithLending(Loop::Hooks hooks);

  Store& store_;
  Logger& log_;
  const Clock& clock_;
  Loop loop_;
  LoopControl control_;
  std::unique_ptr<RequestDesk> request_desk_;  ///< Null where no other replica can be.
  std::unique_ptr<LendingDesk> lending_desk_;  ///< Null where no checks are shared.
};

}  // namespace bindery
