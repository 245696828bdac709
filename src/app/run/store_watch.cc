#include "app/run/store_watch.h"

#include <exception>
#include <optional>
#include <utility>

namespace bindery::app {
namespace {

std::optional<store::StoreFault> ExamineOrFail(store::StoreHealth& store, bool try_write) {
  try {
    return store.Examine(try_write);
  } catch (const std::exception& failure) {
    Error error;
    error.message = std::string("unexpected: ") + failure.what();
    return store::StoreFault{error};
  }
}

}  // namespace

StoreWatch::StoreWatch(store::StoreHealth& store, const Clock& clock, Told told)
    : store_(store), clock_(clock), told_(std::move(told)) {}

StoreWatch::~StoreWatch() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  wake_.NotifyAll();
  if (thread_.joinable()) thread_.join();
}

void StoreWatch::Start() {
  thread_ = std::thread([this] { Run(); });
}

void StoreWatch::Run() {
  const MutexLock lock(mutex_);
  while (!wake_.WaitFor(mutex_, kPeriod, [this]() REQUIRES(mutex_) { return ending_; })) {
    const MutexRelease released(mutex_);
    LookNow();
  }
}

void StoreWatch::LookNow() {
  began_.store(clock_.Mono().time_since_epoch().count());
  const auto fault = ExamineOrFail(store_, failing_ || told_.writes_fail());
  began_.store(0);
  failing_ = fault.has_value();
  told_.state(fault ? &fault->error : nullptr);
  times_lost_ = fault && fault->lost ? times_lost_ + 1 : 0;
  // A replaced file does not come back.
  if (given_up_ || times_lost_ < (fault && !fault->gone ? 1 : kPatience)) return;
  given_up_ = true;
  told_.lost(*fault);
}

void StoreWatch::LookAtWatch() {
  const MonoTime::rep began = began_.load();
  if (began == 0) return;
  if (clock_.Mono() - MonoTime(MonoTime::duration(began)) < kLongestLook) return;
  Error error;
  error.code = Code::kDeadlineExceeded;
  error.message = "the store does not answer";
  told_.state(&error);
}

}  // namespace bindery::app
