#include "app/running_loop.h"

#include <utility>

#include "app/daemon_settings.h"

namespace bindery {

RunningLoop::RunningLoop(Engine& engine, Store& store, ManifestSource& source, RunTelemetry& run,
                         const LoopOptions& options, Loop::Hooks hooks)
    : store_(store),
      log_(run.log),
      loop_(engine, StorageOf(store), source, run.clock, run.observer, options, std::move(hooks)),
      control_(loop_, LoopControl::Storage{store, store}, run.observer, run.metrics, run.clock) {}

void RunningLoop::ServeReplicas() {
  auto inbox = store_.OpenInbox();
  if (inbox == nullptr) return;
  request_desk_ = std::make_unique<RequestDesk>(std::move(inbox), control_, log_);
}

bool RunningLoop::Run() {
  const bool clean = loop_.Run();
  request_desk_.reset();
  return clean;
}

}  // namespace bindery
