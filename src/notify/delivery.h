#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cloud/transport.h"
#include "config/webhook_config.h"
#include "controller/backoff.h"
#include "core/clock.h"
#include "core/rate_limiter.h"
#include "notify/message.h"
#include "notify/outbox.h"
#include "notify/sending.h"
#include "store/journal_reader.h"
#include "store/state_writer.h"
#include "telemetry/log.h"
#include "telemetry/notification_metrics.h"

namespace bindery::notify {

/// What deliveries work with. All of it outlives them.
struct Services {
  StateWriter& writer;
  const JournalReader& journal;
  Logger& log;
  NotificationMetrics& metrics;
  const Clock& clock;
};

/// Tells one webhook of events, in their order, one message at a time. Its position is put on
/// record only after the receiver accepted a message: what happens in between, whatever it is, an
/// event is told at least once. For one thread.
class Delivery {
 public:
  /// `source` says who speaks. `transport` outlives it.
  Delivery(WebhookConfig webhook, std::string source, Transport& transport,
           const Services& services);

  /// Does what can be done now, one message at most, and waits for its answer. Says when to be
  /// called again; nothing: when the journal has grown.
  [[nodiscard]] std::optional<MonoTime> Step();

  /// Something waits, and may go before `until` as far as the receiver does not want it later.
  [[nodiscard]] bool Busy(MonoTime until) const;

  /// The receiver wants no messages any more: nothing is sent again.
  [[nodiscard]] bool gone() const { return gone_; }

  /// Puts on record how far it is.
  void Stop();

 private:
  /// A message and the events in it, from the first that waits on.
  struct Current {
    Message message;
    std::size_t events = 0;
  };

  void Tally(NotificationOutcome outcome, std::size_t count);
  [[nodiscard]] bool ReadOn();
  [[nodiscard]] bool Choose(MonoTime now);
  void Join(std::size_t count);
  void TakeAnswer(const Attempt& attempt);
  void Accepted();
  void Failed(const Attempt& attempt);
  void Gone(const Attempt& attempt);
  [[nodiscard]] bool GiveUpRefused(const Attempt& attempt, MonoTime now);
  void JoinFewer();
  void GiveUpOld(MonoTime now);
  void Dropped(NotificationOutcome outcome, std::size_t count, const std::string& why);
  /// What was not accepted does not wait any more.
  void ForgetFailure();
  /// Of a webhook without anything to do: what it passed over is put on record now and then.
  [[nodiscard]] std::optional<MonoTime> KeepPlace();
  void Save(std::vector<Event> events = {});
  [[nodiscard]] Event Warning(const std::string& reason, const std::string& what) const;

  const WebhookConfig webhook_;
  const std::string source_;
  Transport& transport_;
  Services services_;
  Outbox outbox_;
  RateLimiter limiter_;
  Backoff backoff_;

  WebhookRecord record_;
  bool began_ = false;  ///< record_ is what is on record.
  std::optional<Current> current_;
  std::size_t most_joined_ = kMostJoined;  ///< Fewer while the receiver refuses that many.
  int failures_ = 0;                       ///< In a row.
  bool gone_ = false;
  MonoTime not_before_{};
  std::optional<MonoTime> refused_since_;  ///< The current message.
  std::optional<MonoTime> gave_up_;        ///< Last, for its age.
  std::optional<MonoTime> place_due_;
};

}  // namespace bindery::notify
