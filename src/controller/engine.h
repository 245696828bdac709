#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cloud/service_dates.h"
#include "controller/backoff.h"
#include "controller/call_gate.h"
#include "controller/catalog.h"
#include "controller/clock_witness.h"
#include "controller/engine_actions.h"
#include "controller/engine_observer.h"
#include "controller/engine_settings.h"
#include "controller/engine_work.h"
#include "controller/guard.h"
#include "controller/oscillation.h"
#include "controller/recheck_plan.h"
#include "controller/target_work.h"
#include "controller/work_queue.h"

namespace bindery {

/// The controller without threads, sockets and clocks: it is told what happened and when, and
/// answers what to do. Belongs to the loop thread.
///
/// One target goes through: waiting → checking (a read) → [parked until its pass can be judged] →
/// [writing] → waiting for its next check. Never two of these at once.
class Engine {
 public:
  using CheckTask = EngineActions::CheckTask;
  using WriteTask = EngineActions::WriteTask;
  using Actions = EngineActions;
  using Connections = std::map<std::string, std::shared_ptr<const Connection>>;
  using Dates = std::map<std::string, std::shared_ptr<ServiceDates>>;

  Engine(const Kinds& kinds, EngineObserver& observer, std::uint64_t seed);

  /// They may be called again when the configuration was reloaded.
  void SetSettings(const EngineSettings& settings);
  void SetConnections(Connections connections);
  /// What the services of each provider say of the time.
  void SetDates(Dates dates) { dates_ = std::move(dates); }

  /// What the last run left besides what the catalog has loaded by now; every known target becomes
  /// due. Nothing is taken up before the first
  /// scan, or a few seconds when none comes: what is known may be outdated.
  void Start(const StoredState& stored, const Now& now);

  /// A consistent scan. Returns what it changed; the store change is among the next actions.
  struct Scanned {
    bool confirm = false;  ///< Scan once more soon: manifests are missing.
    std::vector<Problem> conflicts;
    std::vector<std::string> previews;
    std::size_t changed_targets = 0;
  };
  Scanned Scan(const ScanInput& scan, const Now& now);

  /// A scan that found everything as it was in force tells what to know of the files.
  void Remember(const ScanInput& scan, const Now& now);

  /// A scan failed, or found the directory changing (`why` is empty then): removals that wait for
  /// it to settle go on waiting.
  void ScanFailed(const std::string& why, const Now& now);

  /// Removals that wait for better evidence, for people and metrics.
  struct Withheld {
    std::size_t pending = 0;  ///< Targets whose removals wait for the directory to settle.
    std::size_t blocked = 0;  ///< Targets whose removals wait for a person.
    std::string why;          ///< Of one of them.
  };
  [[nodiscard]] Withheld WithheldNow() const;
  /// When a look at the directory could let a removal go that waits; nothing: none does.
  [[nodiscard]] std::optional<MonoTime> NextLook(const Now& now) const;
  /// From now on what these resources do not declare any more is removed without waiting for the
  /// directory to settle. kNotFound: unknown name.
  [[nodiscard]] Expected<void> MakeUrgent(const std::vector<std::string>& names,
                                          const std::string& actor, const Now& now);

  /// A change could not be recorded: the next start must not rely on the store for what the
  /// directory says. Told to the store as soon as it can be written again.
  void NotRecorded(const Now& now);

  void Checked(const TargetKey& key, CheckResult result, const Now& now);
  /// The answer to a question.
  void Identified(const ProjectNames::Question& question, const Expected<ProjectIdentity>& answer,
                  const Now& now);
  void Written(const TargetKey& key, WriteResult result, const Now& now);

  /// Everything to do now.
  [[nodiscard]] Actions Step(const Now& now);
  /// Only what must be recorded or answered; takes up no new work. For shutdown.
  [[nodiscard]] Actions DrainRecords();
  /// When to call Step again if nothing happens before.
  [[nodiscard]] std::optional<MonoTime> NextWake() const;

