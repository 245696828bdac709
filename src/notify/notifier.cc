#include "notify/notifier.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "cloud/curl/ca_file.h"
#include "cloud/secret_file_warning.h"
#include "core/base/mutex.h"
#include "notify/endpoint.h"
#include "telemetry/host_name.h"

namespace bindery::notify {
namespace {

/// Events recorded together are read together.
constexpr std::chrono::milliseconds kShortestPause(50);

}  // namespace

std::string NotifierSettings::Source() const {
  return notifications.source.empty() ? "/bindery/" + telemetry::HostName() : notifications.source;
}

std::unique_ptr<cloud::CurlTransport> MakeTransport(const config::WebhookConfig& webhook,
                                                    const NotifierSettings& settings) {
  cloud::CurlTransportOptions options = settings.transport;
  if (!webhook.ca_file.empty()) options.ca_file = webhook.ca_file.string();
  return std::make_unique<cloud::CurlTransport>(std::move(options));
}

Expected<void> CheckWebhooks(const NotifierSettings& settings) {
  for (const auto& [name, webhook] : settings.notifications.webhooks) {
    const std::string key = "notifications.webhooks." + name;
    if (auto endpoint = ReadEndpoint(webhook); !endpoint) return Fail(endpoint.error().Wrap(key));
    if (auto checked = cloud::CheckCaFile(webhook.ca_file.string()); !checked) {
      return Fail(checked.error().Wrap(key + ".caFile"));
    }
  }
  return {};
}

std::vector<std::string> WebhookWarnings(const NotifierSettings& settings) {
  std::vector<std::string> warnings;
  for (const auto& [name, webhook] : settings.notifications.webhooks) {
    for (const std::filesystem::path* file : {&webhook.url_file, &webhook.secret_file}) {
      if (file->empty()) continue;
      if (auto warning = cloud::AccessWarning(file->string()))
        warnings.push_back(std::move(*warning));
    }
  }
  return warnings;
}

/// One webhook with its thread: runs until stopped, or until retired because the webhook was
/// deleted; then ended. The states only advance.
class Notifier::Worker {
 public:
  struct Task {
    config::WebhookConfig webhook;
    NotifierSettings settings;

    [[nodiscard]] bool SameAs(const Task& other) const {
      return webhook == other.webhook && settings.Source() == other.settings.Source();
    }
  };

