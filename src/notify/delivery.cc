#include "notify/delivery.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/time_text.h"

namespace bindery::notify {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr seconds kStoreRetry(5);
/// How long a message is tried that the receiver does not take: it may be the receiver's fault.
constexpr hours kRefusalPatience(1);
/// What is given up is told of at most that often.
constexpr hours kGiveUpPause(1);
constexpr hours kPlacePause(1);
constexpr std::int64_t kFarAhead = 1'000;

RateLimiter LimiterOf(const WebhookConfig& webhook) {
  constexpr double kMinute = 60;
  return {webhook.per_minute / kMinute, static_cast<double>(webhook.burst)};
}

std::string Count(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

Delivery::Delivery(WebhookConfig webhook, std::string source, Transport& transport,
                   const Services& services)
    : webhook_(std::move(webhook)),
      source_(std::move(source)),
      transport_(transport),
      services_(services),
      outbox_(webhook_, services.journal),
      limiter_(LimiterOf(webhook_)),
      backoff_(std::hash<std::string>{}(webhook_.name) ^
               static_cast<std::uint64_t>(services.clock.Wall().time_since_epoch().count())) {
  // Its series exist from now on.
  for (const NotificationOutcome outcome : kAllNotificationOutcomes) Tally(outcome, 0);
  services_.metrics.pending.Set(0, {webhook_.name});
  services_.metrics.failing.Set(0, {webhook_.name});
  services_.metrics.last_success.Set(0, {webhook_.name});
}

void Delivery::Tally(NotificationOutcome outcome, std::size_t count) {
  services_.metrics.events.Increment(count, {webhook_.name, ToString(outcome)});
}

std::optional<MonoTime> Delivery::Step() {
  if (!ReadOn()) return services_.clock.Mono() + kStoreRetry;
  const MonoTime now = services_.clock.Mono();
  if (gone_) return std::nullopt;
  if (outbox_.empty()) {
    ForgetFailure();
    return KeepPlace();
  }
  if (now < not_before_) return not_before_;
  if (!current_ && !Choose(now)) return limiter_.NextToken(now);
  const Attempt attempt = Send(webhook_, current_->message, transport_, services_.clock);
  if (attempt.result == Attempt::Result::kCancelled) return std::nullopt;
  TakeAnswer(attempt);
  services_.metrics.pending.Set(outbox_.pending(), {webhook_.name});
  const MonoTime after = services_.clock.Mono();
  return outbox_.empty() ? after : std::max(not_before_, after);
}

bool Delivery::Busy(MonoTime until) const {
  return began_ && !outbox_.empty() && !gone_ && not_before_ <= until;
}

bool Delivery::ReadOn() {
  const auto found = outbox_.Fill();
  if (!found) {
    services_.log.Warn("notifications wait for the store",
                       {{"webhook", webhook_.name}, {"reason", ToString(found.error())}});
    return false;
  }
  if (!outbox_.loaded()) return false;
  if (!std::exchange(began_, true)) {
    record_ = outbox_.record();
    NotificationMetrics& metrics = services_.metrics;
    if (record_.delivered_at) {
      metrics.last_success.Set(*record_.delivered_at, {webhook_.name});
    }
    metrics.failing.Set(record_.failing_since.has_value(), {webhook_.name});
  }
  if (found->repeated > 0) Tally(NotificationOutcome::kRepeated, found->repeated);
  if (found->deleted > 0) {
    const auto count = static_cast<std::size_t>(found->deleted);
    Dropped(NotificationOutcome::kExpired, count,
            Count(count, "event") + " went untold: retention.events deleted them");
  }
  services_.metrics.pending.Set(outbox_.pending(), {webhook_.name});
  return true;
}

/// While there is enough of the limit left, each event is a message of its own. The last message
/// before the limit, and each that had to wait for it, tells all that waits.
bool Delivery::Choose(MonoTime now) {
  const double tokens = limiter_.Headroom(now) * std::max(webhook_.burst, 1);
  if (!limiter_.TryTake(now)) return false;
  const std::vector<Notice>& waiting = outbox_.waiting();
  const bool one_by_one = tokens >= 2 || static_cast<double>(waiting.size()) <= tokens;
  Join(one_by_one ? 1 : std::min(waiting.size(), most_joined_));
  return true;
}

void Delivery::Join(std::size_t count) {
  current_ = {Compose(webhook_.format, {outbox_.waiting().data(), count}, source_), count};
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
  const WallTime now = services_.clock.Wall();
  Tally(NotificationOutcome::kDelivered, current_->events);
  services_.metrics.last_success.Set(now, {webhook_.name});
  services_.metrics.failing.Set(0, {webhook_.name});
  if (record_.failing_since) {
    services_.log.Info("notifications are accepted again", {{"webhook", webhook_.name}});
  }
  outbox_.Done(current_->events);
  if (current_->events == most_joined_) most_joined_ = std::min(kMostJoined, 2 * most_joined_);
  current_.reset();
  failures_ = 0;
  refused_since_.reset();
  record_.delivered_at = now;
  record_.failing_since.reset();
  record_.failure.clear();
  Save();
}

void Delivery::Failed(const Attempt& attempt) {
  const MonoTime now = services_.clock.Mono();
  ++failures_;
  not_before_ = now + std::max(backoff_.AfterFailure(failures_), attempt.wait.value_or(seconds(0)));
  Tally(NotificationOutcome::kFailed, 1);
  services_.metrics.failing.Set(1, {webhook_.name});
  if (record_.failure != attempt.reason) {
    services_.log.Warn("a notification was not accepted; it is tried again",
                       {{"webhook", webhook_.name}, {"reason", attempt.reason}});
    if (!record_.failing_since) record_.failing_since = services_.clock.Wall();
    record_.failure = attempt.reason;
    Save();
  }
  if (!GiveUpRefused(attempt, now)) GiveUpOld(now);
}

void Delivery::Gone(const Attempt& attempt) {
  gone_ = true;
  Tally(NotificationOutcome::kFailed, 1);
  services_.metrics.failing.Set(1, {webhook_.name});
  if (!record_.failing_since) record_.failing_since = services_.clock.Wall();
  record_.failure = attempt.reason;
  const std::string what =
      "the receiver is gone (HTTP 410); nothing is sent until bindery starts or reloads";
  services_.log.Error(what, {{"webhook", webhook_.name}});
  Save({Warning("WebhookGone", what)});
}

bool Delivery::GiveUpRefused(const Attempt& attempt, MonoTime now) {
  if (attempt.result != Attempt::Result::kRefused) {
    refused_since_.reset();
    return false;
  }
  if (current_->events > 1) {
    JoinFewer();
    return false;
  }
  if (!refused_since_) refused_since_ = now;
  if (now - *refused_since_ < kRefusalPatience) return false;
  outbox_.Done(1);
  Dropped(NotificationOutcome::kGivenUp, 1,
          "1 event went untold: refused for " + FormatDuration(kRefusalPatience) + ", last with " +
              attempt.reason);
  return true;
}

/// The receiver may refuse a message because of one event in it, or because of its size.
void Delivery::JoinFewer() {
  most_joined_ = current_->events / 2;
  refused_since_.reset();
  Join(most_joined_);
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
  Dropped(NotificationOutcome::kGivenUp, dropped,
          Count(dropped, "event") + " went untold: not accepted within " +
              FormatDuration(webhook_.give_up_after) + ", last: " + record_.failure);
}

void Delivery::Dropped(NotificationOutcome outcome, std::size_t count, const std::string& why) {
  current_.reset();
  refused_since_.reset();
  outbox_.ForgetTold();
  Tally(outcome, count);
  services_.log.Error(why, {{"webhook", webhook_.name}});
  Save({Warning("NotificationsDropped", why)});
}

void Delivery::ForgetFailure() {
  failures_ = 0;
  if (!record_.failing_since) return;
  services_.metrics.failing.Set(0, {webhook_.name});
  record_.failing_since.reset();
  record_.failure.clear();
  Save();
}

std::optional<MonoTime> Delivery::KeepPlace() {
  const std::int64_t ahead = outbox_.cursor() - record_.cursor;
  if (ahead == 0) {
    place_due_.reset();
    return std::nullopt;
  }
  const MonoTime now = services_.clock.Mono();
  if (!place_due_) place_due_ = now + kPlacePause;
  if (ahead < kFarAhead && now < *place_due_) return place_due_;
  place_due_.reset();
  Save();
  return std::nullopt;
}

void Delivery::Stop() {
  if (began_ && outbox_.cursor() != record_.cursor) Save();
}

void Delivery::Save(std::vector<Event> events) {
  record_.cursor = outbox_.cursor();
  StoreChange change;
  change.webhook_progress = {record_};
  change.events = std::move(events);
  if (auto saved = services_.writer.Apply(std::move(change)); !saved) {
    services_.log.Warn("what was notified could not be put on record; it may be told again",
                       {{"webhook", webhook_.name}, {"reason", ToString(saved.error())}});
  }
}

Event Delivery::Warning(const std::string& reason, const std::string& what) const {
  return {services_.clock.Wall(),
          EventType::kWarning,
          reason,
          "",
          "",
          AboutWebhook(webhook_.name) + what,
          "bindery"};
}

}  // namespace bindery::notify
