#include "app/replicas/request_desk.h"

#include <chrono>
#include <iterator>
#include <utility>

#include "app/replicas/forwarded_calls.h"

namespace bindery::app {
namespace {

constexpr std::chrono::seconds kLookEvery(1);

}  // namespace

RequestDesk::RequestDesk(std::unique_ptr<store::RequestInbox> inbox, server::Control& control,
                         telemetry::Logger& log)
    : inbox_(std::move(inbox)), control_(control), log_(log), worker_([this] { Work(); }) {}

RequestDesk::~RequestDesk() {
  {
    const MutexLock lock(answers_->mutex);
    answers_->ending = true;
  }
  answers_->changed.NotifyAll();
  worker_.join();
}

void RequestDesk::Work() {
  while (AwaitAnswers()) {
    SendAnswers();
    TakeRequests();
  }
  SendAnswers();
}

bool RequestDesk::AwaitAnswers() {
  const MutexLock lock(answers_->mutex);
  answers_->changed.WaitFor(answers_->mutex, kLookEvery, [this]() REQUIRES(answers_->mutex) {
    return answers_->ending || !answers_->fresh.empty();
  });
  std::move(answers_->fresh.begin(), answers_->fresh.end(), std::back_inserter(unsent_));
  answers_->fresh.clear();
  return !answers_->ending;
}

/// An answer that is not written stays for the next time: the database may be away.
void RequestDesk::SendAnswers() {
  while (!unsent_.empty()) {
    const Answer& answer = unsent_.front();
    const auto sent = inbox_->Answer(answer.id, answer.text);
    if (!sent && sent.error().code == Code::kUnavailable) return;
    if (!sent) {
      log_.Warn("the answer to another replica is lost", {{"reason", sent.error().message}});
    }
    unsent_.pop_front();
  }
}

void RequestDesk::TakeRequests() {
  const auto taken = inbox_->Take();
  // The watcher of the store reports an unreachable database.
  if (!taken) return;
  for (const store::RequestRecord& request : *taken) {
    log_.Info("change requested of another replica", {{"actor", request.actor}});
    CarryOut(request.text, request.actor, control_,
             [answers = answers_, id = request.id](const Expected<Json>& result) {
               const MutexLock lock(answers->mutex);
               answers->fresh.push_back({id, TextOfAnswer(result)});
               answers->changed.NotifyAll();
             });
  }
}

}  // namespace bindery::app
