#include "controller/work/work_flow.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "controller/calls/cloud_calls.h"
#include "controller/gates/completed_write.h"
#include "controller/gates/drift_cause.h"
#include "controller/outbox/recheck_schedule.h"
#include "controller/outbox/requesters.h"

namespace bindery::controller {

void WorkFlow::ApplySettings() {
  memory_.doubts.SetPatience(parts_.settings.confirm_emptied, parts_.settings.release_missing);
  memory_.etags.SetFullReadEvery(parts_.settings.full_read_every);
}

void WorkFlow::Begin(const WorkSchedule::Next& next, const Now& now) {
  if (lending_.Take(next, now)) return;
  const TargetKey& key = next.taken.key;
  const TargetEntry& target = *next.target;
  CloudCalls& calls = parts_.schedule.calls();
  TargetUnderWork& work = parts_.schedule.work().Begin(next.taken, now.mono);
  if (target.reading.observed) work.reading.before = target.reading.observed_at;
  work.slow = target.calls.slow;
  if (work.slow) calls.BeginSlow();
  parts_.observer.Taken(*target.target,
                        std::max<MonoTime::duration>(now.mono - next.taken.due, {}));
  const auto job = std::make_shared<CheckJob>(parts_.catalog.treatments().MakeJob(target));
  work.job = job;
  job->timeout = parts_.settings.call_timeout;
  job->now = AcceptanceWatch::FindSpan(parts_.time.clock(), now.wall);
  if (target.unresolved) {
    job->unanswered = target.unresolved->digest_desired;
    job->conditional = target.unresolved->conditional;
  }
  job->observed = target.reading.observed;
  job->last_policy = target.reading.policy_digest;
  job->last_etag = target.reading.etag;
  job->dropped = memory_.dropped.Of(key);
  if (parts_.schedule.requesters().TakeRetry(key)) memory_.refused.MakeDue(key);
  job->left_out = memory_.refused.Begin(key, target.calls.checked, now);
  job->forms = *target.drift.forms;
  BeginTrace(key, work, *job);
  const telemetry::TraceScope scope(job->trace);
  work.rules = parts_.catalog.rules_in_use();
  if (const PendingRollback* rollback = parts_.rollbacks.Find(key); rollback != nullptr) {
    job->restore = rollback->policy;
    work.origin.restores = rollback->revision;
    work.origin.actor = rollback->actor;
  } else if (target.unresolved == nullptr && !target.last_synced_digest.empty()) {
    job->known_body = target.last_synced_digest;
    // The reads that hints leave are in full: they are the ones that the exact interval promises.
    job->etag_first = memory_.etags.MayAsk(target, next.taken.priority) &&
                      !parts_.schedule.recheck().Watches(target, now);
  }
  job->connection = calls.ConnectionTo(target.provider.str());
  if (job->connection == nullptr) {
    Error error;
    error.code = Code::kFailedPrecondition;
    error.message = "the configuration has no provider \"" + target.provider.str() +
                    "\": put it back, or give up what was declared through it with bindery forget";
    ending_.FinishFailed(key, error, now);
    return;
  }
  if (!calls.IsUnderWay(key)) {
    // No call is needed, because the target is suspended altogether: not even a read.
    ending_.FinishSkipped(key, now);
    return;
  }
  parts_.schedule.work().CallBegan();
  parts_.outbox.Check({key, work.job});
}

/// A target of a pass is a separate trace that links to the pass: a trace of ten thousand targets
/// nobody can look at. A trace that asked for the check goes on.
void WorkFlow::BeginTrace(const TargetKey& key, TargetUnderWork& work, CheckJob& job) {
  const telemetry::TraceContext caller = parts_.schedule.requesters().TakeTrace(key);
  if (caller.valid()) {
    job.trace = telemetry::MakeSpan(caller);
    work.origin.trace_parent = caller.span;
  } else {
    job.trace = telemetry::NewTrace(parts_.settings.trace_sample_ratio);
  }
  const PassBarrier& pass = parts_.removals.pass();
  if (job.trace.sampled && pass.IsPending(key)) work.origin.pass = pass.trace();
}

/// Null when the last manifest of the target went meanwhile: the work is over then.
TargetEntry* WorkFlow::FindWanted(const TargetKey& key) {
  TargetEntry* target = parts_.catalog.claims().FindTarget(key);
  if (target != nullptr) return target;
  parts_.schedule.Release(key);
  parts_.schedule.Answer(key, {true, "", "nothing is declared on it any more"});
  return nullptr;
}

/// The way of the reading, and its evidence about the etag.
void WorkFlow::NoteRead(TargetEntry& target, TargetUnderWork& work, const CheckResult& result,
                        const Now& now) {
  const bool etag_only = result.etag_answer == EtagAnswer::kSame;
  parts_.observer.PolicyRead(*target.target, etag_only);
  if (auto event = memory_.etags.Note(target, result, now)) parts_.outbox.Record(*std::move(event));
  // Checks of the etag alone did not see the change: the change may be older.
  if (result.etag_stood_still) work.reading.before.reset();
}

/// True when nothing may be done by the answer yet: the work is over then.
bool WorkFlow::IsDoubted(const TargetEntry& target, const CheckResult& result, const Now& now) {
  const bool contradicts = result.etag_stood_still && memory_.etags.Trusts(target);
  if (const auto doubted = memory_.doubts.Weigh(target, result, contradicts, now)) {
    ending_.FinishDoubtful(target.target, *doubted, now);
    return true;
  }
  if (result.etag_stood_still) {
    auto event = memory_.etags.NoteStoodStill(target, now);
    if (event) parts_.outbox.Record(*std::move(event));
  }
  return false;
}

/// The removals and the directory learn what the services say about the clock.
void WorkFlow::HearTime(const Now& now) {
  RecentRemovals& recent = parts_.removals.guard().recent();
  if (recent.AwaitsTime()) recent.HearTime(parts_.time.Judge(now));
  DirectoryRest& rest = parts_.catalog.evidence().rest();
  if (rest.AwaitsTime() && parts_.time.Judge(now).verdict != ClockJudgement::Verdict::kUnknown) {
    rest.HearTime(parts_.time.ServiceTime(now), now);
  }
}

void WorkFlow::Checked(const TargetKey& key, CheckResult result, const Now& now) {
  parts_.removals.guard().recent().PassTime(now);
  const bool answered = result.unchanged || result.observed;
  const Error* const failed = answered ? nullptr : &result.observed.error();
  const bool read_twice =
      result.etag_answer == EtagAnswer::kMoved || result.etag_answer == EtagAnswer::kUnusable;
  parts_.time.NoteDates(parts_.schedule.EndCall(key, failed, read_twice ? 1 : 0, now));
  HearTime(now);
  memory_.doubts.NoteAnswer(key, failed);
  // What was added meanwhile is still to be read in the pass.
  if (!parts_.schedule.queue().AddedWhileTaken(key)) parts_.removals.pass().Leave(key);
  TargetUnderWork* const found = parts_.schedule.work().Find(key);
  if (found == nullptr) return;
  TargetUnderWork& work = *found;
  const telemetry::TraceScope scope(work.job->trace);
  work.times.spent += result.duration;
  TargetEntry* const wanted = FindWanted(key);
  if (wanted == nullptr) return;
  TargetEntry& target = *wanted;
  if (answered) NoteRead(target, work, result, now);
  if (result.unchanged) {
    ending_.FinishConfirmed(key, work, target, now);
    return;
  }
  // The etag may go on record before the target is as declared: until then neither stands for the
  // policy.
  target.last_synced_digest = {};
  work.reading.desired = std::move(result.desired);
  for (const reconcilers::Claim& claim : work.reading.desired.claims) {
    ResourceEntry* entry =
        claim.fault.empty() ? nullptr : parts_.catalog.claims().FindResource(claim.resource);
    if (entry != nullptr && !entry->unreadable)
      parts_.catalog.directory().NoteUnreadable(*entry, claim.fault);
  }
  if (failed != nullptr) {
    ending_.FinishFailed(key, *failed, now);
    return;
  }
  if (IsDoubted(target, result, now)) return;
  work.reading.body = result.body;
  work.reading.seen = std::move(*result.observed);
  work.plan = std::move(result.plan);
  memory_.refused.NoteRead(work);
  NoteDropped(key, work, std::move(result.too_wide), std::move(result.take_back));
  for (const auto* known : {&*target.drift.accepted, &*target.drift.open}) {
    KeepCauses(*known, work.plan);
  }
  parts_.acceptances.Note(key, work.plan, work.job->now);
  work.reading.policy = std::move(result.policy);
  parts_.schedule.recheck().NoteSeen(target, work.reading.policy.digest);
  work.reading.grants_digest = std::move(result.grants_digest);
  NoteHabit(target, work.taken.priority, !work.plan.drift().empty(), now);
  Decide(key, work, now);
}

/// Stores the dropped conditions in the work and in the memory, so that later checks of the target
/// know them.
void WorkFlow::NoteDropped(const TargetKey& key, TargetUnderWork& work,
                           std::vector<store::ConditionalGrant> too_wide,
                           std::vector<Grant> take_back) {
  memory_.dropped.NoteSeen(key, *work.job->kind, work.reading.seen);
  if (too_wide.empty()) return;
  const std::vector<DroppedCondition> dropped = AsDropped(too_wide);
  memory_.dropped.Note(key, dropped);
  auto job = std::make_shared<CheckJob>(WithDropped(*work.job, dropped));
  job->conditional = too_wide;
  work.job = std::move(job);
  work.reading.too_wide = std::move(too_wide);
  work.reading.take_back = std::move(take_back);
}

/// The decision about a target that was read. What a write gave too much is taken back first,
/// without a question: nobody asked for it. Additions go now; removals wait until every target of
/// the pass was read, so that the guard sees them all before the first is carried out.
void WorkFlow::Decide(const TargetKey& key, TargetUnderWork& work, const Now& now) {
  TargetEntry& target = *parts_.catalog.claims().FindTarget(key);
  RemovalControl& removals = parts_.removals;
  removals.SettleAttempt(target, work);
  // After an attempt without effect what else is to be done comes first.
  const bool waits = target.unresolved && target.unresolved->tried && work.plan.writes();
  const bool takes_back = !work.reading.take_back.empty() && !waits;
  if ((work.plan.writes() || takes_back) && parts_.schedule.IsOutdated(key, work)) {
    store::StoreChange change;
    // Changes of other writers show only against the policy before: the former policy stays the
    // last one until then.
    if (!NeedsRecord(work.plan)) recorder_.RecordObservation(target, work, change, now);
    parts_.outbox.Record(std::move(change));
    parts_.schedule.BeginAnew(key, now);
    return;
  }
  if (takes_back) {
    work.decision.takes_back = true;
    Permit(key, work, now);
    return;
  }
  // The target is changed back and forth, and nobody asks for another try.
  const bool oscillates = !work.reading.desired.restore &&
                          !parts_.schedule.requesters().Awaits(key) &&
                          parts_.oscillation.Holds(key, now);
  removals.Weigh(target, work, oscillates, now);
  if (!work.plan.writes()) {
    ending_.FinishUnchanged(key, now);
  } else if (!work.plan.takes_access()) {
    Permit(key, work, now);
  } else if (removals.pass().open()) {
    const Expected<void> parked = parts_.schedule.work().Move(key, WorkPhase::kParked, now.mono);
    if (!parked) ending_.FinishFailed(key, parked.error(), now);
  } else {
    CarryOut(key, work, removals.Judge(work), now);
    removals.Sync(now);
  }
}

/// Does what may be done now; the rest waits.
void WorkFlow::CarryOut(const TargetKey& key, TargetUnderWork& work,
                        const Guard::Decision& decision, const Now& now) {
  parts_.removals.Apply(decision, work);
  if (work.plan.writes()) {
    Permit(key, work, now);
  } else {
    ending_.FinishUnchanged(key, now);
  }
}

/// The reading goes on record before the write replaces the policy: a rollback restores the
/// reading, and after a crash the reading proves whether the write took effect.
void WorkFlow::Permit(const TargetKey& key, TargetUnderWork& work, const Now& now) {
  const Expected<void> ready = parts_.schedule.work().Move(key, WorkPhase::kReadyToWrite, now.mono);
  if (!ready) {
    ending_.FinishFailed(key, ready.error(), now);
    return;
  }
  work.decision.written = reconcilers::CountChanges(work.Writes());
  parts_.observer.Judged(work);
  store::StoreChange change;
  TargetEntry& target = *parts_.catalog.claims().FindTarget(key);
  const bool landed = recorder_.RecordObservation(target, work, change, now);
  if (NeedsRecord(work.plan)) recorder_.RecordSeen(target, work, landed, change, now);
  parts_.outbox.Record(std::move(change));
  // From here on grants may have been written in the name of the claims: the grants have to be
  // taken back when the claims go. The next status records this; until then the intent tells.
  for (const reconcilers::Claim& claim : work.reading.desired.claims) {
    if (claim.treatment != reconcilers::ManagementPolicy::kEnforce) continue;
    ResourceEntry* entry = parts_.catalog.claims().FindResource(claim.resource);
    if (entry != nullptr) entry->progress.untouched = false;
  }
}

void WorkFlow::JudgePass(const Now& now) {
  const RemovalControl::Judged judged = parts_.removals.JudgePass(parts_.schedule.work());
  parts_.observer.PassJudged(judged.pass);
  for (const auto& [key, decision] : judged.parked) {
    TargetUnderWork& work = parts_.schedule.work().At(key);
    const telemetry::TraceScope scope(work.job->trace);
    if (parts_.catalog.claims().FindTarget(key) == nullptr) {
      parts_.schedule.Release(key);
    } else if (parts_.schedule.IsOutdated(key, work)) {
      parts_.schedule.BeginAnew(key, now);
    } else {
      CarryOut(key, work, decision, now);
    }
  }
  for (const TargetKey& key : judged.check) {
    if (parts_.catalog.claims().FindTarget(key) == nullptr) continue;
    parts_.schedule.Enqueue(key, Priority::kChange, now.mono);
  }
  parts_.removals.EndPass(now);
}

void WorkFlow::SendWrites(const Now& now) {
  WorkTable& table = parts_.schedule.work();
  CloudCalls& calls = parts_.schedule.calls();
  std::vector<TargetKey> waiting;
  while (table.running() < parts_.settings.concurrency) {
    const std::optional<TargetKey> key = table.TakeReady();
    if (!key) break;
    const TargetEntry* target = parts_.catalog.claims().FindTarget(*key);
    if (target == nullptr) {
      parts_.schedule.Release(*key);
      continue;
    }
    const TargetUnderWork& work = table.At(*key);
    const MonoTime::duration age = now.mono - work.times.ready_at;
    if (parts_.schedule.IsOutdated(*key, work) || age > calls.WritePatience(*target, now)) {
      // After the long wait the basis of the decision may be outdated.
      parts_.schedule.Release(*key);
      parts_.schedule.Enqueue(*key, Priority::kChange, now.mono);
    } else if (calls.MayWrite(*target, /*in_pace=*/!work.decision.takes_back, now)) {
      Send(*key, *target, now);
    } else {
      waiting.push_back(*key);
    }
  }
  table.PutBack(waiting);
}

void WorkFlow::Send(const TargetKey& key, const TargetEntry& target, const Now& now) {
  WorkTable& table = parts_.schedule.work();
  TargetUnderWork& work = table.At(key);
  if (const auto writing = table.Move(key, WorkPhase::kWriting, now.mono); !writing) {
    parts_.schedule.calls().End(key, nullptr, /*readings=*/0, now);
    ending_.FinishFailed(key, writing.error(), now);
    return;
  }
  parts_.removals.guard().recent().Sent(*key);
  table.CallBegan();
  const auto timeout = GetWriteTimeout(*work.job, work.reading.seen);
  reconcilers::TargetPlan plan = CompletedWrite(work);
  // What was seen is of use to nobody but the write any more.
  parts_.outbox.Write(
      {key, WriteJob{work.job, timeout, work.reading.desired, std::exchange(work.reading.seen, {}),
                     std::move(plan), target.reading.PolicyName(), work.origin.actor,
                     parts_.time.ServiceTime(now), work.decision.counted}});
}

void WorkFlow::Written(const TargetKey& key, WriteResult result, const Now& now) {
  parts_.removals.guard().recent().PassTime(now);
  const Error* const failed = result.written ? nullptr : &result.written.error();
  parts_.time.NoteDates(parts_.schedule.EndCall(key, failed, result.readings, now));
  TargetUnderWork* const work = parts_.schedule.work().Find(key);
  if (work == nullptr) return;
  const telemetry::TraceScope scope(work->job->trace);
  work->times.spent += result.duration;
  parts_.removals.NoteOutcome(*work, result);
  if (parts_.catalog.claims().FindTarget(key) == nullptr && result.intent != 0) {
    store::StoreChange change;
    change.finished_intents.push_back(
        {result.intent, now.wall, result.written ? "landed" : "unknown"});
    parts_.outbox.Record(std::move(change));
  }
  if (FindWanted(key) != nullptr) ending_.FinishWritten(key, std::move(result), now);
}

}  // namespace bindery::controller
