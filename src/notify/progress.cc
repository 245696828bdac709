#include "notify/progress.h"

#include <utility>

#include "notify/outbox.h"

namespace bindery::notify {
namespace {

constexpr std::chrono::hours kPlacePause(1);
constexpr std::int64_t kFarAhead = 1'000;

}  // namespace

Progress::Progress(std::string webhook, const Services& services)
    : webhook_(std::move(webhook)), services_(services) {
  services_.metrics.failing.Set(0, {webhook_});
  services_.metrics.last_success.Set(0, {webhook_});
}

void Progress::Begin(const store::WebhookRecord& record) {
  if (std::exchange(begun_, true)) return;
  record_ = record;
  if (record_.delivered_at) services_.metrics.last_success.Set(*record_.delivered_at, {webhook_});
  services_.metrics.failing.Set(record_.failing_since.has_value(), {webhook_});
}

void Progress::Accepted(std::int64_t cursor) {
  const WallTime now = services_.clock.Wall();
  services_.metrics.last_success.Set(now, {webhook_});
  if (record_.failing_since) {
    services_.log.Info("notifications are accepted again", {{"webhook", webhook_}});
  }
  record_.delivered_at = now;
  ClearFailure();
  Save(cursor);
}

void Progress::Failed(const std::string& reason, std::int64_t cursor) {
  services_.metrics.failing.Set(1, {webhook_});
  if (record_.failure == reason) return;
  services_.log.Warn("a notification was not accepted; it is tried again",
                     {{"webhook", webhook_}, {"reason", reason}});
  NoteFailure(reason);
  Save(cursor);
}

void Progress::Gone(const std::string& reason, std::int64_t cursor) {
  services_.metrics.failing.Set(1, {webhook_});
  NoteFailure(reason);
  Report("WebhookGone",
         "the receiver is gone (HTTP 410); nothing is sent until bindery starts or reloads",
         cursor);
}

void Progress::ForgetFailure(std::int64_t cursor) {
  if (!record_.failing_since) return;
  ClearFailure();
  Save(cursor);
}

void Progress::NoteFailure(const std::string& reason) {
  if (!record_.failing_since) record_.failing_since = services_.clock.Wall();
  record_.failure = reason;
}

void Progress::ClearFailure() {
  services_.metrics.failing.Set(0, {webhook_});
  record_.failing_since.reset();
  record_.failure.clear();
}

void Progress::Report(const std::string& reason, const std::string& what, std::int64_t cursor) {
  services_.log.Error(what, {{"webhook", webhook_}});
  Save(cursor, {{services_.clock.Wall(), EventType::kWarning, reason, "", "",
                 AboutWebhook(webhook_) + what, "bindery"}});
}

std::optional<MonoTime> Progress::Idle(std::int64_t cursor) {
  const std::int64_t ahead = cursor - record_.cursor;
  if (ahead == 0) {
    save_due_.reset();
    return std::nullopt;
  }
  const MonoTime now = services_.clock.Mono();
  if (!save_due_) save_due_ = now + kPlacePause;
  if (ahead < kFarAhead && now < *save_due_) return save_due_;
  save_due_.reset();
  Save(cursor);
  return std::nullopt;
}

void Progress::Stop(std::int64_t cursor) {
  if (begun_ && cursor != record_.cursor) Save(cursor);
}

void Progress::Save(std::int64_t cursor, std::vector<Event> events) {
  record_.cursor = cursor;
  store::StoreChange change;
  change.webhook_progress = {record_};
  change.events = std::move(events);
  if (auto saved = services_.writer.Apply(std::move(change)); !saved) {
    services_.log.Warn("what was notified could not be put on record; it may be told again",
                       {{"webhook", webhook_}, {"reason", ToString(saved.error())}});
  }
}

}  // namespace bindery::notify
