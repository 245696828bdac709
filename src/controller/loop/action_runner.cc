#include "controller/loop/action_runner.h"

#include <boost/asio/post.hpp>
#include <memory>
#include <utility>

#include "telemetry/trace.h"

namespace bindery::controller {
namespace asio = boost::asio;
namespace {

/// Threads that wait for credentials, one for each sort of credentials if all are fetched at once:
/// further users of the same credentials wait two seconds at most. Calls wait on none of these
/// threads.
constexpr std::size_t kWaiters = 32;
/// Threads for comparisons, without waits.
constexpr std::size_t kComparers = 2;

}  // namespace

ActionRunner::ActionRunner(Parts parts, PolicyReader policies)
    : parts_(std::move(parts)),
      checked_(std::make_shared<Mailbox<CheckRunner::Finished>>([this] { WakeForFinished(); })),
      written_(std::make_shared<Mailbox<WriteRunner::Finished>>([this] { WakeForFinished(); })),
      threads_{std::make_shared<WorkPool>(kWaiters), std::make_shared<WorkPool>(kComparers)},
      checks_(threads_, checked_, std::move(policies)),
      writes_(threads_, parts_.store, written_) {}

void ActionRunner::Run(Engine::Actions actions) {
  for (store::StoreChange& change : actions.changes) Submit(std::move(change));
  for (auto& reply : actions.replies) reply();
  for (ProjectQuestion& asked : actions.questions) Ask(std::move(asked));
  if (!actions.lent.empty() && parts_.lend) parts_.lend(std::move(actions.lent));
  for (Engine::CheckTask& task : actions.checks) {
    checks_.Start(std::move(task.key), std::move(task.job));
  }
  for (Engine::WriteTask& task : actions.writes) {
    writes_.Start(std::move(task.key), std::move(task.job));
  }
}

void ActionRunner::Submit(store::StoreChange change) {
  parts_.store.Submit(std::move(change), [this](const Expected<void>& stored) {
    if (stored) return;
    asio::post(parts_.io, [this, error = stored.error()] {
      parts_.engine.scans().OnStoreWriteFailed(Time());
      parts_.observer.StoreFailed(error);
      parts_.turn();
    });
  });
}

void ActionRunner::Ask(ProjectQuestion asked) {
  const auto question = asked.question;
  AskForProject(threads_, std::move(asked), [this, question](auto answer) {
    asio::post(parts_.io,
               [this, question, answer = std::move(answer), trace = telemetry::CurrentTrace()] {
                 {
                   const telemetry::TraceScope scope(trace);
                   parts_.engine.scans().Identified(question, answer, Time());
                 }
                 parts_.turn();
               });
  });
}

void ActionRunner::Retain(WallTime before, std::size_t revisions) {
  asio::post(*threads_.blocking, [this, before, revisions] {
    if (Expected<void> done = parts_.store.Retain(before, revisions); !done) {
      asio::post(parts_.io, [this, error = done.error()] { parts_.observer.StoreFailed(error); });
    }
  });
}

void ActionRunner::Flush() {
  if (Expected<void> flushed = parts_.store.Flush(); !flushed) {
    parts_.observer.StoreFailed(flushed.error());
  }
}

void ActionRunner::Join() {
  threads_.blocking->join();
  threads_.comparing->join();
}

/// From any thread. However much is finished until the loop turns, it turns once.
void ActionRunner::WakeForFinished() {
  asio::post(parts_.io, [this] { TakeFinished(); });
}

void ActionRunner::TakeFinished() {
  const Now now = Time();
  for (CheckRunner::Finished& check : checked_->TakeAll()) {
    parts_.engine.flow().Checked(check.key, std::move(check.result), now);
  }
  for (WriteRunner::Finished& write : written_->TakeAll()) {
    parts_.engine.flow().Written(write.key, std::move(write.result), now);
  }
  parts_.turn();
}

}  // namespace bindery::controller
