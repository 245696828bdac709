#include "app/replicas/standby_helper.h"

#include <chrono>
#include <utility>

namespace bindery::app {
namespace {

constexpr std::chrono::seconds kSignInAgain(30);
constexpr std::chrono::seconds kOfferEvery(1);
constexpr std::chrono::milliseconds kLookIdle(1'000);
constexpr std::chrono::milliseconds kLookBusy(200);

}  // namespace

std::unique_ptr<StandbyHelper> StandbyHelper::Start(const Parts& parts) {
  // Each replica has a different embedded cloud.
  if (!parts.config.reconcile.share_checks || parts.config.UsesEmbeddedCloud()) return nullptr;
  auto clouds = StartClouds(parts.config, EmbeddedCloud::kPrivate, {&parts.metrics, nullptr});
  if (!clouds) {
    parts.log.Warn("cannot read targets for the replica at work",
                   {{"reason", ToString(clouds.error())}});
    return nullptr;
  }
  return std::unique_ptr<StandbyHelper>(new StandbyHelper(parts, std::move(*clouds)));
}

StandbyHelper::StandbyHelper(const Parts& parts, Clouds clouds)
    : parts_(parts),
      help_(store::OpenCheckHelp(parts.config.store)),
      clouds_(std::move(clouds)),
      answers_(std::make_shared<controller::Mailbox<store::CheckBatchAnswer>>([this] {
        const MutexLock lock(mutex_);
        answered_ = true;
        changed_.NotifyAll();
      })),
      worker_([this] { Work(); }) {}

StandbyHelper::~StandbyHelper() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  changed_.NotifyAll();
  clouds_.Cancel();
  worker_.join();
}

void StandbyHelper::Work() {
  while (AwaitWork()) {
    if (runner_ == nullptr) BeginToHelp();
    if (runner_ == nullptr) continue;
    SendAnswers();
    if (parts_.clock.Mono() >= progress_.next_offer) {
      progress_.next_offer = parts_.clock.Mono() + kOfferEvery;
      static_cast<void>(help_->Offer());
    }
    TakeBatches();
  }
  runner_.reset();
  help_->Leave();
}

bool StandbyHelper::AwaitWork() {
  const MutexLock lock(mutex_);
  changed_.WaitFor(mutex_, progress_.busy ? kLookBusy : kLookIdle,
                   [this]() REQUIRES(mutex_) { return ending_ || answered_; });
  answered_ = false;
  return !ending_;
}

void StandbyHelper::BeginToHelp() {
  if (parts_.clock.Mono() < progress_.next_sign_in) return;
  progress_.next_sign_in = parts_.clock.Mono() + kSignInAgain;
  auto connected = ConnectAll(parts_.config, clouds_);
  if (!connected) {
    const std::string why = ToString(connected.error());
    if (std::exchange(progress_.failure, why) == why) return;
    parts_.log.Warn("cannot read targets for the replica at work", {{"reason", why}});
    return;
  }
  const auto workers = static_cast<std::size_t>(parts_.config.reconcile.concurrency);
  runner_ = std::make_unique<controller::BatchRunner>(
      kinds_, std::move(connected->connections),
      controller::BatchRunner::Settings{workers, parts_.config.transport.timeout}, answers_);
  parts_.log.Info("reads targets for the replica at work");
}

/// What cannot be told is read by the replica at work: it does not wait for long.
void StandbyHelper::SendAnswers() {
  for (const store::CheckBatchAnswer& answer : answers_->TakeAll()) {
    static_cast<void>(help_->Answer(answer));
  }
}

void StandbyHelper::TakeBatches() {
  auto batches = help_->Take();
  progress_.busy = batches && !batches->empty();
  if (!batches) return;
  for (store::CheckBatchRecord& batch : *batches) runner_->Start(std::move(batch));
}

}  // namespace bindery::app
