#include "notify/delivery.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/text/count.h"
#include "core/text/time_text.h"

namespace bindery::notify {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr seconds kStoreRetry(5);
/// How long a message is tried that the receiver does not take: it may be the receiver's fault.
constexpr hours kRefusalPatience(1);
/// Minimum time between reports about dropped events.
constexpr hours kGiveUpPause(1);

std::uint64_t MakeSeed(const config::WebhookConfig& webhook, const Clock& clock) {
  return std::hash<std::string>{}(webhook.name) ^
         static_cast<std::uint64_t>(clock.Wall().time_since_epoch().count());
}

}  // namespace

Delivery::Delivery(config::WebhookConfig webhook, std::string source, cloud::Transport& transport,
                   const Services& services)
    : webhook_(std::move(webhook)),
      source_(std::move(source)),
      transport_(transport),
      services_(services),
      outbox_(webhook_, services.journal),
      batching_(webhook_.per_minute, webhook_.burst),
      pause_(MakeSeed(webhook_, services.clock)),
      progress_(webhook_.name, services) {
  // The series exist from now on.
  for (const telemetry::NotificationOutcome outcome : telemetry::kAllNotificationOutcomes)
    Tally(outcome, 0);
  services_.metrics.pending.Set(0, {webhook_.name});
}

void Delivery::Tally(telemetry::NotificationOutcome outcome, std::size_t count) {
  services_.metrics.events.Increment(count, {webhook_.name, telemetry::ToString(outcome)});
}

std::optional<MonoTime> Delivery::Step() {
  if (!ReadOn()) return services_.clock.Mono() + kStoreRetry;
  const MonoTime now = services_.clock.Mono();
  if (gone_) return std::nullopt;
  if (outbox_.empty()) {
    pause_.Reset();
    progress_.ForgetFailure(outbox_.cursor());
    return progress_.Idle(outbox_.cursor());
  }
  if (now < pause_.end()) return pause_.end();
  if (!current_) {
    const std::size_t count = batching_.Take(outbox_.waiting().size(), now);
    if (count == 0) return batching_.NextMessage(now);
    Join(count);
  }
  const Attempt attempt = Send(webhook_, current_->message, transport_, services_.clock);
  if (attempt.result == Attempt::Result::kCancelled) return std::nullopt;
  TakeAnswer(attempt);
  services_.metrics.pending.Set(outbox_.pending(), {webhook_.name});
  const MonoTime after = services_.clock.Mono();
  return outbox_.empty() ? after : std::max(pause_.end(), after);
}

bool Delivery::Busy(MonoTime until) const {
  return progress_.begun() && !outbox_.empty() && !gone_ && pause_.end() <= until;
}

bool Delivery::ReadOn() {
  const auto found = outbox_.Fill();
  if (!found) {
    services_.log.Warn("notifications wait for the store",
                       {{"webhook", webhook_.name}, {"reason", ToString(found.error())}});
    return false;
  }
  if (!outbox_.loaded()) return false;
  progress_.Begin(outbox_.record());
  if (found->repeated > 0) Tally(telemetry::NotificationOutcome::kRepeated, found->repeated);
  if (found->deleted > 0) {
    const auto count = static_cast<std::size_t>(found->deleted);
    Dropped(telemetry::NotificationOutcome::kExpired, count,
            Count(count, "event") + " went untold: retention.events deleted them");
  }
  services_.metrics.pending.Set(outbox_.pending(), {webhook_.name});
  return true;
}

void Delivery::Join(std::size_t count) {
  current_ = {Compose(webhook_.format, {outbox_.waiting().data(), count}, source_), count, {}};
}

void Delivery::TakeAnswer(const Attempt& attempt) {
  switch (attempt.result) {
    case Attempt::Result::kAccepted:
      return Accepted();
    case Attempt::Result::kGone:
      return Gone(attempt);
    case Attempt::Result::kFailed:
    case Attempt::Result::kRefused:
      return Failed(attempt);
    case Attempt::Result::kCancelled:
      break;
  }
}

void Delivery::Accepted() {
  const std::size_t events = current_->events;
  Tally(telemetry::NotificationOutcome::kDelivered, events);
  outbox_.Done(events);
  batching_.Accepted(events);
  pause_.Reset();
  current_.reset();
  progress_.Accepted(outbox_.cursor());
}

void Delivery::Failed(const Attempt& attempt) {
  const MonoTime now = services_.clock.Mono();
  pause_.Failed(now, attempt.wait);
  Tally(telemetry::NotificationOutcome::kFailed, 1);
  progress_.Failed(attempt.reason, outbox_.cursor());
  if (!GiveUpRefused(attempt, now)) GiveUpOld(now);
}

void Delivery::Gone(const Attempt& attempt) {
  gone_ = true;
  Tally(telemetry::NotificationOutcome::kFailed, 1);
  progress_.Gone(attempt.reason, outbox_.cursor());
}

bool Delivery::GiveUpRefused(const Attempt& attempt, MonoTime now) {
  if (attempt.result != Attempt::Result::kRefused) {
    current_->refused_since.reset();
    return false;
  }
  if (current_->events > 1) {
    Join(batching_.Refused(current_->events));
    return false;
  }
  if (!current_->refused_since) current_->refused_since = now;
  if (now - *current_->refused_since < kRefusalPatience) return false;
  outbox_.Done(1);
  Dropped(telemetry::NotificationOutcome::kGivenUp, 1,
          "1 event went untold: refused for " + FormatDuration(kRefusalPatience) + ", last with " +
              attempt.reason);
  return true;
}

void Delivery::GiveUpOld(MonoTime now) {
  if (gave_up_ && now - *gave_up_ < kGiveUpPause) return;
  const WallTime oldest = services_.clock.Wall() - webhook_.give_up_after;
  std::size_t dropped = 0;
  for (bool more = true; more;) {
    const auto& waiting = outbox_.waiting();
    const auto young = std::ranges::find_if(
        waiting, [oldest](const Notice& notice) { return notice.event.time > oldest; });
    const auto count = static_cast<std::size_t>(young - waiting.begin());
    more = count > 0 && count == waiting.size();
    outbox_.Done(count);
    dropped += count;
    more = more && ReadOn() && !outbox_.empty();
  }
  if (dropped == 0) return;
  gave_up_ = now;
  Dropped(telemetry::NotificationOutcome::kGivenUp, dropped,
          Count(dropped, "event") + " went untold: not accepted within " +
              FormatDuration(webhook_.give_up_after) + ", last: " + progress_.failure());
}

void Delivery::Dropped(telemetry::NotificationOutcome outcome, std::size_t count,
                       const std::string& why) {
  current_.reset();
  outbox_.ForgetTold();
  Tally(outcome, count);
  progress_.Report("NotificationsDropped", why, outbox_.cursor());
}

void Delivery::Stop() { progress_.Stop(outbox_.cursor()); }

}  // namespace bindery::notify
