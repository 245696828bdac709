#include "controller/call_gate.h"

#include <algorithm>
#include <utility>

#include "controller/turns.h"

namespace bindery {

void CallGate::SetLimits(std::map<std::string, CallLimits> limits) {
  limits_ = std::move(limits);
  for (auto& [key, entry] : budgets_) {
    const auto found = limits_.find(key.first);
    entry.budget.SetLimits(found == limits_.end() ? CallLimits{} : found->second);
  }
}

CallGate::Budget& CallGate::BudgetOf(const QuotaKey& lane) {
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

CallGate::Verdict CallGate::Acquire(const QuotaKey& lane, bool urgent, MonoTime now) {
  if (lets_all_go_) return {true, now, false};
  Budget& entry = BudgetOf(lane);
  const auto turn = [&entry](double rate) {
    return rate > 0 ? TurnAfter(entry.put_off_now++, rate) : MonoTime::duration();
  };
  const MonoTime next = entry.budget.NextCall(now);
  if (next > now) return {false, next + turn(entry.budget.Rate(now)), false};
  CircuitBreaker& breaker = hosts_[lane.host].breaker;
  if (!breaker.TryPass(urgent, now)) {
    return {false, breaker.NextTry(urgent, now) + turn(/*rate=*/1), true};
  }
  entry.budget.TryTake(now);
  return {true, now, false};
}

void CallGate::AlsoWent(const QuotaKey& lane, int calls, MonoTime now) {
  if (calls > 0) BudgetOf(lane).budget.Owe(calls, now);
}

bool CallGate::Release(const QuotaKey& lane, const std::string& target, const Error* error,
                       const std::vector<RateLimitReading>& readings, MonoTime now) {
  if (lets_all_go_) return false;
  Budget& entry = BudgetOf(lane);
  for (const RateLimitReading& reading : readings) entry.budget.Learn(reading, now);
  if (error != nullptr && error->code == Code::kResourceExhausted) {
    ++entry.refusals;
    entry.budget.Refused(error->retry_after, now);
  } else {
    entry.budget.Succeeded(now);
  }
  Host& host = hosts_[lane.host];
  if (!host.breaker.Ended(target, error, now)) return false;
  if (host.breaker.open()) ++host.openings;
  return true;
}

void CallGate::KeepHosts(const std::set<std::string>& hosts) {
  for (auto& [name, host] : hosts_) {
    if (!hosts.contains(name)) host.breaker = {};
  }
}

int CallGate::ConsecutiveFailures(const QuotaKey& lane) const {
  const CircuitBreaker* breaker = BreakerOf(lane.host);
  const auto budget = budgets_.find({lane.provider, lane.quota_project});
  return std::max(breaker == nullptr ? 0 : breaker->trips(),
                  budget == budgets_.end() ? 0 : budget->second.budget.refusals());
}

bool CallGate::Healthy() const {
  return std::none_of(hosts_.begin(), hosts_.end(),
                      [](const auto& host) { return host.second.breaker.open(); }) &&
         std::none_of(budgets_.begin(), budgets_.end(),
                      [](const auto& budget) { return budget.second.budget.refusals() > 0; });
}

MonoTime::duration CallGate::WritePatience(const QuotaKey& lane, MonoTime now) {
  constexpr std::chrono::seconds kUsual(10);
  constexpr double kCalls = 3;  // Of a slow quota: else a target would be read forever.
  const double rate = BudgetOf(lane).budget.Rate(now);
  if (rate <= 0) return kUsual;
  return kUsual + SecondsOf(kCalls / rate);
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
