#include "app/replicas/request_relay.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "core/text/random_id.h"

namespace bindery::app {
namespace {

/// How often the answers are looked for while somebody waits for one.
constexpr std::chrono::milliseconds kAnswerLook(100);

constexpr const char* kUnknown =
    "the replica at work took this request, and ended before it answered: look whether it was done";

}  // namespace

RequestRelay::RequestRelay(std::unique_ptr<store::RequestOutbox> outbox, const Clock& clock)
    : outbox_(std::move(outbox)), clock_(clock), worker_([this] { Work(); }) {}

void RequestRelay::Ask(const ForwardedCall& call, std::string actor, server::Control::Reply reply) {
  Expected<Json> refusal =
      Fail(Code::kUnavailable, "this replica takes over or ends: nothing was done, ask again");
  {
    const MutexLock lock(mutex_);
    if (!ending_ && waiting_ < kMostWaiting) {
      ++waiting_;
      new_.push_back({{RandomId(), call.text(), std::move(actor)}, std::move(reply)});
      changed_.NotifyAll();
      return;
    }
    if (!ending_)
      refusal = Fail(Code::kResourceExhausted, "too many requests wait: ask again later");
  }
  reply(refusal);
}

void RequestRelay::Finish() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  changed_.NotifyAll();
  if (worker_.joinable()) worker_.join();
}

void RequestRelay::Work() {
  while (TakeNew()) {
    const auto over = std::remove_if(pending_.begin(), pending_.end(),
                                     [this](Pending& each) { return IsOver(each); });
    pending_.erase(over, pending_.end());
  }
  bool reachable = true;
  for (Pending& each : pending_) {
    bool withdrawn = !each.asked;
    if (each.asked && reachable) {
      const auto done = outbox_->Withdraw(each.request.id);
      reachable = done.has_value();
      withdrawn = done && *done;
    }
    GiveUp(each, "this replica takes over or ends", withdrawn);
  }
  pending_.clear();
}

bool RequestRelay::TakeNew() {
  const MutexLock lock(mutex_);
  const auto due = [this]() REQUIRES(mutex_) { return ending_ || !new_.empty(); };
  if (pending_.empty()) {
    changed_.Wait(mutex_, due);
  } else {
    changed_.WaitFor(mutex_, kAnswerLook, due);
  }
  std::move(new_.begin(), new_.end(), std::back_inserter(pending_));
  new_.clear();
  return !ending_;
}

bool RequestRelay::IsOver(Pending& pending) {
  using State = store::RequestProgress::State;
  if (!pending.asked) {
    if (const auto asked = outbox_->Ask(pending.request); !asked) {
      const char* const context = "the request could not be recorded, look before you ask again";
      Reply(pending, Fail(asked.error().Wrap(context)));
      return true;
    }
    pending.asked = true;
    pending.since = clock_.Mono();
  }
  const bool late = clock_.Mono() - pending.since > kLongestUntaken;
  const auto progress = outbox_->Progress(pending.request.id);
  if (!progress) {
    if (late) GiveUp(pending, progress.error().message, /*withdrawn=*/false);
    return late;
  }
  switch (progress->state) {
    case State::kAnswered:
      Reply(pending, AnswerOfText(progress->answer));
      return true;
    case State::kLeft:
    case State::kGone:
      Reply(pending, Fail(Code::kUnavailable, kUnknown));
      return true;
    case State::kWaits:
      return late && IsWithdrawn(pending);
    case State::kTaken:
      break;
  }
  return false;
}

void RequestRelay::Reply(const Pending& pending, const Expected<Json>& answer) {
  {
    const MutexLock lock(mutex_);
    --waiting_;
  }
  pending.reply(answer);
}

bool RequestRelay::IsWithdrawn(Pending& pending) {
  const auto withdrawn = outbox_->Withdraw(pending.request.id);
  // It was taken in the last moment, or the database is away: the next look tells.
  if (!withdrawn || !*withdrawn) return false;
  GiveUp(pending, "no replica is at work", /*withdrawn=*/true);
  return true;
}

void RequestRelay::GiveUp(const Pending& pending, const std::string& why, bool withdrawn) {
  Reply(pending, Fail(Code::kUnavailable,
                      why + (withdrawn ? ": nothing was done, ask again"
                                       : ": whether it was done is not known, look before you ask "
                                         "again")));
}

}  // namespace bindery::app