  using Reply = std::function<void(const WorkAnswer&)>;
  /// Checks the targets of those resources now; replies once for each name. kNotFound: unknown
  /// name.
  [[nodiscard]] Expected<void> Reconcile(const std::vector<std::string>& names, const Now& now,
                                         const Reply& reply);
  /// Targets that were found as before are put on record within a second; this does it with the
  /// next actions: whoever asked for a check may look at its time as soon as it is answered.
  void RecordTouches();
  /// Records who asks for a check of these resources, which are known.
  void CheckRequested(const std::vector<std::string>& names, const std::string& actor,
                      const Now& now);
  [[nodiscard]] Expected<void> Suspend(const std::vector<std::string>& names, bool suspend,
                                       const std::string& actor, const Now& now);
  /// Writes a recorded policy back and suspends the target's resources.
  [[nodiscard]] Expected<void> Rollback(const std::string& name, const RevisionRecord& revision,
                                        const std::string& actor, const Now& now, Reply reply);
  /// kFailedPrecondition for a lookup, of which no revisions are kept.
  [[nodiscard]] Expected<void> MayRollBack(const std::string& name) const;
  /// Lets go of resources whose manifests are gone, and of what they claimed before, without
  /// touching the cloud. kFailedPrecondition while a manifest is there, and where the next check of
  /// others on the target would remove what nobody declares any more.
  [[nodiscard]] Expected<void> Forget(const std::vector<std::string>& names,
                                      const std::string& actor, const Now& now);
  /// What became of a hold that an operator decided on.
  struct Decided {
    std::string digest;  ///< In full.
    std::size_t targets = 0;
    std::size_t grants = 0;
  };
  /// Lets through what waits under that digest, or was denied; a unique beginning of it is enough.
  [[nodiscard]] Expected<Decided> Approve(const std::string& digest, const std::string& actor,
                                          const Now& now);
  /// What waits under that digest stays where it is, until the directory wants something else
  /// there, or somebody approves it.
  [[nodiscard]] Expected<Decided> Deny(const std::string& digest, const std::string& actor,
                                       const Now& now);

  /// From now on nothing that is in order is looked at again by the clock: for `run --once`.
  void EndRechecks() { rechecks_ = false; }
  /// Nothing runs or waits that belongs to the pass; re-checks may. Targets that failed more than
  /// `patience` times in a row are not waited for, nor what a service put off beyond `until`.
  [[nodiscard]] bool Settled(int patience, MonoTime until = MonoTime::max()) const;
  [[nodiscard]] std::size_t Running() const { return running_; }
  [[nodiscard]] Catalog& catalog() { return catalog_; }
  [[nodiscard]] const Catalog& catalog() const { return catalog_; }
  [[nodiscard]] const Guard& guard() const { return guard_; }
  [[nodiscard]] const WorkQueue& queue() const { return queue_; }
  /// Targets that are due and wait at that priority, by kind.
  [[nodiscard]] std::map<std::string, std::size_t> DueTargets(Priority priority,
                                                              MonoTime now) const;
  /// How long the work under way on that kind has taken so far: all of it, and the longest.
  struct Unfinished {
    MonoTime::duration total{0};
    MonoTime::duration longest{0};
  };
  [[nodiscard]] Unfinished UnfinishedWork(const std::string& kind, MonoTime now) const;
  [[nodiscard]] CallGate& gate() { return gate_; }
  [[nodiscard]] const RecheckPlan& recheck() const { return recheck_; }
  /// What the local clock is worth, by what the services' answers say the time is.
  [[nodiscard]] ClockJudgement JudgeClock(const Now& now) const {
    return clock_witness_.Judge(now.wall, now.mono);
  }
  /// Targets that are written rarely, as they are changed back and forth.
  [[nodiscard]] std::size_t Oscillating() const { return oscillation_.Tripped(); }
  /// Resources that wait for a clock that is confirmed: their conditions may have ended.
  [[nodiscard]] std::size_t AwaitingTime() const { return awaiting_time_.size(); }

 private:
  /// How long a pass waits for its slowest reads before it judges the removals it knows of.
  static constexpr std::chrono::seconds kPassPatience{10};

  using Phase = WorkPhase;
  using Work = TargetUnderWork;

  // engine.cc: scheduling
  void Enqueue(const TargetKey& key, Priority priority, MonoTime due);
  void StartCheck(const WorkQueue::Taken& taken, const TargetEntry& target, const Now& now);
  void DispatchWrites(const Now& now);
  void Release(const TargetKey& key);
  [[nodiscard]] bool IsOutdated(const TargetKey& key, const Work& work) const;
  void BeginAnew(const TargetKey& key, const Now& now);
  Scanned TakeScan(const ScanInput& scan, bool all_wait, const Now& now);
  void BeginPass(std::size_t targets, const Now& now);
  void TellDependents(const TargetEntry& target, const Now& now);
  void CheckFreed(const Now& now);
  void SetSuspended(const std::vector<std::string>& names, bool suspend, const std::string& actor,
                    StoreChange& change, const Now& now);
  void SuspendClaim(const ResourceEntry& entry, bool suspend, StoreChange& change, const Now& now);

