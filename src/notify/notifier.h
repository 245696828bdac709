#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cloud/transport.h"
#include "config/webhook_config.h"
#include "core/expected.h"
#include "core/mutex.h"
#include "notify/delivery.h"

namespace bindery::notify {

/// What a configuration says of notifications, and of the way to their receivers.
struct NotifierSettings {
  NotificationsConfig notifications;
  CurlTransportOptions transport;  ///< Of webhooks that name no CA file of their own.

  /// The source of events: what is configured, else /bindery/ and the name of the host.
  [[nodiscard]] std::string Source() const;
};

/// The way to the receiver of a webhook.
[[nodiscard]] std::unique_ptr<CurlTransport> TransportOf(const WebhookConfig& webhook,
                                                         const NotifierSettings& settings);

/// Whether all webhooks can be used: their files are there and hold what they should. The failure
/// names the webhook's key and the file, and nothing of what is in it.
[[nodiscard]] Expected<void> CheckWebhooks(const NotifierSettings& settings);

/// What is questionable about the files that hold secrets, one line each.
[[nodiscard]] std::vector<std::string> WebhookWarnings(const NotifierSettings& settings);

/// Tells the webhooks of a configuration of events, each on a separate thread, so that none waits
/// for another and no thread waits for them.
class Notifier {
 public:
  explicit Notifier(const Services& services);
  /// Ends the work under way; what was not accepted is told after the next start.
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  /// From the events on recorded after the call; webhooks that stay go on where
  /// they are, also those whose receiver was gone. Does not block. On one
  /// thread.
  void Configure(const NotifierSettings& settings);

  /// To be called when something was recorded: from any thread, quick, and without effect once the
  /// notifier is gone.
  [[nodiscard]] std::function<void()> Waker() const;

  /// Waits until everything that is recorded was told, or cannot be within `patience`; no longer.
  void Finish(std::chrono::milliseconds patience);

 private:
  class Worker;
  using Workers = std::map<std::string, std::unique_ptr<Worker>>;  ///< By name of the webhook.

  /// Who is to be woken.
  struct Roster {
    Mutex mutex;
    Workers workers GUARDED_BY(mutex);
  };

  Services services_;
  const std::shared_ptr<Roster> roster_;
  std::vector<std::unique_ptr<Worker>> retired_;  ///< Without a webhook; they end by themselves.
};

}  // namespace bindery::notify
