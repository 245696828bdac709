#include "controller/calls/call_gate.h"

#include <algorithm>
#include <utility>

#include "controller/calls/turns.h"

namespace bindery::controller {
namespace {

/// The configured limit counts all calls together; no host has this name.
constexpr const char* kOurLimit = "";

/// More names than a service has buckets for one API: further names are ignored.
constexpr std::size_t kMostBuckets = 8;

std::string NameCounter(const std::string& bucket) { return "bucket " + bucket; }

std::tuple<std::string, std::string, std::string> MakeKey(const QuotaKey& lane,
                                                          const std::string& counter) {
  return {lane.provider, lane.quota_project, counter};
}

/// For a service, our settings decide only the share that is left to further users.
CallLimits GetLimits(const std::map<std::string, CallLimits>& limits, const std::string& provider,
                     const std::string& counter) {
  const auto found = limits.find(provider);
  if (found == limits.end()) return {};
  if (counter == kOurLimit) return found->second;
  CallLimits service;
  service.headroom = found->second.headroom;
  return service;
}

}  // namespace

void CallGate::SetLimits(std::map<std::string, CallLimits> limits) {
  limits_ = std::move(limits);
  for (auto& [key, entry] : budgets_) {
    entry.budget.SetLimits(GetLimits(limits_, std::get<0>(key), std::get<2>(key)));
  }
}

CallGate::Budget& CallGate::At(const BudgetKey& key) {
  const auto found = budgets_.find(key);
  if (found != budgets_.end()) return found->second;
  CallBudget budget(GetLimits(limits_, std::get<0>(key), std::get<2>(key)));
  return budgets_.emplace(key, Budget{std::move(budget), 0, 0}).first->second;
}

/// All budgets that need room for a call: our own, the host's, and the budgets of the host's
/// buckets.
std::vector<CallGate::BudgetKey> CallGate::ListKeys(const QuotaKey& lane) const {
  std::vector<BudgetKey> keys = {MakeKey(lane, kOurLimit), MakeKey(lane, lane.host)};
  const auto named = buckets_.find({lane.provider, lane.api});
  if (named == buckets_.end()) return keys;
  for (const std::string& bucket : named->second)
    keys.push_back(MakeKey(lane, NameCounter(bucket)));
  return keys;
}

std::vector<CallGate::Budget*> CallGate::ListBudgets(const QuotaKey& lane) {
  std::vector<Budget*> all;
  for (const BudgetKey& key : ListKeys(lane)) all.push_back(&At(key));
  return all;
}

void CallGate::Learn(const QuotaKey& lane, const cloud::RateLimitReading& reading, MonoTime now) {
  const std::string& api = reading.api.empty() ? lane.api : reading.api;
  std::set<std::string>& named = buckets_[{lane.provider, api}];
  const bool has_name =
      !reading.bucket.empty() && (named.contains(reading.bucket) || named.size() < kMostBuckets);
  if (has_name) named.insert(reading.bucket);
  CallBudget& counted =
      At(MakeKey(lane, has_name ? NameCounter(reading.bucket) : lane.host)).budget;
  counted.Learn(reading, now);
  if (!reading.refused || !has_name) return;
  counted.Refused(reading.reset.count() > 0
                      ? std::optional<std::chrono::milliseconds>(reading.reset)
                      : std::nullopt,
                  now);
}

/// Pauses what the service counted the refused call in: the buckets of the API that are used up, as
/// the answer, or a different one just before, told; where no name was told, the host.
void CallGate::Refused(const QuotaKey& lane, const Error& error, MonoTime now) {
  bool told = false;
  if (const auto named = buckets_.find({lane.provider, lane.api}); named != buckets_.end()) {
    for (const std::string& bucket : named->second) {
      CallBudget& counted = At(MakeKey(lane, NameCounter(bucket))).budget;
      if (counted.Paused(now) == MonoTime::duration::zero()) continue;
      counted.Refused(error.retry_after, now);
      told = true;
    }
  }
  if (!told) At(MakeKey(lane, lane.host)).budget.Refused(error.retry_after, now);
}

void CallGate::BeginRound() {
  for (auto& [key, entry] : budgets_) entry.put_off_now = 0;
}

CallGate::Verdict CallGate::Acquire(const QuotaKey& lane, bool urgent, MonoTime now) {
  if (lets_all_go_) return {true, now, false};
  const std::vector<Budget*> budgets = ListBudgets(lane);
  Budget* latest = budgets.front();
  MonoTime next = latest->budget.NextCall(now);
  for (Budget* budget : budgets) {
    const MonoTime free = budget->budget.NextCall(now);
    if (free <= next) continue;
    next = free;
    latest = budget;
  }
  const auto turn = [latest](double rate) {
    return rate > 0 ? TurnAfter(latest->put_off_now++, rate) : MonoTime::duration();
  };
  if (next > now) return {false, next + turn(latest->budget.Rate(now)), false};
  CircuitBreaker& breaker = hosts_[lane.host].breaker;
  if (!breaker.TryPass(urgent, now)) {
    return {false, breaker.NextTry(urgent, now) + turn(/*rate=*/1), true};
  }
  for (Budget* budget : budgets) budget->budget.TryTake(now);
  return {true, now, false};
}

void CallGate::AlsoWent(const QuotaKey& lane, int calls, MonoTime now) {
  if (calls <= 0) return;
  for (Budget* budget : ListBudgets(lane)) budget->budget.Owe(calls, now);
}

bool CallGate::Release(const QuotaKey& lane, const std::string& target, const Error* error,
                       const std::vector<cloud::RateLimitReading>& readings, MonoTime now) {
  if (lets_all_go_) return false;
  for (const cloud::RateLimitReading& reading : readings) Learn(lane, reading, now);
  if (error != nullptr && error->code == Code::kResourceExhausted) {
    ++At(MakeKey(lane, kOurLimit)).refusals;
    Refused(lane, *error, now);
  } else {
    for (Budget* budget : ListBudgets(lane)) budget->budget.Succeeded(now);
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
  const CircuitBreaker* breaker = FindBreaker(lane.host);
  int failures = breaker == nullptr ? 0 : breaker->trips();
  for (const BudgetKey& key : ListKeys(lane)) {
    const auto budget = budgets_.find(key);
    if (budget != budgets_.end()) failures = std::max(failures, budget->second.budget.refusals());
  }
  return failures;
}

bool CallGate::Healthy() const {
  return std::none_of(hosts_.begin(), hosts_.end(),
                      [](const auto& host) { return host.second.breaker.open(); }) &&
         std::none_of(budgets_.begin(), budgets_.end(),
                      [](const auto& budget) { return budget.second.budget.refusals() > 0; });
}

double CallGate::Rate(const QuotaKey& lane, MonoTime now) {
  double slowest = 0;
  for (Budget* budget : ListBudgets(lane)) {
    const double rate = budget->budget.Rate(now);
    if (rate > 0 && (slowest <= 0 || rate < slowest)) slowest = rate;
  }
  return slowest;
}

MonoTime::duration CallGate::WritePatience(const QuotaKey& lane, MonoTime now) {
  constexpr std::chrono::seconds kUsual(10);
  constexpr double kCalls = 3;  // Of a slow quota: else a target would be read forever.
  const double rate = Rate(lane, now);
  if (rate <= 0) return kUsual;
  return kUsual + ToSeconds(kCalls / rate);
}

const CircuitBreaker* CallGate::FindBreaker(const std::string& host) const {
  const auto found = hosts_.find(host);
  return found == hosts_.end() ? nullptr : &found->second.breaker;
}

std::vector<CallGate::BudgetView> CallGate::Budgets(MonoTime now) {
  std::vector<BudgetView> views;
  for (auto& [key, entry] : budgets_) {
    const auto& [provider, project, counter] = key;
    // Budgets of one provider and project follow each other.
    if (views.empty() || views.back().provider != provider ||
        views.back().quota_project != project) {
      views.push_back({provider, project, 0, 1, {}, 0});
    }
    BudgetView& view = views.back();
    const double rate = entry.budget.Rate(now);
    if (rate > 0 && (view.rate <= 0 || rate < view.rate)) view.rate = rate;
    view.headroom = std::min(view.headroom, entry.budget.Headroom(now));
    view.paused = std::max(view.paused, entry.budget.Paused(now));
    view.refusals += entry.refusals;
  }
  return views;
}

std::vector<CallGate::HostView> CallGate::Hosts() const {
  std::vector<HostView> views;
  for (const auto& [name, host] : hosts_)
    views.push_back({name, host.breaker.open(), host.openings});
  return views;
}

}  // namespace bindery::controller
