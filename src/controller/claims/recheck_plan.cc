#include "controller/claims/recheck_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bindery::controller {
namespace {

using std::chrono::milliseconds;

constexpr double kMillisPerMinute = 60'000;
/// Nothing is left alone for longer, whatever the budget.
constexpr double kLongestMinutes = 7.0 * 24 * 60;

double Minutes(milliseconds time) { return static_cast<double>(time.count()) / kMillisPerMinute; }

milliseconds FromMinutes(double minutes) {
  return milliseconds(std::llround(minutes * kMillisPerMinute));
}

double GetRate(std::size_t level) {
  constexpr double kBelief = 0.1;
  return static_cast<double>(level) + kBelief;
}

double CountRequests(const RecheckPlan::Load& load,
                     const std::array<double, DriftRate::kLevels>& periods) {
  double sum = 0;
  for (std::size_t level = 0; level < periods.size(); ++level) {
    sum += static_cast<double>(load.targets[level]) / periods[level];
  }
  return sum;
}

}  // namespace

void DriftRate::Drifted(MonoTime now) {
  if (level + 1U < kLevels) ++level;
  since = now;
}

void DriftRate::Quiet(MonoTime now) {
  if (level == 0 || now - since < kMemory) return;
  --level;
  since = now;
}

std::size_t RecheckPlan::Load::Total() const {
  return std::accumulate(targets.begin(), targets.end(), std::size_t{0});
}

RecheckPlan::RecheckPlan() { SetLimits({}); }

void RecheckPlan::SetLimits(const RecheckLimits& limits) {
  limits_ = limits;
  Make({});
}

RecheckPlan::Periods RecheckPlan::PeriodsFor(double scale, double shortest, double longest) const {
  Periods periods{};
  for (std::size_t level = 0; level < periods.size(); ++level) {
    periods[level] = std::clamp(scale / std::sqrt(GetRate(level)), shortest, longest);
  }
  return periods;
}

void RecheckPlan::Make(const Load& load) {
  const double interval = Minutes(limits_.interval);
  const double total = static_cast<double>(load.Total());
  const bool budgeted = limits_.requests_per_minute > 0;
  const double shortest =
      limits_.shortest.count() > 0 ? std::min(Minutes(limits_.shortest), interval) : interval;
  const double wanted_longest = limits_.longest.count() > 0
                                    ? std::max(Minutes(limits_.longest), interval)
                                : budgeted ? kLongestMinutes
                                           : interval;
  // A single bound is a wish for more reads, or for fewer: if the other end stays, its period stays
  // too, and the remaining periods follow.
  const bool slower = limits_.longest.count() > 0;
  if (!budgeted && (limits_.shortest.count() > 0) != slower) {
    budget_too_small_ = false;
    const double quiet = slower ? wanted_longest : interval;
    periods_ = PeriodsFor(quiet * std::sqrt(GetRate(0)), shortest, wanted_longest);
    if (total == 0) periods_.fill(interval);
    return Summarise(load);
  }
  const double budget = budgeted ? std::max(limits_.requests_per_minute - load.fixed_per_minute,
                                            total / kLongestMinutes)
                                 : total / interval;
  double longest = wanted_longest;
  budget_too_small_ = budgeted && total / longest > budget * (1 + 1e-9);
  if (budget_too_small_) longest = kLongestMinutes;
  // The sum of requests falls as the scale grows: bisect for the smallest scale within the budget.
  double low = 0;
  double high = longest * std::sqrt(GetRate(DriftRate::kLevels));
  constexpr int kSteps = 60;
  for (int step = 0; step < kSteps && total > 0; ++step) {
    const double middle = (low + high) / 2;
    const bool affordable = CountRequests(load, PeriodsFor(middle, shortest, longest)) <= budget;
    (affordable ? high : low) = middle;
  }
  periods_ = PeriodsFor(total > 0 ? high : interval, shortest, longest);
  // Until targets exist.
  if (total == 0) periods_.fill(interval);
  Summarise(load);
}

void RecheckPlan::Summarise(const Load& load) {
  double rates = 0;
  double unseen = 0;
  double bound = Minutes(load.longest_fixed);
  for (std::size_t level = 0; level < periods_.size(); ++level) {
    if (load.targets[level] == 0) continue;
    const double rate = GetRate(level) * static_cast<double>(load.targets[level]);
    rates += rate;
    unseen += rate * periods_[level] / 2;
    bound = std::max(bound, periods_[level]);
  }
  bound_ = FromMinutes(bound);
  expected_ = FromMinutes(rates > 0 ? unseen / rates : 0);
  requests_per_minute_ = CountRequests(load, periods_) + load.fixed_per_minute;
}

milliseconds RecheckPlan::GetPeriod(const DriftRate& habit) const {
  return FromMinutes(periods_[std::min<std::size_t>(habit.level, periods_.size() - 1)]);
}

}  // namespace bindery::controller
