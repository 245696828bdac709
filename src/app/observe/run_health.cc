#include "app/observe/run_health.h"

#include <utility>

namespace bindery::app {

void RunHealth::StoreFailed(const Error& error) {
  const MutexLock lock(mutex_);
  const std::string text = ToString(error);
  if (std::exchange(store_error_, text) == text) return;
  log_.Error("the store cannot be written", {{"reason", text}});
  metrics_.store.usable.Set(0);
}

void RunHealth::StoreCommitted(std::chrono::nanoseconds duration) {
  metrics_.store.commit.Observe(duration);
  const MutexLock lock(mutex_);
  if (store_error_.empty()) return;
  store_error_.clear();
  TellStoreUsable();
}

void RunHealth::StoreState(const Error* fault) {
  const MutexLock lock(mutex_);
  const std::string text = fault == nullptr ? "" : ToString(*fault);
  if (std::exchange(store_fault_, text) == text) return;
  if (text.empty()) return TellStoreUsable();
  log_.Error("the store cannot be used: nothing is written to any cloud", {{"reason", text}});
  metrics_.store.usable.Set(0);
}

void RunHealth::TellStoreUsable() {
  if (!store_error_.empty() || !store_fault_.empty()) return;
  log_.Info("the store can be used again");
  metrics_.store.usable.Set(1);
}

bool RunHealth::StoreWritesFail() const {
  const MutexLock lock(mutex_);
  return !store_error_.empty();
}

void RunHealth::SetLoadError(const std::string& error) {
  const MutexLock lock(mutex_);
  load_error_ = error;
}

void RunHealth::SetWithheld(const std::string& note) {
  const MutexLock lock(mutex_);
  withheld_ = note;
}

void RunHealth::SetClockNote(const std::string& note) {
  const MutexLock lock(mutex_);
  clock_note_ = note;
}

bool RunHealth::NoteFirstPass(bool done) {
  const MutexLock lock(mutex_);
  if (first_pass_done_ || !done || !load_error_.empty()) return false;
  return first_pass_done_ = true;
}

bool RunHealth::first_pass_done() const {
  const MutexLock lock(mutex_);
  return first_pass_done_;
}

std::vector<server::HealthCheck> RunHealth::Checks() const {
  const MutexLock lock(mutex_);
  const std::string& store = store_fault_.empty() ? store_error_ : store_fault_;
  return {{"store", store.empty(), store},
          {"manifests", load_error_.empty(), load_error_},
          {"removals", true, "", /*liveness=*/false, withheld_},
          {"first-pass", first_pass_done_, "not every target was checked yet"},
          {"clock", true, "", /*liveness=*/false, clock_note_}};
}

}  // namespace bindery::app
