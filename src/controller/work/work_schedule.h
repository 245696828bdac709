#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "controller/clock/now.h"
#include "controller/gates/work_queue.h"
#include "core/base/error.h"

namespace bindery::controller {

class Catalog;
class CloudCalls;
class EngineObserver;
class Guard;
class Outbox;
class PassBarrier;
class RecheckSchedule;
class Requesters;
class Rollbacks;
class WorkTable;
struct TargetEntry;
struct TargetUnderWork;
struct WorkAnswer;

/// Decides the next target to work on, and keeps the target taken until its work is over.
///
/// Invariants: there is work on a target exactly while the queue has it taken, but for what MayRead
/// puts aside. The request of a target while its work was under way is answered by the work after
/// it. Belongs to the loop thread; all arguments outlive the object. Reads no clock: callers pass
/// the time.
class WorkSchedule {
 public:
  /// The parts of the object.
  struct Parts {
    Catalog& catalog;
    EngineObserver& observer;
    Outbox& outbox;
    Guard& guard;
    PassBarrier& pass;
    Rollbacks& rollbacks;
  };
  WorkSchedule(const Parts& parts, std::uint64_t seed);
  ~WorkSchedule();
  WorkSchedule(const WorkSchedule&) = delete;
  WorkSchedule& operator=(const WorkSchedule&) = delete;

  /// A target becomes due, or stays so with the higher priority.
  void Enqueue(const TargetKey& key, Priority priority, MonoTime due);
  /// It is due now, and the same answer as before is compared again. There need not be such a
  /// target.
  void CheckAnew(const TargetKey& key, const Now& now);
  /// Nothing is to be done about it any more.
  void Drop(const TargetKey& key);

  /// The next target that may be read now, already taken; nothing when none may.
  struct Next {
    WorkQueue::Taken taken;
    const TargetEntry* target = nullptr;
  };
  [[nodiscard]] std::optional<Next> TakeNext(const Now& now);
  /// Ends the work on a target; there need not be any.
  void Release(const TargetKey& key);
  /// The same, and the target is due again.
  void BeginAnew(const TargetKey& key, const Now& now);
  /// The same; when the target is due again depends on what the work came to. `error`: null when it
  /// succeeded.
  void Finish(const TargetKey& key, const Error* error, const Now& now);
  /// The work was begun for a declaration or for settings that are no more.
  [[nodiscard]] bool IsOutdated(const TargetKey& key, const TargetUnderWork& work) const;
  /// Answers the requesters of the finished work.
  void Answer(const TargetKey& key, const WorkAnswer& answer);
  /// A call came to an end. Returns the provider that was called; empty: no call was under way.
  std::string EndCall(const TargetKey& key, const Error* error, int readings, const Now& now);

  [[nodiscard]] WorkQueue& queue() { return queue_; }
  [[nodiscard]] const WorkQueue& queue() const { return queue_; }
  [[nodiscard]] WorkTable& work() { return *work_; }
  [[nodiscard]] const WorkTable& work() const { return *work_; }
  [[nodiscard]] CloudCalls& calls() { return *calls_; }
  [[nodiscard]] const CloudCalls& calls() const { return *calls_; }
  [[nodiscard]] RecheckSchedule& recheck() { return *recheck_; }
  [[nodiscard]] Requesters& requesters() { return *requesters_; }
  [[nodiscard]] const Requesters& requesters() const { return *requesters_; }

 private:
  [[nodiscard]] bool MayTakeUp(const WorkQueue::Taken& taken, const TargetEntry& target,
                               const Now& now);
  [[nodiscard]] bool NeedsNoCall(const TargetEntry& target) const;

  Parts parts_;
  WorkQueue queue_;
  // By pointer, so that the many sources with a schedule compile without these types.
  const std::unique_ptr<WorkTable> work_;
  const std::unique_ptr<CloudCalls> calls_;
  const std::unique_ptr<RecheckSchedule> recheck_;
  const std::unique_ptr<Requesters> requesters_;
};

/// Targets that are due and wait at the priority, by kind.
[[nodiscard]] std::map<std::string, std::size_t> CountDue(const WorkSchedule& schedule,
                                                          Priority priority, MonoTime now);

}  // namespace bindery::controller