  // engine_doubt.cc: answers that are not taken at their word
  [[nodiscard]] bool IsDoubtful(const TargetKey& key, const TargetEntry& target,
                                const CheckResult& result, const Now& now);
  void FinishDoubtful(const TargetKey& key, std::size_t seen, const Now& now);
  [[nodiscard]] Error NoteContest(TargetEntry& target, StoreChange& change, const Now& now);
  void NoteAbsence(const TargetKey& key, const Error* error);
  [[nodiscard]] bool IsAbsentForGood(const TargetKey& key, const Now& now);
  bool RecordNotFound(const TargetKey& key, TargetEntry& target, const Work& work,
                      StoreChange& change, const Now& now);
  void ReleaseMissing(const TargetKey& key, const Work& work, StoreChange& change, const Now& now);

  // engine_trace.cc
  void TracePass(std::size_t targets, const Now& now);
  void TellPassJudged();
  void Unqueue(const TargetKey& key);
  void NoteCaller(const TargetKey& key);
  void BeginTrace(const TargetKey& key, Work& work, CheckJob& job);
  static void DescribeTrace(const Work& work, TargetReport& report);

  // engine_times.cc: what time does to grants
  void PassTime(const Now& now);
  bool WeighClock(const Now& now);
  void DoubtTime(bool news, const Now& now);
  void CheckForTime(const std::string& name, const Now& now);
  [[nodiscard]] static Event EventOf(const TimeCrossing& crossing, const ResourceEntry& entry,
                                     const Now& now);

  // engine_calls.cc: whether a call may go
  [[nodiscard]] CallLane LaneOf(const TargetEntry& target) const;
  const TargetEntry* MayCheck(const WorkQueue::Taken& taken, const Now& now);
  [[nodiscard]] bool NeedsNoCall(const TargetKey& key, const TargetEntry& target) const;
  void TellHostIsAway(const TargetEntry& target, const CallLane& lane, const Now& now);
  bool MayWrite(const TargetKey& key, CallLane lane, std::set<CallLane>& full, const Now& now);
  void CallEnded(const TargetKey& key, const Error* error, const Now& now);
  void NoteDates(const std::string& provider);
  void LeaveSlowLane();
  [[nodiscard]] bool IsMereRecheck(const TargetKey& key, const Work& work) const;
  [[nodiscard]] bool IsAwaited(const TargetKey& key, const TargetEntry& target, int patience,
                               MonoTime until) const;

  // engine_recheck.cc: how often targets are read again
  [[nodiscard]] std::chrono::milliseconds PeriodOf(const TargetEntry& target) const;
  [[nodiscard]] std::optional<std::chrono::milliseconds> FixedPeriodOf(
      const TargetEntry& target) const;
  static void NoteHabit(TargetEntry& target, const Work& work, const Now& now);
  void PlanRechecks(const Now& now);

  // engine_projects.cc: what project a number is
  void AskForProjects(const Now& now);
  void LetGoOf(const std::vector<Target>& targets, const Now& now);

  // engine_oscillation.cc: targets that are changed back and forth
  [[nodiscard]] bool IsPaused(const TargetKey& key, const Work& work, const Now& now) const;
  void NoteRound(const TargetKey& key, const Sha256Digest& before, const Sha256Digest& after,
                 const Now& now);
  [[nodiscard]] std::string WhyPaused(const TargetKey& key) const;
  [[nodiscard]] std::string RivalOf(const TargetKey& key) const;

  // engine_pass.cc: judging removals
  void Decide(const TargetKey& key, Work& work, const Now& now);
  void LeavePass(const TargetKey& key);
  void NoteExpected();
  [[nodiscard]] Guard::Context ContextOfPass() const;
  [[nodiscard]] static Removals RemovalsIn(const Work& work);
  void SettleAttempt(const TargetEntry& target, const Work& work);
  void JudgePass(const Now& now);
  void CheckAgain(const Guard::Decision& decision, const Now& now);
  void GoOn(const TargetKey& key, const Guard::Decision& decision, const Now& now);
  void CarryOut(const TargetKey& key, Work& work, const Guard::Decision& decision, const Now& now);
  void Permit(const TargetKey& key, Work& work, const Now& now);
  void NoteOutcome(const Work& work, const WriteResult& result);

