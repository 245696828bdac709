#include "controller/calls/call_budget.h"

#include <algorithm>
#include <cmath>

#include "cloud/retry_after.h"

namespace bindery::controller {
namespace {

using std::chrono::seconds;

constexpr double kSlowest = 0.1;  ///< Calls a second that refusals never push below.
constexpr seconds kGrowthPeriod(10);
constexpr double kGrowth = 1.25;
constexpr double kFarAbove = 8;  ///< Times the refused rate: the limit is not there any more.
constexpr seconds kWindow(1);
/// Whatever a service announces, one call goes after this time: the service, or a proxy, may be in
/// error.
constexpr seconds kLongestServicePause = cloud::kLongestRequestedWait;
constexpr double kSlowestAnnounced = 1.0 / kLongestServicePause.count();

}  // namespace

CallBudget::CallBudget(const CallLimits& limits)
    : limits_(limits), bucket_(limits.rate, limits.burst) {}

void CallBudget::SetLimits(const CallLimits& limits) { limits_ = limits; }

/// Updates the bucket's rate by all its limits.
void CallBudget::Settle(MonoTime now) {
  std::erase_if(announced_, [now](const auto& entry) { return entry.second.forget_at <= now; });
  while (taught_rate_ > 0 && now - grown_at_ >= kGrowthPeriod) {
    taught_rate_ *= kGrowth;
    grown_at_ += kGrowthPeriod;
    if (taught_rate_ > kFarAbove * taught_at_rate_) taught_rate_ = 0;
  }
  double rate = limits_.rate;
  double burst = limits_.burst;
  const auto restrict = [&rate, &burst](double other_rate, double other_burst) {
    if (rate > 0 && rate <= other_rate) return;
    burst = rate > 0 ? std::min(burst, other_burst) : other_burst;
    rate = other_rate;
  };
  for (const auto& [name, limit] : announced_) restrict(limit.rate, limit.burst);
  if (taught_rate_ > 0) restrict(taught_rate_, std::max(1.0, taught_rate_));
  bucket_.SetRate(rate, burst, now);
}

bool CallBudget::TryTake(MonoTime now) {
  Settle(now);
  if (now < paused_until_ || !bucket_.TryTake(now)) return false;
  if (now - window_start_ >= kWindow) {
    // A window that ended long ago says nothing of the present.
    rate_before_ = now - window_start_ < 2 * kWindow ? window_calls_ : 0;
    window_start_ = now;
    window_calls_ = 0;
  }
  ++window_calls_;
  return true;
}

void CallBudget::Owe(int calls, MonoTime now) {
  Settle(now);
  for (int i = 0; i < calls; ++i) bucket_.Owe(now);
  window_calls_ += calls;
}

MonoTime CallBudget::NextCall(MonoTime now) {
  Settle(now);
  return std::max(paused_until_, bucket_.NextToken(now));
}

/// If a service counts by the calendar, an even pace below the limit by the headroom never meets
/// the limit; if further users exhaust the limit nevertheless, no call goes before the limit is
/// full again.
void CallBudget::Learn(const cloud::RateLimitReading& reading, MonoTime now) {
  const double ours = reading.limit * (1 - limits_.headroom);
  Announced& announced = announced_[reading.bucket];
  announced.rate =
      std::max(ours / std::chrono::duration<double>(reading.period).count(), kSlowestAnnounced);
  announced.burst = std::max(1.0, std::floor(reading.limit * limits_.headroom / 2));
  announced.forget_at = now + std::max<seconds>(10 * reading.period, std::chrono::minutes(1));
  const bool used_up = reading.remaining <= reading.limit * limits_.headroom;
  // A reset beyond the period is none, whatever it was meant to be.
  const seconds reset = std::min({reading.reset, reading.period, kLongestServicePause});
  if (used_up) paused_until_ = std::max(paused_until_, now + reset);
}

/// Of the window before as well: a refusal may come right after a window began.
double CallBudget::SeenRate(MonoTime now) const {
  const std::chrono::duration<double> elapsed =
      std::max<MonoTime::duration>(now - window_start_, kWindow);
  return std::max(window_calls_ / elapsed.count(), rate_before_);
}

void CallBudget::Refused(std::optional<std::chrono::milliseconds> wait, MonoTime now) {
  constexpr int kMostDoublings = 6;
  constexpr seconds kLongestUnasked(60);
  const bool same_burst = now < paused_until_;
  if (!same_burst) {
    ++refusals_;
    if (announced_.empty()) {
      taught_at_rate_ = std::max(SeenRate(now), kSlowest);
      taught_rate_ = std::max(taught_at_rate_ / 2, kSlowest);
    }
  }
  std::chrono::milliseconds pause = std::min<std::chrono::milliseconds>(
      kLongestUnasked, seconds(1) * (1 << std::min(refusals_ - 1, kMostDoublings)));
  if (wait) pause = std::min<std::chrono::milliseconds>(*wait, kLongestServicePause);
  paused_until_ = std::max(paused_until_, now + pause);
  // Nothing is learned while nothing goes.
  grown_at_ = paused_until_;
}

void CallBudget::Succeeded(MonoTime now) {
  // Answers to calls from before the refusal say nothing.
  if (now >= paused_until_) refusals_ = 0;
}

double CallBudget::Rate(MonoTime now) {
  Settle(now);
  return bucket_.Rate();
}

double CallBudget::Headroom(MonoTime now) {
  Settle(now);
  return now < paused_until_ ? 0 : bucket_.Headroom(now);
}

MonoTime::duration CallBudget::Paused(MonoTime now) const {
  return std::max<MonoTime::duration>(paused_until_ - now, {});
}

}  // namespace bindery::controller
