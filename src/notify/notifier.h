#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cloud/transport.h"
#include "config/webhook_config.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "notify/delivery.h"

namespace bindery::notify {

/// The notifications of a configuration, and the connection to their receivers.
struct NotifierSettings {
  config::NotificationsConfig notifications;
  cloud::CurlTransportOptions transport;  ///< Of webhooks that name no CA file of their own.

  /// The source of events: what is configured, else /bindery/ and the name of the host.
  [[nodiscard]] std::string Source() const;
};

/// The way to the receiver of a webhook.
[[nodiscard]] std::unique_ptr<cloud::CurlTransport> MakeTransport(
    const config::WebhookConfig& webhook, const NotifierSettings& settings);

/// Whether all webhooks can be used: their files exist with valid content. The failure names the
/// webhook's key and the file, but no content.
[[nodiscard]] Expected<void> CheckWebhooks(const NotifierSettings& settings);

/// Doubts about the files with secrets, one line each.
[[nodiscard]] std::vector<std::string> WebhookWarnings(const NotifierSettings& settings);

/// Sends events to the webhooks of a configuration, each on a separate thread, so that no webhook
/// waits for another and no thread waits for webhooks.
class Notifier {
 public:
  explicit Notifier(const Services& services);
  /// Ends the work under way; what was not accepted is told after the next start.
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  /// For events recorded after the call; remaining webhooks continue at their
  /// position, also webhooks whose receiver was gone. Does not block. On one
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

  /// The threads to wake.
  struct Roster {
    Mutex mutex;
    Workers workers GUARDED_BY(mutex);
  };

  Services services_;
  const std::shared_ptr<Roster> roster_;
  std::vector<std::unique_ptr<Worker>> retired_;  ///< Without a webhook; they end by themselves.
};

}  // namespace bindery::notify
