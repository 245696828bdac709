// Whether a call may go now: quotas, hosts that are away, and targets that hang.

#include <algorithm>

#include "controller/engine.h"

namespace bindery {

CallLane Engine::LaneOf(const TargetEntry& target) const {
  CallLane lane;
  lane.provider = target.provider.str();
  const auto connection = connections_.find(lane.provider);
  if (connection == connections_.end() || target.kind == nullptr) return lane;
  lane.host = connection->second->BaseUrl(target.kind->traits().service);
  lane.quota_project = connection->second->quota_project;
  if (lane.quota_project.empty()) {
    lane.quota_project = target.kind->QuotaProject(target.target->name);
  }
  return lane;
}

/// Asks for everything a read needs. Gives the target; null where it may not go now and waits for
/// its turn.
const TargetEntry* Engine::MayCheck(const WorkQueue::Taken& taken, const Now& now) {
  const TargetEntry* target = catalog_.FindTarget(taken.key);
  if (target == nullptr) {
    queue_.Done(taken.key);
    LeavePass(taken.key);
    return nullptr;
  }
  if (NeedsNoCall(taken.key, *target)) return target;
  // Targets whose calls hang keep to a part of the workers, so that the others always have some.
  if (target->slow && running_slow_ >= std::max<std::size_t>(settings_.concurrency / 4, 1)) {
    queue_.Done(taken.key);
    waiting_slow_.push_back(taken);
    return nullptr;
  }
  CallLane lane = LaneOf(*target);
  // One that failed before is no good to try whether a host is back.
  const bool changed = taken.priority == Priority::kChange;
  const CallGate::Verdict verdict = gate_.Ask(lane, changed || target->failures == 0, now.mono);
  if (verdict.go) {
    calls_.insert_or_assign(taken.key, std::move(lane));
    return target;
  }
  if (verdict.host_is_away && (changed || !target->checked)) TellHostIsAway(*target, lane, now);
  queue_.PutOff(taken, verdict.ask_again);
  return nullptr;
}

/// All that is declared on it is suspended, or its provider is not there. What became of a write
/// without an answer is looked up all the same.
bool Engine::NeedsNoCall(const TargetKey& key, const TargetEntry& target) const {
  if (!connections_.contains(target.provider.str())) return true;
  return !rollbacks_.contains(key) && target.unresolved == nullptr && catalog_.IsFrozen(key);
}

/// People who changed a manifest, or started the daemon anew, see why nothing comes of it.
void Engine::TellHostIsAway(const TargetEntry& target, const CallLane& lane, const Now& now) {
  const ResourceStatus status{ResourceState::kReconciling,
                              std::string(reason::kProgressingWithRetry),
                              "UNAVAILABLE: calls to " + lane.host + " wait until it answers; " +
                                  gate_.BreakerOf(lane.host)->last_error()};
  StoreChange change;
  for (ResourceEntry* entry : target.resources) {
    if (entry->rejected || entry->leaving() || entry->suspended()) continue;
    if (entry->status->state == ResourceState::kReady) continue;
    catalog_.SetStatus(*entry, status, now, change);
  }
  if (!change.empty()) actions_.changes.push_back(std::move(change));
}

/// `full`: lanes that had no room for a write of this round.
bool Engine::MayWrite(const TargetKey& key, CallLane lane, std::set<CallLane>& full,
                      const Now& now) {
  if (full.contains(lane)) return false;
  const CallGate::Verdict verdict = gate_.Ask(lane, true, now.mono);
  if (verdict.go) {
    calls_.insert_or_assign(key, std::move(lane));
    return true;
  }
  write_wake_ = std::min(write_wake_.value_or(verdict.ask_again), verdict.ask_again);
  full.insert(std::move(lane));
  return false;
}

void Engine::CallEnded(const TargetKey& key, const Error* error, const Now& now) {
  const auto call = calls_.find(key);
  if (call == calls_.end()) return;
  const CallLane lane = std::move(call->second);
  calls_.erase(call);
  std::vector<RateLimitReading> readings;
  if (const auto connection = connections_.find(lane.provider);
      connection != connections_.end() && connection->second->rate_limits != nullptr) {
    readings = connection->second->rate_limits->Take();
  }
  NoteDates(lane.provider);
  // Only of failures is it noted on which target they were.
  const std::string name = error == nullptr ? std::string() : key->Key();
  if (!gate_.Ended(lane, name, error, readings, now.mono)) return;
  const CircuitBreaker& breaker = *gate_.BreakerOf(lane.host);
  StoreChange change;
  Emit(change, breaker.open()
                   ? Event{now.wall, EventType::kWarning, "HostAway", "", "",
                           "no answers from " + lane.host +
                               ": calls to it wait, one at a time tries; " + breaker.last_error(),
                           "bindery"}
                   : Event{now.wall, EventType::kNormal, "HostBack", "", "",
                           lane.host + " answers again", "bindery"});
  actions_.changes.push_back(std::move(change));
}

/// What the provider's services said of the time.
void Engine::NoteDates(const std::string& provider) {
  const auto dates = dates_.find(provider);
  if (dates == dates_.end()) return;
  for (const ServiceDate& told : dates->second->Take()) {
    clock_witness_.Note(provider + "/" + told.service, told.date, told.at);
  }
}

void Engine::LeaveSlowLane() {
  --running_slow_;
  for (const WorkQueue::Taken& taken : std::exchange(waiting_slow_, {})) {
    queue_.Add(taken.key, taken.priority, taken.due);
  }
}

/// It only reads again, by the clock, what was as it is to be: whatever comes of it is news. At a
/// short interval there is always one.
bool Engine::IsMereRecheck(const TargetKey& key, const Work& work) const {
  const auto target = catalog_.targets().find(key);
  if (target == catalog_.targets().end() || work.phase != Phase::kChecking) return false;
  const bool wanted = work.taken.priority != Priority::kPeriodic || queue_.AddedWhileTaken(key) ||
                      rollbacks_.contains(key) || waiting_replies_.contains(key);
  const TargetEntry& entry = target->second;
  if (wanted || !entry.checked || entry.failures > 0 || entry.unresolved != nullptr) return false;
  return std::none_of(entry.resources.begin(), entry.resources.end(), [](const auto* resource) {
    return resource->status->state == ResourceState::kReconciling;
  });
}

bool Engine::Settled(int patience, MonoTime until) const {
  const bool works = std::any_of(work_.begin(), work_.end(), [this](const auto& item) {
    return !IsMereRecheck(item.first, item.second);
  });
  const bool held_up =
      std::any_of(waiting_slow_.begin(), waiting_slow_.end(),
                  [](const auto& taken) { return taken.priority == Priority::kChange; });
  if (works || held_up) return false;
  if (questions_ > 0) return false;
  const bool waits = !pass_pending_.empty() || queue_.Waiting(Priority::kChange) > 0;
  if (waits && gate_.Untroubled()) return false;
  return std::none_of(catalog_.targets().begin(), catalog_.targets().end(), [&](const auto& item) {
    return IsAwaited(item.first, item.second, patience, until);
  });
}

/// There is work on it that is worth waiting for.
bool Engine::IsAwaited(const TargetKey& key, const TargetEntry& target, int patience,
                       MonoTime until) const {
  if (target.failures == 0 && target.checked && !pass_pending_.contains(key)) return false;
  if (target.failures > patience || queue_.NotBefore(key) > until) return false;
  return gate_.TroubleOf(LaneOf(target)) <= patience;
}

}  // namespace bindery
