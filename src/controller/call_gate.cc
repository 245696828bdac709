#include "controller/call_gate.h"

#include <utility>

namespace bindery {

void CallGate::SetLimits(std::map<std::string, CallLimits> limits) {
  limits_ = std::move(limits);
  for (auto& [key, entry] : budgets_) {
    const auto found = limits_.find(key.first);
    entry.budget.SetLimits(found == limits_.end() ? CallLimits{} : found->second);
  }
}

CallGate::Budget& CallGate::BudgetOf(const CallLane& lane) {
  const BudgetKey key(lane.provider, lane.quota_project);
  const auto found = budgets_.find(key);
  if (found != budgets_.end()) return found->second;
  const auto limits = limits_.find(lane.provider);
  CallBudget budget(limits == limits_.end() ? CallLimits{} : limits->second);
  return budgets_.emplace(key, Budget{std::move(budget), 0, 0}).first->second;
}

void CallGate::BeginRound() {
  for (auto& [key, entry] : budgets_) entry.put_off_now = 0;
}

CallGate::Verdict CallGate::Ask(const CallLane& lane, bool urgent, MonoTime now) {
  Budget& entry = BudgetOf(lane);
  const MonoTime next = entry.budget.NextCall(now);
  if (next > now) {
    const double rate = entry.budget.Rate(now);
    const std::chrono::duration<double> turn(
        rate > 0 ? static_cast<double>(entry.put_off_now++) / rate : 0);
    return {false, next + std::chrono::duration_cast<MonoTime::duration>(turn), false};
  }
  CircuitBreaker& breaker = hosts_[lane.host].breaker;
  if (!breaker.TryPass(urgent, now)) return {false, breaker.NextTry(urgent, now), true};
  entry.budget.TryTake(now);
  return {true, now, false};
}

bool CallGate::Ended(const CallLane& lane, const std::string& target, const Error* error,
                     const std::vector<RateLimitReading>& readings, MonoTime now) {
  Budget& entry = BudgetOf(lane);
  for (const RateLimitReading& reading : readings) entry.budget.Learn(reading, now);
  if (error != nullptr && error->code == Code::kResourceExhausted) {
    ++entry.refusals;
    entry.budget.Refused(error->retry_after, now);
  }
  Host& host = hosts_[lane.host];
  if (!host.breaker.Ended(target, error, now)) return false;
  hosts_away_ += host.breaker.open() ? 1 : -1;
  if (host.breaker.open()) ++host.openings;
  return true;
}

const CircuitBreaker* CallGate::BreakerOf(const std::string& host) const {
  const auto found = hosts_.find(host);
  return found == hosts_.end() ? nullptr : &found->second.breaker;
}

std::vector<CallGate::BudgetView> CallGate::Budgets(MonoTime now) {
  std::vector<BudgetView> views;
  for (auto& [key, entry] : budgets_) {
    views.push_back({key.first, key.second, entry.budget.Rate(now), entry.budget.Headroom(now),
                     entry.budget.Paused(now), entry.refusals});
  }
  return views;
}

std::vector<CallGate::HostView> CallGate::Hosts() const {
  std::vector<HostView> views;
  for (const auto& [name, host] : hosts_)
    views.push_back({name, host.breaker.open(), host.openings});
  return views;
}

}  // namespace bindery
