#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cloud/transport.h"
#include "config/webhook_config.h"
#include "core/base/clock.h"
#include "notify/batching.h"
#include "notify/message.h"
#include "notify/outbox.h"
#include "notify/progress.h"
#include "notify/retry_pause.h"
#include "notify/sending.h"
#include "notify/services.h"
#include "telemetry/notification_metrics.h"

namespace bindery::notify {

/// Sends events to one webhook, in order, one message at a time. The position is put on record only
/// after the receiver accepted a message: in every case an event is sent at least once.
/// Single-threaded.
class Delivery {
 public:
  /// `source` is the sender's name. `transport` outlives the object.
  Delivery(config::WebhookConfig webhook, std::string source, cloud::Transport& transport,
           const Services& services);

  /// Does what can be done now, one message at most, and waits for its answer. Says when to be
  /// called again; nothing: when the journal has grown.
  [[nodiscard]] std::optional<MonoTime> Step();

  /// Something waits, and may go before `until` as far as the receiver does not want it later.
  [[nodiscard]] bool Busy(MonoTime until) const;

  /// The receiver wants no messages any more: nothing is sent again.
  [[nodiscard]] bool gone() const { return gone_; }

  /// Puts the position on record.
  void Stop();

 private:
  /// A message with its events, from the first waiting event on.
  struct Current {
    Message message;
    std::size_t events = 0;
    std::optional<MonoTime> refused_since;  ///< By the receiver, in every answer since.
  };

  void Tally(telemetry::NotificationOutcome outcome, std::size_t count);
  [[nodiscard]] bool ReadOn();
  void Join(std::size_t count);
  void TakeAnswer(const Attempt& attempt);
  void Accepted();
  void Failed(const Attempt& attempt);
  void Gone(const Attempt& attempt);
  [[nodiscard]] bool GiveUpRefused(const Attempt& attempt, MonoTime now);
  void GiveUpOld(MonoTime now);
  void Dropped(telemetry::NotificationOutcome outcome, std::size_t count, const std::string& why);

  const config::WebhookConfig webhook_;
  const std::string source_;
  cloud::Transport& transport_;
  Services services_;
  Outbox outbox_;
  Batching batching_;
  RetryPause pause_;
  Progress progress_;

  std::optional<Current> current_;
  bool gone_ = false;
  std::optional<MonoTime> gave_up_;  ///< Last, for its age.
};

}  // namespace bindery::notify
