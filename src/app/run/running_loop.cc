#include "app/run/running_loop.h"

#include <utility>

#include "app/run/daemon_settings.h"

namespace bindery {

RunningLoop::RunningLoop(Engine& engine, Store& store, ManifestSource& source, RunTelemetry& run,
                         const LoopOptions& options, Loop::Hooks hooks)
    : store_(store),
      log_(run.log),
      clock_(run.clock),
      loop_(engine, MakeStorage(store), source, run.clock, run.observer, options,
            WithLending(std::move(hooks))),
      control_(loop_, LoopControl::Storage{store, store}, run.observer, run.metrics, run.clock) {}

Loop::Hooks RunningLoop::WithLending(Loop::Hooks hooks) {
  hooks.lend = [this](std::vector<LentCheck> checks) { lending_desk_->Lend(std::move(checks)); };
  return hooks;
}

void RunningLoop::WorkWithReplicas(bool share_checks) {
  auto inbox = store_.OpenInbox();
  if (inbox == nullptr) return;
  request_desk_ = std::make_unique<RequestDesk>(std::move(inbox), control_, log_);
  if (!share_checks) return;
  lending_desk_ = std::make_unique<LendingDesk>(
      store_.OpenCheckBatches(),
      [this](std::function<void(Engine&, const Now&)> task) { loop_.Post(std::move(task)); }, log_,
      clock_);
}

bool RunningLoop::Run() {
  const bool clean = loop_.Run();
  request_desk_.reset();
  lending_desk_.reset();
  return clean;
}

}  // namespace bindery
