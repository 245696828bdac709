#include "controller/work/work_ending.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "controller/catalog/forget.h"
#include "controller/catalog/suspend.h"
#include "controller/claims/status_code.h"
#include "controller/gates/gate.h"
#include "controller/gates/stored_forms.h"
#include "controller/outbox/recheck_schedule.h"
#include "controller/work/status_update.h"
#include "controller/work/work_report.h"

namespace bindery::controller {
namespace {

std::string CountsText(const reconcilers::ChangeCounts& counts) {
  std::string text = fmt::format("{} added, {} removed", counts.adds, counts.removes);
  if (counts.replaces > 0) text += fmt::format(", {} with another condition", counts.replaces);
  return text;
}

/// Changes stopped by a gate that are still open after the write wait as before.
void KeepVerdicts(const reconcilers::TargetPlan& before, reconcilers::TargetPlan& left) {
  std::map<std::string, const reconcilers::GrantChange*> stopped;
  for (const reconcilers::GrantChange& change : before.changes) {
    const bool waits = change.IsStoppedBy(reconcilers::Gate::kEvidence) ||
                       change.IsStoppedBy(reconcilers::Gate::kGuard) ||
                       change.IsStoppedBy(reconcilers::Gate::kOperatorAnswer);
    if (waits) stopped[DriftKey(change.drift_class, change.resource, change.grant)] = &change;
  }
  if (stopped.empty()) return;
  for (reconcilers::GrantChange& change : left.changes) {
    const auto same = stopped.find(DriftKey(change.drift_class, change.resource, change.grant));
    if (same == stopped.end()) continue;
    const reconcilers::GrantChange& known = *same->second;
    if (change.Lower(known.verdict, known.decided_by, known.reason)) change.state = known.state;
  }
}

/// Nothing on the target needs a new decision: waiting resources get theirs with their turn.
bool IsDoneWith(const TargetUnderWork& work, const TargetEntry& target) {
  const bool waits =
      std::any_of(target.resources.begin(), target.resources.end(), [](const auto* entry) {
        return entry->standing.status->state == ResourceState::kReconciling;
      });
  // What waits for evidence is weighed again although the policy did not change.
  if (waits || work.IsHeld() || !work.awaits_evidence.empty()) return false;
  return ListRefusals(*work.job, work.plan, work.reading.desired).empty() &&
         !work.reading.desired.restore;
}

bool IsBlocked(const TargetEntry& target) {
  return std::any_of(target.resources.begin(), target.resources.end(), [](const auto* entry) {
    return GetCode(*entry->standing.status) == StatusCode::kDependencyNotReady;
  });
}

/// For work that left refused grants out.
std::string RefusedText(const TargetUnderWork& work) {
  return fmt::format("{} of the declared grants {} left out of the write: bindery get",
                     LeftOutIn(work.plan), LeftOutIn(work.plan) == 1 ? "is" : "are");
}

/// For work that ends without a write; `digest` names the held removals. Empty:
/// paused.
std::string OutcomeText(const TargetUnderWork& work, const TargetEntry& target,
                        const std::string& digest) {
  if (!digest.empty()) return "removals are held by the guard";
  if (work.IsHeld()) return "removals were denied by an operator (bindery guard)";
  if (LeftOutIn(work.plan) > 0) return RefusedText(work);
  if (IsBlocked(target)) return "what is declared there waits for others (bindery get)";
  if (work.IsPaused()) return "";
  return target.drift.open->empty() ? "as declared" : "differences are reported, not repaired";
}

/// A grant stays only because the service that may have given it could not be asked: the next check
/// asks again.
bool AwaitsProof(const reconcilers::TargetPlan& plan) {
  return std::any_of(plan.changes.begin(), plan.changes.end(),
                     [](const reconcilers::GrantChange& change) {
                       return change.reason.code == reconcilers::ReasonCode::kJustInTimeInDoubt;
                     });
}

}  // namespace

void WorkEnding::SetStatuses(const TargetUnderWork& work, const Error* error,
                             store::StoreChange& change, const Now& now) {
  if (error == nullptr && KeepsUnchecked(work)) {
    parts_.catalog.project_names().WantNumber(work.job->provider, work.job->target.name);
  }
  const StatusContext context{parts_.catalog, parts_.removals.holds(), parts_.oscillation,
                              parts_.time.clock(), parts_.settings.release_missing};
  if (UpdateStatuses(context, parts_.catalog, {work, error}, change, now)) {
    parts_.catalog.directory().last_scan().NoteChange();
  }
}

void WorkEnding::Report(const TargetUnderWork& work, WorkAction action, const Error* error,
                        std::string message) {
  parts_.observer.Worked(MakeReport(work, action, error, std::move(message)));
}

/// Resources of the target may go, and the target with its last resource. `judged`: by the work, no
/// grant of leaving resources is left. Grants that stay in undeclared roles are found at once, not
/// an interval later: a plan reports these grants.
void WorkEnding::Forget(const TargetKey& key, const TargetUnderWork& work, bool judged,
                        store::StoreChange& change, const Now& now) {
  const bool others = judged && ForgetRemoved(parts_.catalog, work, change, now);
  const bool untouched = ForgetUntouched(parts_.catalog, key, change, now);
  if (parts_.catalog.claims().FindTarget(key) == nullptr) {
    memory_.dropped.Forget(key);
    memory_.refused.Forget(key);
    parts_.schedule.Drop(key);
    parts_.removals.Drop(*key, now);
  } else if (others || untouched) {
    parts_.schedule.Enqueue(key, Priority::kChange, now.mono);
  }
}

/// What a service refuses is tried again when that is due, even where the next check is later.
void WorkEnding::Finish(const TargetKey& key, const Error* error, const Now& now) {
  const std::optional<MonoTime> again = memory_.refused.EndRound(key, now);
  // Work that failed for a different reason has a separate time.
  if (again && error == nullptr && parts_.schedule.recheck().rechecks()) {
    parts_.schedule.queue().Add(key, Priority::kPeriodic, std::max(*again, now.mono));
  }
  parts_.schedule.Finish(key, error, now);
}

void WorkEnding::FinishSkipped(const TargetKey& key, const Now& now) {
  parts_.removals.pass().Leave(key);
  TargetUnderWork& work = parts_.schedule.work().At(key);
  store::StoreChange change;
  SetStatuses(work, nullptr, change, now);
  Forget(key, work, /*judged=*/true, change, now);
  parts_.outbox.Record(std::move(change));
  parts_.schedule.Answer(key, {true, "", "not checked: suspended, or waiting for others"});
  // What is left out is tried once the target is worked on again.
  std::ignore = memory_.refused.EndRound(key, now);
  parts_.schedule.Finish(key, nullptr, now);
}

/// The same answer as when all was found as declared, and nothing else was declared since: whatever
/// could be said of it is on record.
void WorkEnding::FinishConfirmed(const TargetKey& key, const TargetUnderWork& work,
                                 TargetEntry& target, const Now& now) {
  target.reading.observed_at = now.wall;
  parts_.outbox.Touch(target.target, now);
  NoteHabit(target, work.taken.priority, /*drifted=*/false, now);
  parts_.schedule.Answer(key, {true, "", "as declared"});
  Report(work, WorkAction::kUnchanged, nullptr, "");
  Finish(key, nullptr, now);
}

void WorkEnding::FinishUnchanged(const TargetKey& key, const Now& now) {
  TargetUnderWork& work = parts_.schedule.work().At(key);
  parts_.observer.Judged(work);
  TargetEntry& target = *parts_.catalog.claims().FindTarget(key);
  store::StoreChange change;
  const bool landed = recorder_.RecordObservation(target, work, change, now);
  if (target.is_lookup()) {
    recorder_.RecordResult(target, work, change, now);
  } else {
    recorder_.RecordSeen(target, work, landed, change, now);
  }
  if (!work.IsHeld()) parts_.rollbacks.End(key, work.origin.restores, change);
  SetStatuses(work, nullptr, change, now);
  const bool differs = !target.drift.open->empty();
  const bool as_declared = !differs && IsDoneWith(work, target) &&
                           !parts_.schedule.IsOutdated(key, work) && !AwaitsProof(work.plan);
  if (as_declared && !work.job->etag_first) memory_.etags.Spread(target);
  target.last_synced_digest = as_declared ? work.reading.body : Sha256Digest{};
  if (as_declared) memory_.doubts.ForgetRefusal(key);
  const Guard& guard = parts_.removals.guard();
  const std::string digest = work.IsHeld() && guard.held().Has(*key) ? guard.held().Digest() : "";
  const bool refused = LeftOutIn(work.plan) > 0;
  WorkAnswer answer{!work.IsHeld() && !IsBlocked(target) && !refused, digest,
                    OutcomeText(work, target, digest)};
  if (answer.message.empty()) answer.message = parts_.oscillation.WhyPaused(key);
  if (!work.IsHeld()) Forget(key, work, /*judged=*/true, change, now);
  parts_.outbox.Record(std::move(change));
  if (memory_.refused.Skipped(key)) return parts_.schedule.BeginAnew(key, now);
  parts_.schedule.Answer(key, answer);
  Report(work,
         work.IsHeld() ? WorkAction::kHeld
         : differs     ? WorkAction::kObserved
                       : WorkAction::kUnchanged,
         nullptr, "");
  Finish(key, nullptr, now);
}

void WorkEnding::FinishDoubtful(const TargetKey& key, const AnswerDoubts::Doubted& doubted,
                                const Now& now) {
  TargetUnderWork& work = parts_.schedule.work().At(key);
  TargetEntry& target = *parts_.catalog.claims().FindTarget(key);
  const Error& error = doubted.error;
  store::StoreChange change;
  if (doubted.first) {
    change.events.push_back(
        {now.wall, EventType::kWarning, "AnswerDoubted", "", key->name, error.message, "bindery"});
  }
  target.last_synced_digest = {};
  SetStatuses(work, &error, change, now);
  parts_.outbox.Record(std::move(change));
  Report(work, WorkAction::kFailed, &error, ToString(error));
  parts_.schedule.queue().Add(key, Priority::kChange, now.mono + doubted.read_again);
  parts_.observer.Queued(*target.target, /*retry=*/true);
  parts_.schedule.Release(key);
}

void WorkEnding::FinishWritten(const TargetKey& key, WriteResult result, const Now& now) {
  TargetUnderWork& work = parts_.schedule.work().At(key);
  TargetEntry& target = *parts_.catalog.claims().FindTarget(key);
  store::StoreChange change;
  if (!result.written) {
    recorder_.RecordFailedWrite(target, work, result, change, now);
    parts_.outbox.Record(std::move(change));
    FinishUnwritten(key, work, result, now);
    return;
  }
  const bool held = work.IsHeld() && !work.decision.takes_back;
  const bool stays = work.decision.takes_back && !result.take_back.empty();
  result.contested = result.contested || stays;
  KeepVerdicts(work.plan, result.left);
  NoteStored(target, work, result, change, now);
  const bool restored = work.reading.desired.restore.has_value() && !held &&
                        !work.decision.takes_back && !result.contested;
  if (restored) parts_.rollbacks.End(key, work.origin.restores, change);
  memory_.doubts.ForgetRefusal(key);
  work.reading.seen = std::move(*result.written);
  work.reading.policy = result.policy;
  memory_.refused.Accepted(work, now);
  work.plan = result.left;
  parts_.acceptances.Note(key, work.plan, work.job->now);
  const std::string counts = CountsText(work.decision.written);
  change.events.push_back({now.wall, EventType::kNormal,
                           restored ? "PolicyRestored" : "PolicyWritten", "", key->name, counts,
                           work.origin.actor});
  memory_.dropped.Note(key, result.dropped);
  const std::optional<Error> contest =
      result.contested ? std::optional(NoteContest(target, change, now)) : std::nullopt;
  const Error* const error = contest ? &*contest : nullptr;
  SetStatuses(work, error, change, now);
  const bool whole = !work.decision.takes_back && result.take_back.empty();
  if (!held && whole) {
    Forget(key, work, result.read_back, change, now);
  }
  parts_.outbox.Record(std::move(change));
  Report(work, WorkAction::kWritten, nullptr, counts);
  if (TakesBack(key, work, result, now)) return;
  if (!contest && memory_.refused.GoesOn(key, now)) return parts_.schedule.BeginAnew(key, now);
  AnswerWritten(key, held, error, counts);
  // The remaining work on the target had to wait.
  if (!whole && result.take_back.empty()) {
    parts_.schedule.Enqueue(key, Priority::kChange, now.mono);
  }
  Finish(key, error, now);
}

/// Answers the requesters of the work after a write.
void WorkEnding::AnswerWritten(const TargetKey& key, bool held, const Error* contest,
                               const std::string& counts) {
  const TargetUnderWork& work = parts_.schedule.work().At(key);
  const bool refused = LeftOutIn(work.plan) > 0;
  const std::string& text = contest != nullptr ? contest->message : counts;
  const bool tells_refused = contest == nullptr && refused;
  parts_.schedule.Answer(key, {!held && contest == nullptr && !refused,
                               held ? parts_.removals.guard().held().Digest() : "",
                               tells_refused ? text + "; " + RefusedText(work) : text});
}

/// What a service refuses of a write holds up nothing else: the rest is written now.
void WorkEnding::FinishUnwritten(const TargetKey& key, TargetUnderWork& work,
                                 const WriteResult& result, const Now& now) {
  const Error error = result.written.error().Wrap("write");
  if (result.refusal) {
    // From now on a request that was repeated is an ordinary addition.
    auto& forms = parts_.catalog.claims().FindTarget(key)->drift.forms;
    const std::size_t known = forms->size();
    forms.Set(WithoutRefused(*forms, *result.refusal));
    if (forms->size() < known) {
      Report(work, WorkAction::kFailed, &error, ToString(error));
      return parts_.schedule.BeginAnew(key, now);
    }
  }
  const auto verdict = memory_.refused.Refused(work, result, now);
  if (verdict == RefusalMemory::Verdict::kAdditions) {
    Report(work, WorkAction::kFailed, &error, ToString(error));
    return parts_.schedule.BeginAnew(key, now);
  }
  if (verdict) work.decision.remedy = RemedyForPolicy(*result.refusal);
  FinishFailed(key, error, now);
}

/// The result of a write is on record, and known to the watchers of changes.
void WorkEnding::NoteStored(TargetEntry& target, const TargetUnderWork& work,
                            const WriteResult& result, store::StoreChange& change, const Now& now) {
  target.last_synced_digest = {};
  if (target.calls.ever_written && !work.reading.desired.restore) {
    auto event = parts_.oscillation.NoteRound(target.target,
                                              Sha256Digest::FromHex(work.reading.policy.digest),
                                              Sha256Digest::FromHex(result.policy.digest), now);
    if (event) change.events.push_back(*std::move(event));
  }
  recorder_.RecordWrite(target, work, result, change, now);
  if (result.etag_stood_still) {
    if (auto event = memory_.etags.NoteStoodStill(target, now))
      change.events.push_back(*std::move(event));
  }
  parts_.removals.holds().SettleApproval(*target.target, change);
}

/// An excess grant does not stay until the next check: a further write follows. False when nothing
/// has to be taken back, or the attempt was made just now.
bool WorkEnding::TakesBack(const TargetKey& key, TargetUnderWork& work, const WriteResult& result,
                           const Now& now) {
  if (result.take_back.empty() || work.decision.takes_back) return false;
  if (!parts_.schedule.work().Move(key, WorkPhase::kReadyToWrite, now.mono)) return false;
  auto job = std::make_shared<CheckJob>(WithDropped(*work.job, result.dropped));
  job->conditional = result.too_wide;
  job->trace = telemetry::MakeSpan(work.job->trace);
  work.origin.trace_parent = work.job->trace.span;
  work.job = std::move(job);
  work.reading.too_wide = result.too_wide;
  work.reading.take_back = result.take_back;
  work.decision.written = reconcilers::CountChanges(reconcilers::ComposePlan({}, result.take_back));
  work.decision.counted = {};
  work.decision.takes_back = true;
  return true;
}

/// The reading after the write differs from the written data. The policy is compared again, later
/// each time in a row: two opposing writers must not write at full speed.
Error WorkEnding::NoteContest(TargetEntry& target, store::StoreChange& change, const Now& now) {
  const bool etags = target.kind->traits().has_etags;
  Error error{
      Code::kAborted,
      std::string(
          "what was read right after the write is not what was written: another writer "
          "changed the policy at the same time, or the service does not show the write yet") +
          (etags ? "" : "; as the policy has no etag, what another one wrote may be lost") +
          "; it is compared again"};
  error.retry_after = parts_.schedule.recheck().AfterContest(++target.calls.failures);
  change.events.push_back({now.wall, EventType::kWarning, "WriteContested", "", target.target->name,
                           error.message, "bindery"});
  parts_.observer.WriteContested(*target.target);
  return error;
}

void WorkEnding::FinishFailed(const TargetKey& key, const Error& failure, const Now& now) {
  const Error error = memory_.doubts.Tempered(key, failure, now);
  if (!parts_.schedule.queue().AddedWhileTaken(key)) parts_.removals.pass().Leave(key);
  TargetUnderWork& work = parts_.schedule.work().At(key);
  TargetEntry& target = *parts_.catalog.claims().FindTarget(key);
  store::StoreChange change;
  ++target.calls.failures;
  target.last_synced_digest = {};
  bool absent = false;
  if (error.code == Code::kNotFound) {
    absent = memory_.doubts.IsAbsentForGood(target, now);
    if (absent) parts_.removals.Drop(*key, now);
    recorder_.RecordMissing(target, work, change, now);
  }
  SetStatuses(work, &error, change, now);
  const bool unreachable = work.job->connection == nullptr;
  if (unreachable) ForgetUnreachable(parts_.catalog, key, change, now);
  if (absent) ForgetMissing(parts_.catalog, work, parts_.settings.release_missing, change, now);
  if (absent || unreachable) {
    Forget(key, work, /*judged=*/false, change, now);
    if (parts_.catalog.claims().FindTarget(key) == nullptr) memory_.doubts.ForgetAbsence(key);
  }
  parts_.outbox.Record(std::move(change));
  const PendingRollback* rollback = parts_.rollbacks.Find(key);
  const bool gives_up =
      IsTerminal(error.code) && rollback != nullptr && rollback->revision == work.origin.restores;
  const std::string text = ToString(error);
  parts_.schedule.Answer(key, {false, "", text + parts_.rollbacks.FateText(key, gives_up)});
  Report(work, WorkAction::kFailed, &error, text);
  if (gives_up) GiveUpRollback(key, now);
  Finish(key, &error, now);
}

void WorkEnding::GiveUpRollback(const TargetKey& key, const Now& now) {
  store::StoreChange change;
  const PendingRollback given_up = parts_.rollbacks.GiveUp(key, change);
  const SuspendOrder order{given_up.suspended, /*suspend=*/false, given_up.actor};
  const std::vector<TargetKey> check =
      SetSuspended(parts_.catalog, parts_.rollbacks, order, change, now);
  parts_.outbox.Record(std::move(change));
  for (const TargetKey& target : check) parts_.schedule.CheckAnew(target, now);
}

}  // namespace bindery::controller
