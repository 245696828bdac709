#include "controller/calls/cloud_calls.h"

#include <algorithm>

#include "controller/calls/quota_lane.h"

namespace bindery::controller {

void CloudCalls::SetLimits(std::size_t workers, std::map<std::string, CallLimits> quotas) {
  workers_ = workers;
  gate_.SetLimits(std::move(quotas));
}

void CloudCalls::SetConnections(Connections connections) {
  connections_ = std::move(connections);
  std::set<std::string> hosts;
  for (const auto& [provider, connection] : connections_) {
    for (const auto& [service, url] : connection->endpoints) hosts.insert(url);
  }
  gate_.KeepHosts(hosts);
}

std::shared_ptr<const cloud::Connection> CloudCalls::ConnectionTo(
    const std::string& provider) const {
  const auto connection = connections_.find(provider);
  return connection == connections_.end() ? nullptr : connection->second;
}

QuotaKey CloudCalls::LaneTo(const TargetEntry& target) const {
  QuotaKey lane;
  lane.provider = target.provider.str();
  const auto found = connections_.find(lane.provider);
  if (found == connections_.end() || target.kind == nullptr) return lane;
  const cloud::Connection& connection = *found->second;
  const std::string& name = target.target->name;
  const auto [api, first] = apis_.try_emplace(target.kind);
  if (first) api->second = NameApi(*target.kind, connection, name);
  return ChooseLane(std::move(lane.provider), *target.kind, connection, name, api->second);
}

WritePace::Lane CloudCalls::GetPace(const TargetEntry& target) const {
  const auto connection = connections_.find(target.provider.str());
  if (connection == connections_.end() || target.kind == nullptr || gate_.lets_all_go()) return {};
  const std::string& service = target.kind->traits().service;
  const auto rate = connection->second->write_rates.find(service);
  if (rate == connection->second->write_rates.end()) return {};
  return {connection->first, service, rate->second};
}

void CloudCalls::WakeForWrites(MonoTime turn) {
  write_wake_ = std::min(write_wake_.value_or(turn), turn);
}

void CloudCalls::BeginRound(const Now& now) {
  gate_.BeginRound();
  pace_.BeginRound(now.mono);
  write_wake_.reset();
  full_.clear();
}

CloudCalls::Turn CloudCalls::MayRead(const WorkQueue::Taken& taken, const TargetEntry& target,
                                     const Now& now) {
  Turn turn;
  // Targets with hanging calls are limited to a part of the workers, so that workers are left for
  // the rest.
  if (target.calls.slow && slow_ >= std::max<std::size_t>(workers_ / 4, 1)) {
    aside_.push_back(taken);
    turn.what = Turn::What::kAside;
    return turn;
  }
  if (taken.priority == Priority::kChange) {
    if (const auto later = pace_.ReadWaits(GetPace(target), now.mono)) {
      turn.what = Turn::What::kLater;
      turn.ask_again = *later;
      return turn;
    }
  }
  QuotaKey lane = LaneTo(target);
  // A target that failed before is unsuitable for probing a host.
  const bool urgent = taken.priority == Priority::kChange || target.calls.failures == 0;
  const CallGate::Verdict verdict = gate_.Acquire(lane, urgent, now.mono);
  if (verdict.go) {
    under_way_.insert_or_assign(taken.key, std::move(lane));
    return turn;
  }
  turn.what = Turn::What::kLater;
  turn.ask_again = verdict.ask_again;
  if (verdict.host_is_away) turn.away = std::move(lane.host);
  return turn;
}

bool CloudCalls::MayWrite(const TargetEntry& target, bool in_pace, const Now& now) {
  const WritePace::Lane pace = GetPace(target);
  if (in_pace) {
    if (const auto turn = pace_.WriteWaits(pace, target.target, now.mono)) {
      WakeForWrites(*turn);
      return false;
    }
  }
  QuotaKey lane = LaneTo(target);
  if (full_.contains(lane)) return false;
  const CallGate::Verdict verdict = gate_.Acquire(lane, true, now.mono);
  if (verdict.go) {
    under_way_.insert_or_assign(target.target, std::move(lane));
    pace_.Sent(pace, target.target, now.mono);
    return true;
  }
  WakeForWrites(verdict.ask_again);
  full_.insert(std::move(lane));
  return false;
}

bool CloudCalls::HandOver(const TargetKey& key) {
  const auto call = under_way_.find(key);
  if (call == under_way_.end()) return false;
  const CircuitBreaker* breaker = gate_.FindBreaker(call->second.host);
  if (breaker != nullptr && breaker->open()) return false;
  under_way_.erase(call);
  return true;
}

CloudCalls::Ended CloudCalls::End(const TargetKey& key, const Error* error, int readings,
                                  const Now& now) {
  const auto call = under_way_.find(key);
  if (call == under_way_.end()) return {};
  QuotaKey lane = std::move(call->second);
  under_way_.erase(call);
  Ended ended;
  ended.provider = lane.provider;
  // The readings of its quota belong to the sender of the calls.
  if (gate_.lets_all_go()) return ended;
  if (readings > 0) gate_.AlsoWent(lane, readings, now.mono);
  std::vector<cloud::RateLimitReading> limits;
  if (const auto connection = connections_.find(lane.provider);
      connection != connections_.end() && connection->second->rate_limits != nullptr) {
    limits = connection->second->rate_limits->Take();
  }
  // The name of the target is recorded only for failures.
  const std::string name = error == nullptr ? std::string() : key->Key();
  if (gate_.Release(lane, name, error, limits, now.mono)) {
    const CircuitBreaker& breaker = *gate_.FindBreaker(lane.host);
    ended.event = breaker.open() ? Event{now.wall,
                                         EventType::kWarning,
                                         "HostAway",
                                         "",
                                         "",
                                         "no answers from " + lane.host +
                                             ": calls to it wait, one at a time tries; " +
                                             breaker.last_error(),
                                         "bindery"}
                                 : Event{now.wall, EventType::kNormal,           "HostBack", "",
                                         "",       lane.host + " answers again", "bindery"};
  }
  return ended;
}

std::vector<WorkQueue::Taken> CloudCalls::EndSlow() {
  --slow_;
  return std::exchange(aside_, {});
}

int CloudCalls::ConsecutiveFailures(const TargetEntry& target) const {
  return gate_.ConsecutiveFailures(LaneTo(target));
}

MonoTime::duration CloudCalls::WritePatience(const TargetEntry& target, const Now& now) {
  return gate_.WritePatience(LaneTo(target), now.mono) +
         WritePace::LongestWait(GetPace(target), workers_);
}

}  // namespace bindery::controller
