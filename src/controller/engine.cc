// Scheduling: which target is worked on next. Judging is in engine_pass.cc, recording in
// engine_finish.cc.

#include "controller/engine.h"

#include <algorithm>
#include <utility>

#include "controller/drift_cause.h"

namespace bindery {
namespace {

/// How long what the last run left waits for the directory to be read. Then it is enforced as it
/// is.
constexpr std::chrono::seconds kScanPatience(5);

}  // namespace

Engine::Engine(const Kinds& kinds, EngineObserver& observer, std::uint64_t seed)
    : catalog_(kinds), observer_(observer), backoff_(seed) {}

void Engine::SetSettings(const EngineSettings& settings) {
  settings_ = settings;
  catalog_.SetSettings(settings.catalog);
  catalog_.evidence().SetSettle(settings.settle);
  GuardLimits limits = settings.guard;
  limits.foreign_window = std::min(limits.window, settings.recheck.interval);
  guard_.SetLimits(limits);
  gate_.SetLimits(settings.quotas);
  recheck_.SetLimits(settings.recheck);
  oscillation_.SetLimits(OscillationBreaker::LimitsFor(settings.recheck.interval));
  catalog_.times().SetLeads(settings.expiry_warnings);
  recheck_planned_.reset();
}

void Engine::SetConnections(Connections connections) {
  connections_ = std::move(connections);
  std::set<std::string> hosts;
  std::set<std::string> providers;
  for (const auto& [provider, connection] : connections_) {
    providers.insert(provider);
    for (const auto& [service, url] : connection->endpoints) hosts.insert(url);
  }
  gate_.KeepHosts(hosts);
  clock_witness_.KeepProviders(providers);
  catalog_.project_names().ForgetFailures();
}

void Engine::Start(const StoredState& stored, const Now& now) {
  catalog_.EndLoad(stored.open_drift, stored.intents);
  StoreChange change;
  guard_.PassTime(now);
  RestoreGuard(stored, change);
  for (const auto& rollback : stored.rollbacks) RestoreRollback(rollback, change, now);
  for (const IntentRecord& intent : stored.intents) {
    if (catalog_.FindTarget(intent.target) == nullptr) {
      change.finished_intents.push_back({intent.id, now.wall, "unknown"});
    }
  }
  if (!change.empty()) actions_.changes.push_back(std::move(change));
  for (const auto& [key, target] : catalog_.targets()) {
    pass_pending_.insert(key);
    // A write that may or may not have landed is looked up before anything else.
    Enqueue(key, target.unresolved ? Priority::kChange : Priority::kRetry, now.mono);
  }
  if (pass_pending_.empty()) return;
  TracePass(pass_pending_.size(), now);
  first_scan_by_ = now.mono + kScanPatience;
  pass_deadline_ = *first_scan_by_ + kPassPatience;
}

Engine::Scanned Engine::Scan(const ScanInput& scan, const Now& now) {
  guard_.PassTime(now);
  catalog_.evidence().Looked(scan.facts, scan.digest, now);
  // Since the start all wait for a check already, and none was begun.
  const bool all_wait = std::exchange(first_scan_by_, std::nullopt).has_value();
  if (all_wait && !pass_pending_.empty()) pass_deadline_ = now.mono + kPassPatience;
  Scanned scanned = TakeScan(scan, all_wait, now);
  last_scan_.reset();
  if (!catalog_.has_templates() && !catalog_.awaits_forget() && !catalog_.project_names().waits()) {
    return scanned;
  }
  last_scan_ = scan;
  last_scan_->edit.reset();
  last_scan_->again = true;
  last_scan_->remember.clear();
  last_scan_->unremember.clear();
  return scanned;
}

Engine::Scanned Engine::TakeScan(const ScanInput& scan, bool all_wait, const Now& now) {
  ScanOutcome outcome = catalog_.ApplyScan(scan, now, all_wait);
  Scanned scanned{outcome.confirm, std::move(outcome.conflicts), std::move(outcome.previews),
                  outcome.changed_targets.size()};
  for (const Event& event : outcome.change.events) observer_.Happened(event);
  LetGoOf(outcome.change.forget_targets, now);
  actions_.changes.push_back(std::move(outcome.change));
  const std::size_t pending = pass_pending_.size();
  if (outcome.changed_targets.empty()) {
    LookEnded({}, now);
    return scanned;
  }
  guard_.BeginPass(outcome.declared_before);
  for (const TargetKey& key : outcome.changed_targets) {
    if (catalog_.FindTarget(key) == nullptr) continue;
    // What was decided on and not begun yet was decided for a declaration that is no more.
    const auto work = work_.find(key);
    if (work != work_.end() &&
        (work->second.phase == Phase::kParked || work->second.phase == Phase::kReadyToWrite)) {
      Release(key);
    }
    oscillation_.Reset(key);
    pass_pending_.insert(key);
    Enqueue(key, Priority::kChange, now.mono);
  }
  BeginPass(pass_pending_.size() - pending, now);
  LookEnded(outcome.changed_targets, now);
  return scanned;
}

void Engine::NotRecorded(const Now& now) {
  constexpr std::chrono::seconds kPatience(2);
  catalog_.Distrust();
  if (!distrust_at_) distrust_at_ = now.mono + kPatience;
}

/// What was kept for the sake of resources that are gone by now can go as well.
void Engine::CheckFreed(const Now& now) {
  for (const TargetKey& key : catalog_.TakeFreed()) {
    if (catalog_.FindTarget(key) != nullptr) Enqueue(key, Priority::kChange, now.mono);
  }
}

/// The resources of a target were looked at: whoever waited for one of them may have its turn.
void Engine::TellDependents(const TargetEntry& target, const Now& now) {
  const Catalog::Awakened awakened = catalog_.Awaken(target);
  resolve_due_ = resolve_due_ || awakened.resolve;
  for (const TargetKey& key : awakened.targets) Enqueue(key, Priority::kChange, now.mono);
}

void Engine::Enqueue(const TargetKey& key, Priority priority, MonoTime due) {
  queue_.Add(key, priority, due);
  if (const TargetEntry* target = catalog_.FindTarget(key); target != nullptr) {
    observer_.Queued(*target->target, /*retry=*/false);
  }
}

Engine::Actions Engine::Step(const Now& now) {
  guard_.PassTime(now);
  if (now.mono >= sweep_due_) {
    oscillation_.Sweep(now.mono);
    sweep_due_ = now.mono + settings_.recheck.interval;
  }
  if (pass_deadline_ && (pass_pending_.empty() || now.mono >= *pass_deadline_)) JudgePass(now);
  // Before anything is taken up: nothing may go by an output that is no more.
  if (std::exchange(resolve_due_, false) && last_scan_) TakeScan(*last_scan_, false, now);
  CheckFreed(now);
  AskForProjects(now);
  if (first_scan_by_ && now.mono >= *first_scan_by_) first_scan_by_.reset();
  // Until then no check ends, whose next one would have to be planned.
  if (!first_scan_by_) PlanRechecks(now);
  if (distrust_at_ && now.mono >= *distrust_at_) {
    distrust_at_.reset();
    StoreChange change;
    change.generation = catalog_.LastGeneration();
    actions_.changes.push_back(std::move(change));
  }
  gate_.BeginRound();
  DispatchWrites(now);
  PassTime(now);
  while (!first_scan_by_ && running_ < settings_.concurrency) {
    const std::optional<WorkQueue::Taken> taken = queue_.Take(now.mono);
    if (!taken) break;
    const TargetEntry* target = MayCheck(*taken, now);
    if (target != nullptr) StartCheck(*taken, *target, now);
  }
  FlushTouches(now);
  Actions actions = std::move(actions_);
  actions_ = {};
  return actions;
}

Engine::Actions Engine::DrainRecords() {
  RecordTouches();
  Actions records;
  records.changes = std::exchange(actions_.changes, {});
  records.replies = std::exchange(actions_.replies, {});
  // Tasks decided on but not handed out were counted as running.
  running_ -= actions_.checks.size() + actions_.writes.size();
  actions_ = {};
  return records;
}

void Engine::StartCheck(const WorkQueue::Taken& taken, const TargetEntry& target, const Now& now) {
  Work& work = work_.insert_or_assign(taken.key, Work{}).first->second;
  work.taken = taken;
  work.started = now.mono;
  if (target.observed) work.read_before = target.observed_at;
  work.slow = target.slow;
  if (work.slow) ++running_slow_;
  observer_.Taken(*target.target, std::max<MonoTime::duration>(now.mono - taken.due, {}));
  const auto job = std::make_shared<CheckJob>(catalog_.JobOf(target));
  work.job = job;
  job->timeout = settings_.call_timeout;
  if (target.unresolved) job->unanswered = target.unresolved->digest_desired;
  job->observed = target.observed;
  job->last_policy = target.policy_digest;
  BeginTrace(taken.key, work, *job);
  const TraceScope scope(job->trace);
  work.rules = catalog_.rules_in_use();
  if (const auto rollback = rollbacks_.find(taken.key); rollback != rollbacks_.end()) {
    job->restore = rollback->second.policy;
    work.restores = rollback->second.revision;
    work.actor = rollback->second.actor;
  } else if (target.unresolved == nullptr && !target.confirmed_body.empty()) {
    job->known_body = target.confirmed_body;
  }
  const auto connection = connections_.find(target.provider.str());
  if (connection == connections_.end()) {
    Error error;
    error.code = Code::kFailedPrecondition;
    error.message = "the configuration has no provider \"" + target.provider.str() + "\"";
    FinishFailed(taken.key, error, now);
    return;
  }
  job->connection = connection->second;
  if (!calls_.contains(taken.key)) {
    // It needs no call, as it is suspended altogether: not even read.
    FinishSkipped(taken.key, now);
    return;
  }
  ++running_;
  actions_.checks.push_back({taken.key, work.job});
}

void Engine::DispatchWrites(const Now& now) {
  write_wake_.reset();
  std::deque<TargetKey> waiting;
  std::set<CallLane> full;
  while (!ready_to_write_.empty() && running_ < settings_.concurrency) {
    const TargetKey key = std::move(ready_to_write_.front());
    ready_to_write_.pop_front();
    const auto found = work_.find(key);
    if (found == work_.end() || found->second.phase != Phase::kReadyToWrite) continue;
    const TargetEntry* target = catalog_.FindTarget(key);
    if (target == nullptr) {
      Release(key);
      continue;
    }
    CallLane lane = LaneOf(*target);
    const MonoTime::duration age = now.mono - found->second.ready_at;
    if (IsOutdated(key, found->second) || age > gate_.WritePatience(lane, now.mono)) {
      // It waited so long that what it was decided on may be no more.
      Release(key);
      Enqueue(key, Priority::kChange, now.mono);
      continue;
    }
    if (!MayWrite(key, std::move(lane), full, now)) {
      waiting.push_back(key);
      continue;
    }
    Work& work = found->second;
    work.phase = Phase::kWriting;
    guard_.Sent(*key);
    ++running_;
    const auto timeout = WriteTimeoutOf(*work.job, work.seen);
    // What was seen is of use to nobody but the write any more.
    actions_.writes.push_back(
        {key, WriteJob{work.job, timeout, work.desired, std::exchange(work.seen, {}),
                       work.permitted, target->PolicyName(), work.actor, now.wall, work.counted}});
  }
  ready_to_write_.insert(ready_to_write_.begin(), waiting.begin(), waiting.end());
}

void Engine::Checked(const TargetKey& key, CheckResult result, const Now& now) {
  --running_;
  guard_.PassTime(now);
  const bool answered = result.unchanged || result.observed;
  CallEnded(key, answered ? nullptr : &result.observed.error(), now);
  NoteAbsence(key, answered ? nullptr : &result.observed.error());
  // What was added meanwhile is still to be read in the pass.
  if (!queue_.AddedWhileTaken(key)) LeavePass(key);
  const auto found = work_.find(key);
  if (found == work_.end()) return;
  Work& work = found->second;
  const TraceScope scope(work.job->trace);
  work.spent += result.duration;
  TargetEntry* const target = catalog_.FindTarget(key);
  if (target == nullptr) {
    // Its last manifest went while it was being read.
    Release(key);
    Answer(key, {true, "", "nothing is declared on it any more"});
    return;
  }
  if (result.unchanged) {
    FinishConfirmed(key, work, *target, now);
    return;
  }
  work.desired = std::move(result.desired);
  for (const Claim& claim : work.desired.claims) {
    ResourceEntry* entry = claim.fault.empty() ? nullptr : catalog_.FindResource(claim.resource);
    if (entry != nullptr && !entry->unreadable) catalog_.NoteUnreadable(*entry, claim.fault);
  }
  if (!result.observed) {
    FinishFailed(key, result.observed.error(), now);
    return;
  }
  if (IsDoubtful(key, *target, result, now)) {
    FinishDoubtful(key, result.observed->grants.size(), now);
    return;
  }
  work.body = result.body;
  work.seen = std::move(*result.observed);
  work.plan = std::move(result.plan);
  KeepCauses(*target->open_drift, work.plan.drift);
  work.policy = std::move(result.policy);
  work.grants_digest = std::move(result.grants_digest);
  NoteHabit(*target, work, now);
  Decide(key, work, now);
}

void Engine::Written(const TargetKey& key, WriteResult result, const Now& now) {
  --running_;
  guard_.PassTime(now);
  if (const auto call = calls_.find(key); call != calls_.end()) {
    gate_.AlsoWent(call->second, result.readings, now.mono);
  }
  CallEnded(key, result.written ? nullptr : &result.written.error(), now);
  const auto found = work_.find(key);
  if (found == work_.end()) return;
  const TraceScope scope(found->second.job->trace);
  found->second.spent += result.duration;
  NoteOutcome(found->second, result);
  if (catalog_.FindTarget(key) == nullptr) {
    if (result.intent != 0) {
      StoreChange change;
      change.finished_intents.push_back(
          {result.intent, now.wall, result.written ? "landed" : "unknown"});
      actions_.changes.push_back(std::move(change));
    }
    Release(key);
    Answer(key, {true, "", "nothing is declared on it any more"});
    return;
  }
  FinishWritten(key, std::move(result), now);
}

void Engine::Release(const TargetKey& key) {
  const auto work = work_.find(key);
  const bool slow = work != work_.end() && work->second.slow;
  if (work != work_.end()) work_.erase(work);
  guard_.TakeBack(*key);
  queue_.Done(key);
  if (slow) LeaveSlowLane();
}

std::optional<MonoTime> Engine::NextWake() const {
  std::optional<MonoTime> wake;
  const auto sooner = [&wake](std::optional<MonoTime> time) {
    if (time && (!wake || *time < *wake)) wake = time;
  };
  if (first_scan_by_) {
    sooner(first_scan_by_);
  } else if (running_ < settings_.concurrency) {
    sooner(queue_.NextDue());
  }
  sooner(pass_deadline_);
  sooner(write_wake_);
  sooner(distrust_at_);
  sooner(times_due_);
  for (const auto& [question, due] : ask_again_) sooner(due);
  if (!touched_.touch_targets.empty()) sooner(touches_due_);
  return wake;
}

std::map<std::string, std::size_t> Engine::DueTargets(Priority priority, MonoTime now) const {
  std::map<std::string, std::size_t> counts;
  const auto count = [&counts](const TargetKey& key) { ++counts[key->kind]; };
  for (const WorkQueue::Taken& taken : waiting_slow_) {
    if (taken.priority == priority) count(taken.key);
  }
  queue_.ForEachDue(priority, now, count);
  return counts;
}

Engine::Unfinished Engine::UnfinishedWork(const std::string& kind, MonoTime now) const {
  Unfinished unfinished;
  for (const auto& [key, work] : work_) {
    if (work.job->target.kind.str() != kind) continue;
    unfinished.total += now - work.started;
    unfinished.longest = std::max(unfinished.longest, now - work.started);
  }
  return unfinished;
}

}  // namespace bindery
