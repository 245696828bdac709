#include "controller/engine/engine.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "controller/evidence/removal_rules.h"
#include "controller/outbox/recheck_schedule.h"
#include "controller/work/settled.h"
#include "providers/bindery/own_kinds.h"

namespace bindery::controller {
namespace {

/// The end of an acceptance is as slow as the removal of a manifest's grants.
void TakeAcceptances(Catalog& catalog, AcceptanceWatch& acceptances) {
  if (acceptances.SetRules(catalog.treatments().Accepted())) catalog.ages().DoubtAll();
}

/// As RecheckSchedule::Plan. Targets that scans watch no more get a turn.
std::optional<Event> PlanRechecks(WorkSchedule& schedule, const Claims::Targets& targets,
                                  const Now& now) {
  auto event = schedule.recheck().Plan(targets, now);
  WorkQueue& queue = schedule.queue();
  for (const auto& [key, due] : schedule.recheck().TakeEnded()) {
    // The end of work under way says when the target is due next.
    if (!queue.IsTaken(key)) queue.Add(key, Priority::kPeriodic, due);
  }
  return event;
}

}  // namespace

Engine::Engine(const providers::Kinds& kinds, EngineObserver& observer, std::uint64_t seed)
    : catalog_(kinds),
      outbox_(observer),
      removals_(catalog_, rollbacks_, outbox_),
      oscillation_(catalog_),
      time_(catalog_),
      acceptances_(catalog_),
      schedule_({catalog_, observer, outbox_, removals_.guard(), removals_.pass(), rollbacks_},
                seed),
      flow_({catalog_, settings_, observer, outbox_, schedule_, removals_, rollbacks_, oscillation_,
             time_, acceptances_}),
      scans_({catalog_, settings_, outbox_, schedule_, removals_, oscillation_}),
      commands_({catalog_, outbox_, schedule_, removals_, rollbacks_, scans_}) {}

Engine::Engine(const Engine& from, EngineObserver& observer, const ClaimsPart* part)
    : Engine(from.catalog_.kinds(), observer, 1) {
  catalog_.CopyFrom(from.catalog_, part);
  EngineSettings settings = from.settings_;
  settings.quotas.clear();
  SetSettings(settings);
  schedule_.calls().SetConnections(from.schedule_.calls().connections());
  rollbacks_ = from.rollbacks_;
  removals_.CopyFrom(from.removals_);
  oscillation_.CopyFrom(from.oscillation_);
  time_.CopyFrom(from.time_);
  acceptances_.CopyFrom(from.acceptances_);
  flow_.CopyFrom(from.flow_);
}

void Engine::SetSettings(const EngineSettings& settings) {
  settings_ = settings;
  catalog_.SetSettings(settings.catalog);
  TakeAcceptances(catalog_, acceptances_);
  catalog_.evidence().rest().SetSettle(settings.settle);
  catalog_.evidence().rest().SetDistance(settings.look_distance);
  catalog_.claims().times().SetLeads(settings.expiry_warnings);
  GuardLimits limits = settings.guard;
  limits.foreign_window = std::min(limits.window, settings.recheck.interval);
  removals_.guard().SetLimits(limits);
  removals_.pass().SetSampleRatio(settings.trace_sample_ratio);
  schedule_.calls().SetLimits(settings.concurrency, settings.quotas);
  schedule_.recheck().SetSettings(settings.recheck, settings.exact_interval, settings.jitter);
  outbox_.SetInterval(settings.recheck.interval);
  oscillation_.SetInterval(settings.recheck.interval);
  flow_.ApplySettings();
}

void Engine::SetConnections(Connections connections) {
  std::set<std::string> providers;
  for (const auto& [provider, connection] : connections) providers.insert(provider);
  connections.insert_or_assign(providers::kOwnProvider, providers::OwnConnection());
  schedule_.calls().SetConnections(std::move(connections));
  time_.KeepProviders(providers);
  catalog_.project_names().ForgetFailures();
}

void Engine::Start(const StoredState& stored, const Now& now) {
  FinishLoad(catalog_.claims(), stored.open_drift, stored.intents);
  // Removals by a changed configuration since the last run wait as after a reload.
  if (catalog_.evidence().HasOtherRules()) {
    DoubtRemovals(catalog_.claims(), catalog_.evidence(), catalog_.ages());
  }
  // The acceptances of the last run, so that removals by the first scan are noticed.
  TakeAcceptances(catalog_, acceptances_);
  store::StoreChange change;
  removals_.guard().recent().PassTime(now);
  removals_.holds().Restore(stored, change);
  for (const auto& rollback : stored.rollbacks) RestoreRollback(rollback, change, now);
  for (const store::IntentRecord& intent : stored.intents) {
    if (catalog_.claims().FindTarget(intent.target) == nullptr) {
      change.finished_intents.push_back({intent.id, now.wall, "unknown"});
    }
  }
  outbox_.Record(std::move(change));
  scans_.AwaitFirst(now);
}

/// Rollbacks that the last run did not finish are finished by this run.
void Engine::RestoreRollback(const StoredState::Rollback& stored, store::StoreChange& change,
                             const Now& now) {
  const store::RollbackRecord& record = stored.record;
  const TargetEntry* target = catalog_.claims().FindTarget(record.target);
  if (target == nullptr) {
    change.forget_rollbacks.push_back(record.target);
    return;
  }
  const TargetKey key = target->target;
  if (rollbacks_.Restore(key, stored)) return;
  change.events.push_back({now.wall, EventType::kWarning, "RollbackGivenUp", "", record.target.name,
                           "revision " + std::to_string(record.revision) +
                               " is not on record any more: what is declared is enforced again",
                           "bindery"});
  flow_.ending().GiveUpRollback(key, now);
}

Engine::Actions Engine::Step(const Now& now) {
  removals_.guard().recent().PassTime(now);
  oscillation_.PassTime(now);
  if (removals_.pass().IsDue(now)) flow_.JudgePass(now);
  scans_.PassTime(now);
  // Until the first scan no check ends, so no next check has to be planned.
  if (!scans_.awaits_first()) {
    auto event = PlanRechecks(schedule_, catalog_.claims().targets(), now);
    if (event) outbox_.Record(*std::move(event));
  }
  schedule_.calls().BeginRound(now);
  flow_.SendWrites(now);
  PassTime(now);
  while (!scans_.awaits_first() && schedule_.work().running() < settings_.concurrency) {
    const std::optional<WorkSchedule::Next> next = schedule_.TakeNext(now);
    if (!next) break;
    flow_.Begin(*next, now);
  }
  outbox_.FlushTouches(now);
  return outbox_.Take();
}

void Engine::PassTime(const Now& now) {
  TimeWatch::Passed passed = time_.PassTime(!scans_.awaits_first(), now);
  store::StoreChange change;
  change.events = std::move(passed.events);
  outbox_.Record(std::move(change));
  for (const TargetKey& key : passed.check) schedule_.CheckAnew(key, now);
  if (scans_.awaits_first()) return;
  TakeAcceptances(catalog_, acceptances_);
  for (const TargetKey& key : acceptances_.PassTime(time_.clock(), now)) {
    schedule_.CheckAnew(key, now);
  }
}

Engine::Actions Engine::DrainRecords() {
  Outbox::Records records = outbox_.TakeRecords();
  // Tasks decided on but not handed out were counted as running.
  schedule_.work().CallsEnded(records.dropped_tasks);
  return std::move(records.actions);
}

std::optional<MonoTime> Engine::NextWake() const {
  std::optional<MonoTime> wake;
  const auto sooner = [&wake](std::optional<MonoTime> time) {
    if (time && (!wake || *time < *wake)) wake = time;
  };
  if (!scans_.awaits_first() && schedule_.work().running() < settings_.concurrency) {
    sooner(schedule_.queue().NextDue());
  }
  sooner(scans_.NextWake());
  sooner(removals_.pass().deadline());
  sooner(schedule_.calls().write_wake());
  sooner(time_.due());
  sooner(acceptances_.due());
  sooner(outbox_.TouchesDue());
  return wake;
}

bool Engine::Settled(int patience, MonoTime until) const {
  return !scans_.asks_questions() &&
         IsSettled(catalog_, schedule_, removals_.pass(), rollbacks_, {patience, until});
}

}  // namespace bindery::controller
