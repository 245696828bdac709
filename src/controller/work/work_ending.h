#pragma once

#include <string>

#include "controller/work/status_rules.h"
#include "controller/work/target_recorder.h"
#include "controller/work/work_parts.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// Ends the work on a target: statuses, resources, answers to requesters, and the next due
/// time.
///
/// Requires: work on the target is under way, and the target is there. Invariant: each Finish
/// records what the work came to, and ends it in the schedule: references to the work are not valid
/// after that, nor those to the target, which may go with the last of its resources. Belongs to the
/// loop thread; all arguments outlive the object. Reads no clock: callers pass the time.
class WorkEnding {
 public:
  WorkEnding(const WorkParts& parts, WorkMemory& memory, TargetRecorder& recorder)
      : parts_(parts), memory_(memory), recorder_(recorder) {}

  /// No call was made, because the target is suspended or waits.
  void FinishSkipped(const TargetKey& key, const Now& now);
  /// The same answer as when all was found as declared.
  void FinishConfirmed(const TargetKey& key, const TargetUnderWork& work, TargetEntry& target,
                       const Now& now);
  /// The target was read and judged, and no write follows or none is allowed.
  void FinishUnchanged(const TargetKey& key, const Now& now);
  /// The answer is not believed: it is read again.
  void FinishDoubtful(const TargetKey& key, const AnswerDoubts::Doubted& doubted, const Now& now);
  /// A write was answered.
  void FinishWritten(const TargetKey& key, WriteResult result, const Now& now);
  void FinishFailed(const TargetKey& key, const Error& failure, const Now& now);

  /// The resources that the rollback suspended are enforced again. Requires: a rollback exists.
  /// Work may be under way or not.
  void GiveUpRollback(const TargetKey& key, const Now& now);

 private:
  void Finish(const TargetKey& key, const Error* error, const Now& now);
  void AnswerWritten(const TargetKey& key, bool held, const Error* contest,
                     const std::string& counts);
  void FinishUnwritten(const TargetKey& key, TargetUnderWork& work, const WriteResult& result,
                       const Now& now);
  void NoteStored(TargetEntry& target, const TargetUnderWork& work, const WriteResult& result,
                  store::StoreChange& change, const Now& now);
  [[nodiscard]] bool TakesBack(const TargetKey& key, TargetUnderWork& work,
                               const WriteResult& result, const Now& now);
  [[nodiscard]] Error NoteContest(TargetEntry& target, store::StoreChange& change, const Now& now);
  void SetStatuses(const TargetUnderWork& work, const Error* error, store::StoreChange& change,
                   const Now& now);
  void Forget(const TargetKey& key, const TargetUnderWork& work, bool judged,
              store::StoreChange& change, const Now& now);
  void Report(const TargetUnderWork& work, WorkAction action, const Error* error,
              std::string message);

  WorkParts parts_;
  WorkMemory& memory_;
  TargetRecorder& recorder_;
};

}  // namespace bindery::controller
