#include "app/run/running_loop.h"

#include <utility>

#include "app/run/daemon_settings.h"

namespace bindery::app {

RunningLoop::RunningLoop(controller::Engine& engine, store::Store& store,
                         controller::ManifestSource& source, RunTelemetry& run,
                         const controller::LoopOptions& options, controller::Loop::Hooks hooks)
    : store_(store),
      log_(run.log),
      clock_(run.clock),
      loop_(engine, MakeStorage(store), source, run.clock, run.observer, options,
            WithLending(std::move(hooks))),
      control_(loop_, LoopControl::Storage{store, store}, run.observer, run.metrics, run.clock) {}

controller::Loop::Hooks RunningLoop::WithLending(controller::Loop::Hooks hooks) {
  hooks.lend = [this](std::vector<controller::LentCheck> checks) {
    lending_desk_->Lend(std::move(checks));
  };
  return hooks;
}

void RunningLoop::WorkWithReplicas(bool share_checks) {
  auto inbox = store_.OpenInbox();
  if (inbox == nullptr) return;
  request_desk_ = std::make_unique<RequestDesk>(std::move(inbox), control_, log_);
  if (!share_checks) return;
  lending_desk_ = std::make_unique<LendingDesk>(
      store_.OpenCheckBatches(),
      [this](std::function<void(controller::Engine&, const controller::Now&)> task) {
        loop_.Post(std::move(task));
      },
      log_, clock_);
}

bool RunningLoop::Run() {
  const bool clean = loop_.Run();
  request_desk_.reset();
  lending_desk_.reset();
  return clean;
}

}  // namespace bindery::app
