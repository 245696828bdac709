#pragma once

#include <string>
#include <string_view>

#include "controller/acceptance_watch.h"
#include "controller/answer_doubts.h"
#include "controller/dropped_conditions.h"
#include "controller/engine_settings.h"
#include "controller/etag_trust.h"
#include "controller/oscillation_watch.h"
#include "controller/removal_control.h"
#include "controller/status_rules.h"
#include "controller/target_recorder.h"
#include "controller/time_watch.h"
#include "controller/work_schedule.h"
#include "store/change.h"

namespace bindery {

/// Takes a target through its work: it is read, judged, perhaps written, and recorded.
///
/// Invariants: work goes through its phases as MayMove allows (work_table.h), and ends by Release,
/// BeginAnew or Finish of the schedule. What was read goes on record before it is written over.
/// Belongs to the loop thread; what it is made of outlives it. Reads no clock: it is told the time.
class WorkFlow {
 public:
  /// What it is made of.
  struct Parts {
    Catalog& catalog;
    const EngineSettings& settings;
    EngineObserver& observer;
    Outbox& outbox;
    WorkSchedule& schedule;
    RemovalControl& removals;
    Rollbacks& rollbacks;
    OscillationWatch& oscillation;
    TimeWatch& time;
    AcceptanceWatch& acceptances;
    LastScan& last_scan;
  };
  explicit WorkFlow(const Parts& parts)
      : parts_(parts), recorder_(parts.catalog, parts.observer, parts.outbox) {}

  /// Takes over which answers others do not believe yet.
  void CopyFrom(const WorkFlow& other) {
    doubts_ = other.doubts_;
    dropped_ = other.dropped_;
  }

  /// Takes over what changed in the settings.
  void ApplySettings();
  /// Begins the work on a target that may be read.
  void Begin(const WorkSchedule::Next& next, const Now& now);
  /// The answer to a reading.
  void Checked(const TargetKey& key, CheckResult result, const Now& now);
  /// The pass was read in full, or long enough: its removals are judged as one.
  void JudgePass(const Now& now);
  /// Sends the writes that may go now.
  void SendWrites(const Now& now);
  /// What came of a write.
  void Written(const TargetKey& key, WriteResult result, const Now& now);
  /// What the rollback suspended is enforced again. Requires: there is one.
  void GiveUpRollback(const TargetKey& key, const Now& now);

 private:
  // work_flow.cc: up to the write
  void BeginTrace(const TargetKey& key, TargetUnderWork& work, CheckJob& job);
  [[nodiscard]] TargetEntry* FindWanted(const TargetKey& key);
  void NoteRead(TargetEntry& target, TargetUnderWork& work, const CheckResult& result,
                const Now& now);
  void Decide(const TargetKey& key, TargetUnderWork& work, const Now& now);
  void CarryOut(const TargetKey& key, TargetUnderWork& work, const Guard::Decision& decision,
                const Now& now);
  void Permit(const TargetKey& key, TargetUnderWork& work, const Now& now);
  void Send(const TargetKey& key, const TargetEntry& target, const Now& now);

  // work_flow_finish.cc: how it ends
  void FinishSkipped(const TargetKey& key, const Now& now);
  void FinishConfirmed(const TargetKey& key, const TargetUnderWork& work, TargetEntry& target,
                       const Now& now);
  void FinishUnchanged(const TargetKey& key, const Now& now);
  void FinishDoubtful(const TargetKey& key, const AnswerDoubts::Doubted& doubted, const Now& now);
  void FinishWritten(const TargetKey& key, WriteResult result, const Now& now);
  void FinishFailed(const TargetKey& key, const Error& failure, const Now& now);
  [[nodiscard]] Error NoteContest(TargetEntry& target, StoreChange& change, const Now& now);
  void SetStatuses(const TargetUnderWork& work, const Error* error, StoreChange& change,
                   const Now& now);
  void NoteForgotten(const TargetKey& key, StoreChange& change, const Now& now);
  void Report(const TargetUnderWork& work, WorkAction action, const Error* error,
              std::string message);

  Parts parts_;
  AnswerDoubts doubts_;
  DroppedConditions dropped_;
  EtagTrust etags_;
  TargetRecorder recorder_;
};

}  // namespace bindery