  // engine_hold.cc: what waits for an operator, or was decided by one
  void RestoreGuard(const StoredState& stored, StoreChange& change);
  void RestoreHold(const HoldRecord& hold, StoreChange& change);
  void DropHold(const Target& target, const Now& now);
  void SettleApproval(const Target& target, StoreChange& change);
  void SyncHold(const Now& now);
  void SyncDenials(StoreChange& change, const Now& now);
  [[nodiscard]] Expected<HoldRecord> FindHold(const std::string& digest) const;
  [[nodiscard]] const HoldRecord* DenialOf(const Target& target) const;
  void OpenHold(const std::string& digest, StoreChange& change, const Now& now);
  Decided DecidedOn(const HoldRecord& hold, const std::vector<Target>& targets, const Now& now);

  // engine_evidence.cc: what may not be removed yet
  void WeighRemovals(const TargetKey& key, Work& work, const Now& now);
  [[nodiscard]] RemovalEvidence::Verdict JudgeRemoval(const Work& work, const Grant& grant,
                                                      std::string& resource, const Now& now) const;
  void LookEnded(const std::vector<TargetKey>& changed, const Now& now);
  void AnswerQuestionFor(const HoldRecord& approved);
  void AnswerQuestionIfMoot(const Now& now);
  void CheckWithheld(const Now& now);
  [[nodiscard]] std::optional<ResourceStatus> StatusOfWithheld(const ResourceEntry& entry,
                                                               const Work& work) const;
  [[nodiscard]] std::optional<ResourceStatus> StatusOfDoubt(const Work& work) const;
  [[nodiscard]] static bool HasDrift(const Work& work, const std::string& resource);
  [[nodiscard]] std::optional<ResourceStatus> StatusOfHeld(const ResourceEntry& entry,
                                                           const Work& work) const;

  // engine_finish.cc: what is recorded
  bool RecordObservation(TargetEntry& target, const Work& work, StoreChange& change,
                         const Now& now);
  bool ResolveIntent(TargetEntry& target, const Work& work, StoreChange& change, const Now& now);
  static void TakeOver(TargetEntry& target, const Observation& seen, const PolicyText& policy);
  void Touch(const TargetEntry& target, const Now& now);
  void FlushTouches(const Now& now);
  void RecordDrift(TargetEntry& target, std::vector<DriftItem> items, bool corrected,
                   StoreChange& change, const Now& now);
  void RecordSeen(TargetEntry& target, const Work& work, bool landed, StoreChange& change,
                  const Now& now);
  void FinishSkipped(const TargetKey& key, const Now& now);
  void FinishConfirmed(const TargetKey& key, const Work& work, TargetEntry& target, const Now& now);
  void FinishUnchanged(const TargetKey& key, const Now& now);
  void NoteUnanswered(TargetEntry& target, const Work& work, const WriteResult& result);
  void RecordWrite(TargetEntry& target, const Work& work, const WriteResult& result,
                   StoreChange& change, const Now& now);
  void FinishWritten(const TargetKey& key, WriteResult result, const Now& now);
  void FinishFailed(const TargetKey& key, const Error& error, const Now& now);
  void GiveUpRollback(const TargetKey& key, const Now& now);
  [[nodiscard]] std::string FateOfRollback(const TargetKey& key, bool gives_up) const;
  void RestoreRollback(const StoredState::Rollback& stored, StoreChange& change, const Now& now);
  void EndRollback(const TargetKey& key, std::int64_t revision, StoreChange& change);
  void NoteTouched(const Work& work);
  bool SetJudged(ResourceEntry& entry, const Work& work, const Error* error, StoreChange& change,
                 const Now& now);
  bool SetUnjudged(ResourceEntry& entry, StoreChange& change, const Now& now);
  void SetStatuses(const TargetKey& key, const Work& work, const Error* error, StoreChange& change,
                   const Now& now);
  [[nodiscard]] Expected<void> MayForget(const std::string& name, const std::set<std::string>& all);
  [[nodiscard]] std::optional<SharedStatus> StatusAnyway(const ResourceEntry& entry) const;
  [[nodiscard]] SharedStatus StatusWithoutTime(const ResourceEntry& entry) const;
  [[nodiscard]] SharedStatus StatusWithoutDifference(const ResourceEntry& entry,
                                                     const Work& work) const;
  [[nodiscard]] SharedStatus StatusOf(const ResourceEntry& entry, const Work& work,
                                      const Error* error) const;
  // engine_lookup.cc
  void RecordSighting(TargetEntry& target, const Work& work, StoreChange& change, const Now& now);
  void RecordResult(TargetEntry& target, const Work& work, StoreChange& change, const Now& now);
  [[nodiscard]] static ResourceStatus StatusOfResult(const Observation& seen);
  void ForgetRemoved(const TargetKey& key, const Work& work, StoreChange& change, const Now& now);
  void ForgetUntouched(const TargetKey& key, StoreChange& change, const Now& now);
  [[nodiscard]] bool IsInTurn(const Work& work) const;
  void Reschedule(const TargetKey& key, const Error* error, const Now& now);
  void Emit(StoreChange& change, Event event);
  void Report(const Work& work, std::string_view action, const Error* error, std::string message);
  void Answer(const TargetKey& key, const WorkAnswer& answer);

