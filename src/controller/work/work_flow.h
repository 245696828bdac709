#pragma once

#include "controller/work/lending.h"
#include "controller/work/target_recorder.h"
#include "controller/work/work_ending.h"
#include "controller/work/work_parts.h"

namespace bindery::controller {

/// Takes a target through its work: read, judge, perhaps write, and record. WorkEnding ends the
/// work.
///
/// Invariants: work goes through its phases as MayMove allows (work_table.h), and ends by Release
/// or BeginAnew of the schedule, or by WorkEnding. What was read goes on record before it is
/// written over. Belongs to the loop thread; all arguments outlive the object. Reads no clock:
/// callers pass the time.
class WorkFlow {
 public:
  explicit WorkFlow(const WorkParts& parts)
      : parts_(parts),
        lending_({parts.catalog, parts.observer, parts.outbox, parts.schedule}),
        recorder_(parts.catalog, parts.observer, parts.outbox),
        ending_(parts, memory_, recorder_) {}
  ~WorkFlow() = default;
  WorkFlow(const WorkFlow&) = delete;
  WorkFlow& operator=(const WorkFlow&) = delete;

  /// Takes over the unconfirmed answers of `other`, and the refusals of services.
  void CopyFrom(const WorkFlow& other) {
    memory_.doubts = other.memory_.doubts;
    memory_.dropped = other.memory_.dropped;
    memory_.refused.CopyFrom(other.memory_.refused);
  }

  /// Takes over changed settings.
  void ApplySettings();
  /// Begins the work on a target that may be read, or has a standby read the target.
  void Begin(const WorkSchedule::Next& next, const Now& now);
  /// The answer to a reading.
  void Checked(const TargetKey& key, CheckResult result, const Now& now);
  /// The pass was read in full, or long enough: its removals are judged as a whole.
  void JudgePass(const Now& now);
  /// Sends the writes that may go now.
  void SendWrites(const Now& now);
  /// The result of a write.
  void Written(const TargetKey& key, WriteResult result, const Now& now);

  /// Checks by standbys.
  [[nodiscard]] Lending& lending() { return lending_; }
  /// How the work on a target ends.
  [[nodiscard]] WorkEnding& ending() { return ending_; }

 private:
  void NoteDropped(const TargetKey& key, TargetUnderWork& work,
                   std::vector<store::ConditionalGrant> too_wide, std::vector<Grant> take_back);
  void BeginTrace(const TargetKey& key, TargetUnderWork& work, CheckJob& job);
  [[nodiscard]] TargetEntry* FindWanted(const TargetKey& key);
  void HearTime(const Now& now);
  void NoteRead(TargetEntry& target, TargetUnderWork& work, const CheckResult& result,
                const Now& now);
  [[nodiscard]] bool IsDoubted(const TargetEntry& target, const CheckResult& result,
                               const Now& now);
  void Decide(const TargetKey& key, TargetUnderWork& work, const Now& now);
  void CarryOut(const TargetKey& key, TargetUnderWork& work, const Guard::Decision& decision,
                const Now& now);
  void Permit(const TargetKey& key, TargetUnderWork& work, const Now& now);
  void Send(const TargetKey& key, const TargetEntry& target, const Now& now);

  WorkParts parts_;
  WorkMemory memory_;
  Lending lending_;
  TargetRecorder recorder_;
  WorkEnding ending_;  ///< Refers to both.
};

}  // namespace bindery::controller
