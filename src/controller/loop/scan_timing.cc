#include "controller/loop/scan_timing.h"

#include <algorithm>
#include <utility>

namespace bindery::controller {

MonoTime ScanTiming::Hinted(MonoTime now) {
  // Hints keep putting the scan off; but not forever.
  constexpr std::chrono::seconds kLongest(2);
  if (!std::exchange(hint_pending_, true)) first_hint_ = now;
  return std::min(now + limits_.debounce, first_hint_ + kLongest);
}

std::optional<ScanMode> ScanTiming::Begin(ScanMode how, MonoTime now) {
  hint_pending_ = false;
  if (scanning_) {
    again_ = again_.value_or(how) == how ? how : ScanMode::kSettled;
    return std::nullopt;
  }
  // That something is gone is confirmed by looking for it, not by a hint of something else.
  const bool all = again_.value_or(how) != how || confirming_ || now >= full_due_;
  if (how == ScanMode::kHinted && all) how = ScanMode::kSettled;
  scanning_ = true;
  again_.reset();
  return how;
}

std::optional<ScanTiming::Next> ScanTiming::End(bool usable, bool complete, MonoTime now) {
  scanning_ = false;
  if (!usable) again_ = again_.value_or(ScanMode::kFull);
  if (complete) full_due_ = now + limits_.rescan_interval;
  if (hint_pending_) return std::nullopt;
  const MonoTime soon = now + limits_.debounce;
  return Next{again_ ? soon : std::max(soon, full_due_), again_.value_or(ScanMode::kFull)};
}

std::optional<ScanTiming::Next> ScanTiming::Confirm(bool missing, MonoTime now) {
  confirming_ = missing;
  if (!missing || hint_pending_) return std::nullopt;
  return Next{now + limits_.debounce, ScanMode::kSettled};
}

}  // namespace bindery::controller
