#include "app/replicas/lending_desk.h"

#include <chrono>
#include <iterator>
#include <utility>

namespace bindery::app {
namespace {

/// How often helpers are looked for.
constexpr std::chrono::seconds kHelperLook(2);
/// How often answers are looked for while some are awaited.
constexpr std::chrono::milliseconds kAnswersLook(250);

}  // namespace

LendingDesk::LendingDesk(std::unique_ptr<store::CheckBatches> batches, PostToEngine post,
                         telemetry::Logger& log, const Clock& clock)
    : batches_(std::move(batches)),
      post_(std::move(post)),
      log_(log),
      clock_(clock),
      worker_([this] { Work(); }) {}

LendingDesk::~LendingDesk() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  changed_.NotifyAll();
  worker_.join();
}

void LendingDesk::Lend(std::vector<controller::LentCheck> checks) {
  const MutexLock lock(mutex_);
  std::move(checks.begin(), checks.end(), std::back_inserter(new_));
}

void LendingDesk::Work() {
  LookForHelpers();
  std::vector<controller::LentCheck> checks;
  do {
    if (clock_.Mono() - looked_ >= kHelperLook) LookForHelpers();
    Ask(std::exchange(checks, {}));
    Collect();
    TellOfHelpers();
  } while (AwaitChecks(checks));
}

/// Checks come one by one and are sent together: no single check wakes the thread.
bool LendingDesk::AwaitChecks(std::vector<controller::LentCheck>& checks) {
  const MutexLock lock(mutex_);
  const auto ends = [this]() REQUIRES(mutex_) { return ending_; };
  const bool busy = told_.helpers > 0 || pool_.AwaitsAnswers();
  changed_.WaitFor(mutex_, busy ? kAnswersLook : kHelperLook, ends);
  std::swap(checks, new_);
  return !ending_;
}

void LendingDesk::LookForHelpers() {
  looked_ = clock_.Mono();
  const auto helpers = batches_->Helpers();
  // The watcher of the store reports an unreachable database.
  const bool refused = !helpers && helpers.error().code != Code::kUnavailable;
  if (refused && !std::exchange(told_.refused, true)) {
    log_.Warn("checks are not shared", {{"reason", ToString(helpers.error())}});
  }
  pool_.SetHelpers(helpers ? *helpers : std::vector<store::HelperRecord>());
}

void LendingDesk::TellOfHelpers() {
  const MonoTime now = clock_.Mono();
  const std::size_t helpers = pool_.Count(now);
  const std::size_t at_once = pool_.AtOnce(now);
  if (helpers == told_.helpers && at_once == told_.at_once) return;
  if (std::exchange(told_.helpers, helpers) != helpers) {
    log_.Info("replicas that read targets for this one", {{"count", helpers}});
  }
  told_.at_once = at_once;
  post_([helpers, at_once](controller::Engine& engine, const controller::Now& /*now*/) {
    engine.flow().lending().SetHelpers(helpers, at_once);
  });
}

void LendingDesk::Ask(std::vector<controller::LentCheck> checks) {
  if (checks.empty()) return;
  controller::HelperPool::Asked asked = pool_.Ask(std::move(checks), clock_.Mono());
  // What is not placed is not answered, and read by the replica.
  if (!asked.batches.empty()) static_cast<void>(batches_->Place(asked.batches));
  Tell(std::move(asked.refused));
}

void LendingDesk::Collect() {
  if (!pool_.AwaitsAnswers()) return;
  const auto answers = batches_->Collect();
  const MonoTime now = clock_.Mono();
  std::vector<controller::LentResult> results;
  if (answers) {
    for (const store::CheckBatchAnswer& answer : *answers) {
      std::ranges::move(pool_.Answered(answer, now), std::back_inserter(results));
    }
  }
  std::ranges::move(pool_.PassTime(now), std::back_inserter(results));
  Tell(std::move(results));
}

void LendingDesk::Tell(std::vector<controller::LentResult> results) {
  if (results.empty()) return;
  post_([results = std::move(results)](controller::Engine& engine, const controller::Now& now) {
    for (const controller::LentResult& result : results) engine.flow().lending().End(result, now);
  });
}

}  // namespace bindery::app
