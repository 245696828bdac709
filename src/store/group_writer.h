#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "store/ports/store_health.h"
#include "store/sql/connection.h"
#include "store/tables/foresight.h"

namespace bindery::store {

/// Writes by one thread that commits all waiting work in one transaction: during the disk sync of a
/// commit, the next group gathers. Failing work is undone alone: the remaining work is then carried
/// out once more. All functions may be called from any thread.
class GroupWriter {
 public:
  /// May run twice; the effects of the first run are undone then.
  using Work = std::function<Expected<void>(Connection&)>;
  using Done = std::function<void(Expected<void>)>;
  /// Notes the look-ups of the work. Without this function the work makes each look-up on its own.
  using Foresee = std::function<void(Foresight&)>;

  /// Most pieces of work in one transaction: bounds how long the first of them waits.
  static constexpr std::size_t kLargestGroup = 512;

  /// Asked after each commit, on the writer thread, whether it is durable where it belongs.
  using Confirm = std::function<Expected<void>()>;

  explicit GroupWriter(std::unique_ptr<Connection> connection, Confirm confirm = {});

  ~GroupWriter() { Stop(); }
  GroupWriter(const GroupWriter&) = delete;
  GroupWriter& operator=(const GroupWriter&) = delete;

  /// Queues `work`; `done` is called on the writer thread once it is durable or has failed. It must
  /// be quick and must not wait for the writer.
  void Submit(Work work, Done done, Foresee foresee = nullptr);

  /// Queues `work` and waits for its end. Not to be called on the writer thread.
  Expected<void> Run(Work work, Foresee foresee = nullptr);

  /// Waits until everything queued before is durable.
  Expected<void> Flush();

  void OnCommit(StoreHealth::CommitObserver observer);

  /// Goes up with each transaction that changes what Connection::NoteContent() speaks of, before
  /// anybody is told that it is durable.
  [[nodiscard]] std::uint64_t content_version() const { return content_version_; }

  /// Carries out what waits, then ends the thread. Nothing may be submitted from then on. Not to be
  /// called by two threads at once.
  void Stop();

 private:
  struct Job {
    Work work;  ///< None for a mere Flush().
    Done done;
    Foresee foresee;
  };

  void Push(Job job);
  void Loop();
  void LookAhead(const std::deque<Job>& group);
  [[nodiscard]] std::deque<Job> TakeGroup();
  void Carry(std::deque<Job> group);
  [[nodiscard]] Expected<void> Commit(const std::deque<Job>& group,
                                      std::vector<Expected<void>>& results);
  [[nodiscard]] Expected<void> CommitTheOthers(const std::deque<Job>& group,
                                               std::vector<Expected<void>>& results);
  [[nodiscard]] Expected<void> InOneTransaction(const std::function<Expected<void>()>& write);
  [[nodiscard]] Expected<void> RunInSavepoint(const Work& work);
  void Observe(std::chrono::nanoseconds duration, std::size_t changes);

  // Used by the writer thread alone.
  const std::unique_ptr<Connection> connection_;
  const Confirm confirm_;
  std::size_t last_group_ = 0;

  std::atomic<std::uint64_t> content_version_ = 0;
  Mutex mutex_;
  CondVar waiting_changed_;
  std::deque<Job> waiting_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  StoreHealth::CommitObserver observer_ GUARDED_BY(mutex_);

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace bindery::store
