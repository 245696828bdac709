#include "store/group_writer.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <utility>

#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

constexpr const char* kDoing = "write the store";

/// During many writes, all changes of so short a time share one sync of the disk.
constexpr std::chrono::milliseconds kGathering(4);
constexpr std::size_t kMuch = 16;

/// Does `work`, and notes a lock held by a different process.
template <typename F>
auto NotingLocks(bool& blocked, const F& work) {
  try {
    return work();
  } catch (const EngineError& error) {
    blocked = error.cause() == EngineError::Cause::kBlocked;
    throw;
  }
}

/// SQLite undoes a whole transaction by itself when the disk is full or fails.
Expected<void> LostTransaction(const Expected<void>& last) {
  if (!last) return last;
  return Fail(Code::kInternal, "write the store: the transaction ended before its time");
}

}  // namespace

GroupWriter::GroupWriter(std::unique_ptr<Connection> connection, Confirm confirm)
    : connection_(std::move(connection)),
      confirm_(std::move(confirm)),
      thread_([this] { Loop(); }) {}

void GroupWriter::Stop() {
  if (!thread_.joinable()) return;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  waiting_changed_.NotifyOne();
  thread_.join();
}

void GroupWriter::Submit(Work work, Done done, Foresee foresee) {
  Push(Job{std::move(work), std::move(done), std::move(foresee)});
}

Expected<void> GroupWriter::Run(Work work, Foresee foresee) {
  std::promise<Expected<void>> promise;
  Submit(
      std::move(work), [&promise](Expected<void> result) { promise.set_value(std::move(result)); },
      std::move(foresee));
  return promise.get_future().get();
}

Expected<void> GroupWriter::Flush() { return Run(nullptr); }

void GroupWriter::OnCommit(StoreHealth::CommitObserver observer) {
  const MutexLock lock(mutex_);
  observer_ = std::move(observer);
}

void GroupWriter::Push(Job job) {
  {
    const MutexLock lock(mutex_);
    waiting_.push_back(std::move(job));
  }
  waiting_changed_.NotifyOne();
}

void GroupWriter::Loop() {
  for (std::deque<Job> group = TakeGroup(); !group.empty(); group = TakeGroup()) {
    last_group_ = group.size();
    Carry(std::move(group));
  }
}

/// Waits for work; gives none once the writer stops and nothing is left.
std::deque<GroupWriter::Job> GroupWriter::TakeGroup() {
  const MutexLock lock(mutex_);
  waiting_changed_.Wait(mutex_,
                        [this]() REQUIRES(mutex_) { return stopping_ || !waiting_.empty(); });
  if (last_group_ >= kMuch && waiting_.size() < kLargestGroup && !stopping_) {
    const MutexRelease released(mutex_);
    std::this_thread::sleep_for(kGathering);
  }
  std::deque<Job> group;
  if (waiting_.size() <= kLargestGroup) {
    group.swap(waiting_);
    return group;
  }
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(kLargestGroup);
  std::move(waiting_.begin(), end, std::back_inserter(group));
  waiting_.erase(waiting_.begin(), end);
  return group;
}

void GroupWriter::Carry(std::deque<Job> group) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Expected<void>> results;
  results.reserve(group.size());
  const Expected<void> committed = Commit(group, results);
  if (!committed) results.assign(group.size(), committed);

  std::size_t changes = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i].work && results[i]) ++changes;
  }
  // The observer first: a caller that waits for a change may then rely on the count.
  if (changes > 0) Observe(std::chrono::steady_clock::now() - start, changes);
  for (std::size_t i = 0; i < group.size(); ++i) group[i].done(std::move(results[i]));
}

/// Fails when the whole group does; what single pieces of work say is in `results`.
Expected<void> GroupWriter::Commit(const std::deque<Job>& group,
                                   std::vector<Expected<void>>& results) {
  const auto has_work = [](const Job& job) { return static_cast<bool>(job.work); };
  if (std::none_of(group.begin(), group.end(), has_work)) {
    results.assign(group.size(), {});
    return {};
  }
  bool one_failed = false;
  // Each of the others would wait for the lock as long, in sequence.
  bool blocked = false;
  auto committed = InOneTransaction([&]() -> Expected<void> {
    LookAhead(group);
    for (const Job& job : group) {
      if (!job.work) continue;
      if (!job.foresee) connection_->ForgetForeseen();
      auto done = Attempt(
          kDoing, [&] { return NotingLocks(blocked, [&] { return job.work(*connection_); }); });
      one_failed = !done;
      if (one_failed) return done;
    }
    auto settled =
        Attempt(kDoing, [&] { NotingLocks(blocked, [this] { connection_->Settle(); }); });
    one_failed = !settled && connection_->InTransaction();
    return settled;
  });
  if (committed) results.assign(group.size(), {});
  return one_failed && !blocked ? CommitTheOthers(group, results) : committed;
}

void GroupWriter::LookAhead(const std::deque<Job>& group) {
  if (!connection_->IsRemote()) return;
  Foresight foresight;
  for (const Job& job : group) {
    if (job.foresee) job.foresee(foresight);
  }
  foresight.Load(*connection_);
}

/// A savepoint costs as much as many a change: they are made only when one has to be undone alone.
Expected<void> GroupWriter::CommitTheOthers(const std::deque<Job>& group,
                                            std::vector<Expected<void>>& results) {
  return InOneTransaction([&]() -> Expected<void> {
    for (const Job& job : group) {
      results.push_back(job.work ? RunInSavepoint(job.work) : Expected<void>{});
      if (!connection_->InTransaction()) return LostTransaction(results.back());
    }
    return {};
  });
}

Expected<void> GroupWriter::InOneTransaction(const std::function<Expected<void>()>& write) {
  auto committed = Attempt(kDoing, [&]() -> Expected<void> {
    connection_->BeginWrite();
    if (auto written = write(); !written) return written;
    connection_->Commit();
    return {};
  });
  // Also where it failed: what became of a transaction may not be known.
  if (connection_->TakeContentChange()) ++content_version_;
  connection_->ForgetForeseen();
  if (committed) return confirm_ ? confirm_() : committed;
  connection_->Rollback();
  connection_->ForgetIds();
  return committed;
}

Expected<void> GroupWriter::RunInSavepoint(const Work& work) {
  connection_->ForgetForeseen();
  connection_->Savepoint();
  auto done = Attempt(kDoing, [&]() -> Expected<void> {
    if (auto failed = work(*connection_); !failed) return failed;
    connection_->Settle();
    return {};
  });
  if (!connection_->InTransaction()) return done;
  if (!done) {
    connection_->RollbackToSavepoint();
    connection_->ForgetIds();
  }
  connection_->ReleaseSavepoint();
  return done;
}

void GroupWriter::Observe(std::chrono::nanoseconds duration, std::size_t changes) {
  StoreHealth::CommitObserver observer;
  {
    const MutexLock lock(mutex_);
    observer = observer_;
  }
  if (observer) observer(duration, changes);
}

}  // namespace bindery::store
