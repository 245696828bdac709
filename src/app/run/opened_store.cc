#include "app/run/opened_store.h"

#include <chrono>
#include <utility>

#include "app/run/daemon_settings.h"

namespace bindery::app {

OpenedStore::OpenedStore(std::unique_ptr<store::Store> store, RunTelemetry& run,
                         std::shared_ptr<const store::StoreWitness> witness)
    : run_(run), store_(std::move(store)), witness_(std::move(witness), run.log) {
  witness_.Look();
}

void OpenedStore::TellOfCommits(std::function<void()> wake, std::size_t reopenings) {
  store_->OnCommit(
      [this, wake = std::move(wake)](std::chrono::nanoseconds duration, std::size_t /*changes*/) {
        run_.observer.health().StoreCommitted(duration);
        changes_.Raise();
        wake();
      });
  run_.metrics.store.usable.Set(1);
  run_.metrics.store.held.Set(1);
  run_.metrics.store.reopenings.RaiseTo(reopenings);
}

void OpenedStore::Watch(std::function<void(const store::StoreFault&)> lost, bool look) {
  StoreWatch::Told told;
  told.state = [this](const Error* fault) {
    run_.observer.health().StoreState(fault);
    witness_.Look();
    run_.metrics.store.held.Set(store_->MayAct() ? 1 : 0);
  };
  told.writes_fail = [this] { return run_.observer.health().StoreWritesFail(); };
  told.lost = std::move(lost);
  watch_ = std::make_unique<StoreWatch>(*store_, run_.clock, std::move(told));
  if (look) watch_->Start();
}

void OpenedStore::Close(const std::filesystem::path& path) {
  watch_.reset();
  if (lost_ && lost_->gone) PutBack(*store_, path, run_.log);
}

}  // namespace bindery::app