  Worker(const Services& services, Task task)
      : services_(services), task_(std::move(task)), thread_([this] { Run(); }) {}
  ~Worker() {
    Stop();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void Stop() { Advance(State::kStopping); }
  void Retire() { Advance(State::kRetiring); }

  /// The thread is done, or as good as done.
  [[nodiscard]] bool Ended() {
    const MutexLock lock(mutex_);
    return state_ == State::kEnded;
  }

  /// A changed configuration: takes effect after the current message.
  void Replace(Task task) {
    {
      const MutexLock lock(mutex_);
      if (task_.SameAs(task) && !gone_) return;
      task_ = std::move(task);
      replaced_ = true;
    }
    changed_.NotifyAll();
  }

  void Wake() {
    {
      const MutexLock lock(mutex_);
      woken_ = true;
    }
    changed_.NotifyAll();
  }

  void WaitUntilSettled(MonoTime until) {
    const MutexLock lock(mutex_);
    settled_ = false;
    settle_by_ = until;
    woken_ = true;
    changed_.NotifyAll();
    changed_.WaitUntil(mutex_, until, [this]() REQUIRES(mutex_) { return settled_ || !Running(); });
  }

 private:
  enum class State { kRunning, kStopping, kRetiring, kEnded };

  void Advance(State state) {
    {
      const MutexLock lock(mutex_);
      state_ = std::max(state_, state);
      if (transport_ != nullptr) transport_->CancelAll();
    }
    changed_.NotifyAll();
  }

  [[nodiscard]] bool Running() const REQUIRES(mutex_) { return state_ == State::kRunning; }

  void Run() {
    const MutexLock lock(mutex_);
    while (Running()) {
      replaced_ = false;
      gone_ = false;
      const Task task = task_;
      std::unique_ptr<cloud::CurlTransport> transport = MakeTransport(task.webhook, task.settings);
      transport_ = transport.get();
      std::optional<Delivery> delivery;
      {
        const MutexRelease released(mutex_);
        delivery.emplace(task.webhook, task.settings.Source(), *transport, services_);
      }
      Deliver(*delivery);
      transport_ = nullptr;
      const bool on_record = state_ != State::kRetiring;
      const MutexRelease released(mutex_);
      if (on_record) delivery->Stop();
      transport.reset();
    }
    if (state_ == State::kRetiring) {  // What it was last is no state of anything.
      services_.metrics.pending.Set(0, {task_.webhook.name});
      services_.metrics.failing.Set(0, {task_.webhook.name});
    }
    state_ = State::kEnded;
  }

  void Deliver(Delivery& delivery) REQUIRES(mutex_) {
    while (Running() && !replaced_) {
      woken_ = false;
      std::optional<MonoTime> next;
      {
        const MutexRelease released(mutex_);
        next = Step(delivery);
      }
      gone_ = delivery.gone();
      if (!woken_ && !delivery.Busy(settle_by_)) {
        settled_ = true;
        changed_.NotifyAll();
      }
      const auto interrupted = [this]() REQUIRES(mutex_) { return !Running() || replaced_; };
      const auto due = [this]() REQUIRES(mutex_) { return woken_ || !Running() || replaced_; };
      if (next) {
        changed_.WaitUntil(mutex_, *next, due);
      } else {
        changed_.Wait(mutex_, due);
      }
      if (woken_) changed_.WaitFor(mutex_, kShortestPause, interrupted);
    }
  }

  [[nodiscard]] std::optional<MonoTime> Step(Delivery& delivery) const try {
    return delivery.Step();
  } catch (const std::exception& failure) {
    constexpr std::chrono::minutes kPause(1);
    services_.log.Error("a notification failed unexpectedly", {{"reason", failure.what()}});
    return services_.clock.Mono() + kPause;
  }

  const Services services_;

  Mutex mutex_;
  CondVar changed_;
  Task task_ GUARDED_BY(mutex_);
  cloud::CurlTransport* transport_ GUARDED_BY(mutex_) = nullptr;  ///< While messages are sent.
  bool replaced_ GUARDED_BY(mutex_) = false;
  bool woken_ GUARDED_BY(mutex_) = false;
  bool gone_ GUARDED_BY(mutex_) = false;  ///< The receiver, until another configuration.
  bool settled_ GUARDED_BY(mutex_) = false;
  MonoTime settle_by_ GUARDED_BY(mutex_){};
  State state_ GUARDED_BY(mutex_) = State::kRunning;

  std::thread thread_;  ///< Last: it uses all of the above.
};

Notifier::Notifier(const Services& services)
    : services_(services), roster_(std::make_shared<Roster>()) {}

Notifier::~Notifier() {
  Workers workers;
  {
    const MutexLock lock(roster_->mutex);
    workers.swap(roster_->workers);
  }
  // All at once: each then waits for its own thread.
  for (const auto& [name, worker] : workers) worker->Stop();
}

void Notifier::Configure(const NotifierSettings& settings) {
  const auto& webhooks = settings.notifications.webhooks;
  store::StoreChange change;
  change.webhooks.emplace();
  for (const auto& [name, webhook] : webhooks) change.webhooks->push_back(name);
  // In the order of further records. An early thread finds no such webhook on record, and comes
  // again with the next commit, the commit of this change.
  services_.writer.Submit(std::move(change), [&log = services_.log](const Expected<void>& done) {
    if (!done) log.Error("webhooks cannot be told", {{"reason", ToString(done.error())}});
  });
  std::erase_if(retired_, [](const auto& worker) { return worker->Ended(); });
  const MutexLock lock(roster_->mutex);
  Workers& workers = roster_->workers;
  for (auto& [name, worker] : workers) {
    if (webhooks.contains(name)) continue;
    worker->Retire();
    retired_.push_back(std::move(worker));
  }
  std::erase_if(workers, [](const auto& entry) { return entry.second == nullptr; });
  for (const auto& [name, webhook] : webhooks) {
    Worker::Task task{webhook, settings};
    if (const auto found = workers.find(name); found != workers.end()) {
      found->second->Replace(std::move(task));
    } else {
      workers[name] = std::make_unique<Worker>(services_, std::move(task));
    }
  }
}

std::function<void()> Notifier::Waker() const {
  return [roster = roster_] {
    const MutexLock lock(roster->mutex);
    for (const auto& [name, worker] : roster->workers) worker->Wake();
  };
}

void Notifier::Finish(std::chrono::milliseconds patience) {
  const MonoTime until = std::chrono::steady_clock::now() + patience;
  if (auto flushed = services_.writer.Flush(); !flushed) return;
  std::vector<Worker*> workers;
  {
    const MutexLock lock(roster_->mutex);
    for (const auto& [name, worker] : roster_->workers) workers.push_back(worker.get());
  }
  for (Worker* worker : workers) worker->WaitUntilSettled(until);
}

}  // namespace bindery::notify
