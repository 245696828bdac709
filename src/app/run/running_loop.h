#pragma once

#include <memory>

#include "app/observe/run_telemetry.h"
#include "app/replicas/lending_desk.h"
#include "app/replicas/request_desk.h"
#include "app/run/loop_control.h"
#include "controller/loop/loop.h"
#include "store/ports/store.h"

namespace bindery::app {

/// The loop, with its requests: from the server, and from standbys. Requests of standbys are taken
/// only while the loop runs.
class RunningLoop {
 public:
  /// Engine, store, source and `run` must outlive the object.
  RunningLoop(controller::Engine& engine, store::Store& store, controller::ManifestSource& source,
              RunTelemetry& run, const controller::LoopOptions& options,
              controller::Loop::Hooks hooks);

  [[nodiscard]] controller::Loop& loop() { return loop_; }
  [[nodiscard]] LoopControl& control() { return control_; }

  /// Takes requests of standbys from now on, if standbys are possible. `share_checks`: standbys
  /// also read targets.
  void WorkWithReplicas(bool share_checks);

  /// As Loop::Run.
  bool Run();

 private:
  /// Nothing is lent before a desk exists, because the engine then knows no helpers.
  [[nodiscard]] controller::Loop::Hooks WithLending(controller::Loop::Hooks hooks);

  store::Store& store_;
  telemetry::Logger& log_;
  const Clock& clock_;
  controller::Loop loop_;
  LoopControl control_;
  std::unique_ptr<RequestDesk> request_desk_;  ///< Null where no other replica can be.
  std::unique_ptr<LendingDesk> lending_desk_;  ///< Null where no checks are shared.
};

}  // namespace bindery::app
