// Recording: what the work on a target leaves in the store. Statuses are in engine_status.cc.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "controller/drift_cause.h"
#include "controller/drift_summary.h"
#include "controller/engine.h"
#include "reconcilers/principals.h"

namespace bindery {
namespace {

using std::chrono::milliseconds;

bool SameDifference(const DriftItem& a, const DriftItem& b) { return DriftKey(a) == DriftKey(b); }

std::string Counts(std::size_t adds, std::size_t removes) {
  return fmt::format("{} added, {} removed", adds, removes);
}

/// The differences, those marked that wait for the guard: what it withholds is removals.
std::vector<DriftItem> MarkHeld(std::vector<DriftItem> items, const std::vector<Grant>& removes) {
  if (removes.empty()) return items;
  for (DriftItem& item : items) {
    // The class of a changed condition removes a grant of the same role and principal.
    const bool removal = item.drift_class == DriftClass::kUndeclared ||
                         item.drift_class == DriftClass::kConditionChanged;
    const bool waits = std::any_of(removes.begin(), removes.end(), [&](const Grant& grant) {
      return grant.role == item.grant.role &&
             NormalPrincipal(grant.principal) == NormalPrincipal(item.grant.principal);
    });
    if (removal && waits) item.state = DriftState::kHeld;
  }
  return items;
}

/// What a write corrected, what it left, and what shows only now: the rest of a change that was
/// carried out in part, or the work of another writer.
std::vector<DriftItem> DriftAfterWrite(std::vector<DriftItem> items, const WriteResult& result,
                                       bool held) {
  const TargetPlan& left = result.left;
  std::vector<DriftItem> remaining =
      MarkHeld(left.drift, held ? left.removes : std::vector<Grant>{});
  for (DriftItem& item : items) {
    const auto still =
        std::find_if(remaining.begin(), remaining.end(),
                     [&](const DriftItem& other) { return SameDifference(item, other); });
    if (still == remaining.end()) {
      item.state = DriftState::kCorrected;
    } else {
      still->cause = item.cause;
      item = *still;
      remaining.erase(still);
    }
  }
  TakeCauses(items, result.contested ? DriftCause::kForeign : DriftCause::kUnknown, remaining);
  items.insert(items.end(), remaining.begin(), remaining.end());
  return items;
}

/// With what was known before and is still there, though nothing is judged about it now.
std::vector<DriftItem> WithKnown(std::vector<DriftItem> items, const TargetPlan& plan,
                                 const TargetEntry& target) {
  for (const DriftItem& item : plan.unjudged) {
    if (target.open_drift->contains(DriftKey(item))) items.push_back(item);
  }
  return items;
}

/// Nothing on the target is to be decided on anew: what waits for others is, when it has its turn.
bool IsSettled(const TargetUnderWork& work, const TargetEntry& target) {
  const bool waits = std::any_of(
      target.resources.begin(), target.resources.end(),
      [](const auto* entry) { return entry->status->state == ResourceState::kReconciling; });
  return !work.held && !waits && work.plan.impossible.empty() && !work.desired.restore;
}

bool IsBlocked(const TargetEntry& target) {
  return std::any_of(target.resources.begin(), target.resources.end(), [](const auto* entry) {
    return entry->status->reason == reason::kDependencyNotReady;
  });
}

/// Of work that ends without a write; `digest` names what the guard holds of it. Empty: it is
/// paused.
std::string OutcomeText(const TargetUnderWork& work, const TargetEntry& target,
                        const std::string& digest) {
  if (!digest.empty()) return "removals are held by the guard";
  if (work.held) return "removals were denied by an operator (bindery guard)";
  if (IsBlocked(target)) return "what is declared there waits for others (bindery get)";
  if (work.paused) return "";
  return target.open_drift->empty() ? "as declared" : "differences are reported, not repaired";
}

/// Re-checks are due by steps: what wakes a thread then serves many of them, and a hundredth of a
/// second is nothing to an interval.
MonoTime TakenUpTogether(MonoTime due) {
  using Steps = std::chrono::duration<std::int64_t, std::ratio<1, 50>>;
  return std::chrono::ceil<Steps>(due);
}

}  // namespace

/// A periodic check that began when it was due.
bool Engine::IsInTurn(const Work& work) const {
  const auto late = work.started - work.taken.due;
  return work.taken.priority == Priority::kPeriodic && late < std::chrono::seconds(5);
}

void Engine::Emit(StoreChange& change, Event event) {
  observer_.Happened(event);
  change.events.push_back(std::move(event));
}

void Engine::Answer(const TargetKey& key, const WorkAnswer& answer) {
  // Whoever asked while the work was under way is told of the work that is still to come.
  if (queue_.AddedWhileTaken(key)) return;
  const auto [begin, end] = waiting_replies_.equal_range(key);
  for (auto it = begin; it != end; ++it) {
    actions_.replies.push_back([reply = it->second, answer] { reply(answer); });
  }
  waiting_replies_.erase(begin, end);
}

void Engine::RecordDrift(TargetEntry& target, std::vector<DriftItem> items, bool corrected,
                         StoreChange& change, const Now& now) {
  std::vector<const DriftItem*> news;
  TargetEntry::Differences open;
  for (const DriftItem& item : items) {
    const std::string key = DriftKey(item);
    if (item.state != DriftState::kCorrected)
      open[key] = {item.drift_class, item.severity, item.cause};
    if (!target.open_drift->contains(key)) {
      news.push_back(&item);
      observer_.DriftFound(*target.target, item);
    }
    if (item.state == DriftState::kCorrected) {
      observer_.DriftCorrected(*target.target, item);
    }
  }
  if (!news.empty()) {
    const bool first = !target.ever_written && catalog_.settings().mode == Mode::kEnforce;
    const EventType type = AreOwnEdits(news) ? EventType::kNormal : EventType::kWarning;
    Emit(change, {now.wall, type, "DriftFound", "", target.target->name, DriftSummary(news, first),
                  "bindery", WorstOf(news)});
  }
  if (!items.empty() || !target.open_drift->empty()) {
    change.drift.push_back({*target.target, now.wall, std::move(items), corrected,
                            work_.at(target.target).read_before});
  }
  const bool gone = std::any_of(target.open_drift->begin(), target.open_drift->end(),
                                [&open](const auto& entry) { return !open.contains(entry.first); });
  if (gone) observer_.DriftGone(*target.target);
  target.open_drift.Set(std::move(open));
}

/// What a reading shows, while nothing was written after it.
void Engine::RecordSeen(TargetEntry& target, const Work& work, bool landed, StoreChange& change,
                        const Now& now) {
  std::vector<DriftItem> items = WithKnown(MarkHeld(work.plan.drift, work.kept), work.plan, target);
  RecordDrift(target, std::move(items), landed, change, now);
}

void Engine::FinishSkipped(const TargetKey& key, const Now& now) {
  LeavePass(key);
  Work& work = work_.at(key);
  StoreChange change;
  SetStatuses(key, work, nullptr, change, now);
  ForgetRemoved(key, work, change, now);
  Answer(key, {true, "", "not checked: suspended, or waiting for others"});
  if (!change.empty()) actions_.changes.push_back(std::move(change));
  Reschedule(key, nullptr, now);
}

/// The same answer as when all was found as declared, and nothing else was declared since: whatever
/// could be said of it is on record.
void Engine::FinishConfirmed(const TargetKey& key, const Work& work, TargetEntry& target,
                             const Now& now) {
  target.observed_at = now.wall;
  Touch(target, now);
  NoteHabit(target, work, now);
  Answer(key, {true, "", "as declared"});
  Report(work, "unchanged", nullptr, "");
  Reschedule(key, nullptr, now);
}

void Engine::FinishUnchanged(const TargetKey& key, const Now& now) {
  Work& work = work_.at(key);
  TargetEntry& target = *catalog_.FindTarget(key);
  StoreChange change;
  const bool landed = RecordObservation(target, work, change, now);
  if (target.is_lookup()) {
    RecordResult(target, work, change, now);
  } else {
    RecordSeen(target, work, landed, change, now);
  }
  if (!work.held) EndRollback(key, work.restores, change);
  SetStatuses(key, work, nullptr, change, now);
  const bool differs = !target.open_drift->empty();
  const bool as_declared = !differs && IsSettled(work, target) && !IsOutdated(key, work);
  target.confirmed_body = as_declared ? work.body : Sha256Digest{};
  const std::string digest = work.held && guard_.IsHeld(work.job->target) ? guard_.Digest() : "";
  WorkAnswer answer{!work.held && !IsBlocked(target), digest, OutcomeText(work, target, digest)};
  if (answer.message.empty()) answer.message = WhyPaused(key);
  // The target may go with the last of its resources.
  if (!work.held) ForgetRemoved(key, work, change, now);
  Answer(key, answer);
  Report(work, work.held ? "held" : differs ? "observed" : "unchanged", nullptr, "");
  actions_.changes.push_back(std::move(change));
  Reschedule(key, nullptr, now);
}

/// No answer: whether it landed is looked up before anything else is done.
void Engine::NoteUnanswered(TargetEntry& target, const Work& work, const WriteResult& result) {
  IntentRecord intent;
  intent.id = result.intent;
  intent.target = *target.target;
  intent.digest_before = work.policy.digest;
  intent.digest_desired = result.digest_desired;
  intent.actor = work.actor;
  target.unresolved = std::make_unique<IntentRecord>(std::move(intent));
}

void Engine::RecordWrite(TargetEntry& target, const Work& work, const WriteResult& result,
                         StoreChange& change, const Now& now) {
  RevisionRecord revision;
  revision.target = *target.target;
  revision.time = now.wall;
  revision.origin = result.contested       ? Origin::kObserved
                    : work.desired.restore ? Origin::kRollback
                                           : Origin::kWritten;
  revision.etag = result.written->etag;
  revision.digest = result.policy.digest;
  revision.policy = result.policy.body;
  if (!result.contested) revision.actor = work.actor;
  change.revisions.push_back(std::move(revision));
  TakeOver(target, *result.written, result.policy);
  target.ever_written = true;
  target.observed_at = now.wall;
  change.upsert_targets.push_back(target.Record());
  change.finished_intents.push_back({result.intent, now.wall, "landed"});
}

void Engine::FinishWritten(const TargetKey& key, WriteResult result, const Now& now) {
  Work& work = work_.at(key);
  TargetEntry& target = *catalog_.FindTarget(key);
  StoreChange change;
  if (!result.written) {
    const Error error = result.written.error().Wrap("write");
    if (result.intent != 0 && (error.outcome_unknown || error.code == Code::kCancelled)) {
      NoteUnanswered(target, work, result);
    } else if (result.intent != 0) {
      change.finished_intents.push_back({result.intent, now.wall, "refused"});
    }
    RecordSeen(target, work, /*landed=*/false, change, now);
    actions_.changes.push_back(std::move(change));
    FinishFailed(key, error, now);
    return;
  }
  target.confirmed_body = {};
  if (target.ever_written && !work.desired.restore) {
    NoteRound(key, Sha256Digest::FromHex(work.policy.digest),
              Sha256Digest::FromHex(result.policy.digest), now);
  }
  RecordWrite(target, work, result, change, now);
  std::vector<DriftItem> items = DriftAfterWrite(work.plan.drift, result, work.held);
  RecordDrift(target, WithKnown(std::move(items), result.left, target), true, change, now);
  SettleApproval(*key, change);
  const bool restored = work.desired.restore.has_value() && !work.held && !result.contested;
  if (restored) EndRollback(key, work.restores, change);
  work.seen = std::move(*result.written);
  work.policy = result.policy;
  work.plan.drift = result.left.drift;
  work.plan.impossible = result.left.impossible;
  const std::string counts = Counts(work.permitted.adds.size(), work.permitted.removes.size());
  Emit(change, {now.wall, EventType::kNormal, restored ? "PolicyRestored" : "PolicyWritten", "",
                target.target->name, counts, work.actor});
  const std::optional<Error> contest =
      result.contested ? std::optional(NoteContest(target, change, now)) : std::nullopt;
  SetStatuses(key, work, contest ? &*contest : nullptr, change, now);
  if (!work.held && result.read_back) ForgetRemoved(key, work, change, now);
  Answer(key, {!work.held && !contest, work.held ? guard_.Digest() : "",
               contest ? contest->message : counts});
  Report(work, "written", nullptr, counts);
  actions_.changes.push_back(std::move(change));
  Reschedule(key, contest ? &*contest : nullptr, now);
}

void Engine::FinishFailed(const TargetKey& key, const Error& error, const Now& now) {
  if (!queue_.AddedWhileTaken(key)) LeavePass(key);
  Work& work = work_.at(key);
  TargetEntry& target = *catalog_.FindTarget(key);
  StoreChange change;
  ++target.failures;
  target.confirmed_body = {};
  const bool missing = error.code == Code::kNotFound;
  const bool released = missing && RecordNotFound(key, target, work, change, now);
  SetStatuses(key, work, &error, change, now);
  if (released) ReleaseMissing(key, work, change, now);
  const auto rollback = rollbacks_.find(key);
  const bool gives_up = IsTerminal(error.code) && rollback != rollbacks_.end() &&
                        rollback->second.revision == work.restores;
  Answer(key, {false, "", ToString(error) + FateOfRollback(key, gives_up)});
  Report(work, "failed", &error, ToString(error));
  if (!change.empty()) actions_.changes.push_back(std::move(change));
  if (gives_up) GiveUpRollback(key, now);
  Reschedule(key, &error, now);
}

void Engine::Reschedule(const TargetKey& key, const Error* error, const Now& now) {
  constexpr std::chrono::seconds kSlow(2);
  const auto work = work_.find(key);
  const bool slow = error != nullptr && work != work_.end() && work->second.spent > kSlow;
  const bool in_turn = work != work_.end() && IsInTurn(work->second);
  TargetEntry* target = catalog_.FindTarget(key);
  if (target == nullptr) {
    Release(key);
    Unqueue(key);
    return;
  }
  target->slow = slow;
  target->checked = true;
  TellDependents(*target, now);
  if (error == nullptr || IsTerminal(error->code)) {
    target->failures = 0;
    if (rechecks_) {
      const milliseconds interval = PeriodOf(*target);
      // Whatever was checked together, at the start, after a change of many or after an outage, is
      // spread over the interval, so that reads come evenly ever after.
      const milliseconds wait =
          in_turn ? backoff_.Jittered(interval, settings_.jitter) : backoff_.Within(interval);
      queue_.Add(key, Priority::kPeriodic, TakenUpTogether(now.mono + wait));
      observer_.Queued(*target->target, /*retry=*/false);
    }
    Release(key);
    return;
  }
  milliseconds wait = backoff_.AfterFailure(target->failures);
  // A moved etag is nobody's fault and passes quickly: patience, but not idleness.
  if (error->code == Code::kAborted) {
    wait = std::min(wait, backoff_.Jittered(milliseconds(100), 0.5) * target->failures);
  }
  // The budget of its quota says when calls go on; the target itself did nothing wrong.
  if (error->code == Code::kResourceExhausted) wait = std::min(wait, backoff_.AfterFailure(1));
  if (error->retry_after) wait = std::max(wait, *error->retry_after);
  // What fails again and again must not come before what may well succeed.
  constexpr int kHopeful = 3;
  queue_.Add(key, target->failures > kHopeful ? Priority::kPeriodic : Priority::kRetry,
             now.mono + wait);
  observer_.Queued(*target->target, /*retry=*/true);
  Release(key);
}

}  // namespace bindery