  Catalog catalog_;
  EngineObserver& observer_;
  EngineSettings settings_;
  Connections connections_;
  Dates dates_;
  WorkQueue queue_;
  Guard guard_;
  Backoff backoff_;
  CallGate gate_;
  RecheckPlan recheck_;
  OscillationBreaker oscillation_;
  std::size_t questions_ = 0;  ///< Under way.
  std::map<ProjectNames::Question, MonoTime> ask_again_;
  std::optional<MonoTime> recheck_planned_;
  std::size_t targets_planned_ = 0;
  ByTarget<CallLane> calls_;                    ///< Under way, by target.
  std::vector<WorkQueue::Taken> waiting_slow_;  ///< Due, but too many slow ones are under way.
  std::size_t running_slow_ = 0;
  ByTarget<Work> work_;
  ByTarget<Doubt> doubts_;
  ByTarget<Absence> absent_;
  std::deque<TargetKey> ready_to_write_;
  std::map<TargetKey, PendingRollback> rollbacks_;
  std::multimap<TargetKey, Reply> waiting_replies_;
  /// Targets of this pass that were not read yet.
  std::unordered_set<TargetKey, TargetKey::Hash> pass_pending_;
  std::optional<MonoTime> pass_deadline_;
  PassReport pass_;  ///< The one that is not judged yet, or was last.
  /// What whoever asked for a check is a trace of; by target, until it is taken up.
  ByTarget<TraceContext> callers_;
  std::optional<MonoTime> first_scan_by_;  ///< Until then nothing is taken up: it may be outdated.
  std::optional<MonoTime> write_wake_;     ///< When a quota lets the next ready write go.
  HoldRecord hold_;                        ///< The one on record now; empty digest: none.
  bool rechecks_ = true;
  std::vector<Approval> approvals_;
  ByTarget<WithheldTarget> withheld_;
  /// While the evidence asks a question: targets that were not read since it was asked.
  std::optional<std::unordered_set<TargetKey, TargetKey::Hash>> unread_since_question_;
  std::vector<HoldRecord> denials_;  ///< With what of them is still wanted.
  /// Removals that targets which were not waited for will ask for.
  ByTarget<std::int64_t> expected_;
  std::int64_t expected_grants_ = 0;
  std::size_t running_ = 0;
  StoreChange touched_;  ///< Targets that were read and are as before, not yet on record.
  MonoTime touches_due_;
  MonoTime sweep_due_;  ///< Of the oscillation breaker.
  /// Kept while manifests of it refer to others, whose outputs may change, or want what a protected
  /// one holds, which may be forgotten.
  std::optional<ScanInput> last_scan_;
  bool resolve_due_ = false;  ///< It is to be weighed again, for one of these reasons.
  ClockWitness clock_witness_;
  ClockJudgement clock_;                 ///< At the last step.
  std::set<std::string> awaiting_time_;  ///< As AwaitingTime().
  std::optional<MonoTime> doubted_;      ///< When it was last looked which these are.
  std::optional<MonoTime> times_due_;    ///< When a condition begins, ends, or is about to.
  std::optional<MonoTime> distrust_at_;  ///< When to tell the store that it lacks a change.
  Actions actions_;
};

}  // namespace bindery
