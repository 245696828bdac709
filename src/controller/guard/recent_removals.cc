#include "controller/guard/recent_removals.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace bindery::controller {

void RecentRemovals::SetLengths(const GuardLimits& limits) {
  declared_.SetLength(limits.window);
  adopted_.SetLength(limits.window);
  held_before_.SetLength(limits.window);
  foreign_.SetLength(limits.foreign_window);
}

void RecentRemovals::PassTime(const Now& now) {
  now_ = now;
  for (SlidingWindow* window : {&declared_, &adopted_, &foreign_}) window->PassTime(now);
}

void RecentRemovals::BeginPass(std::int64_t held_before) {
  held_before_.Note(held_before, now_.mono);
}

void RecentRemovals::LetGo(const Removals& target, const CountedRemovals& counted,
                           std::int64_t foreign) {
  const std::string key = target.target.Key();
  declared_.Reserve({key, target.provider, counted.declared});
  adopted_.Reserve({key, target.provider, counted.adopted});
  foreign_.Reserve({key, target.provider, foreign});
}

void RecentRemovals::TakeBack(const Target& target) {
  const std::string key = target.Key();
  for (SlidingWindow* window : {&declared_, &adopted_, &foreign_}) window->Release(key);
}

void RecentRemovals::Sent(const Target& target) {
  const std::string key = target.Key();
  for (SlidingWindow* window : {&declared_, &adopted_, &foreign_}) window->Sent(key);
}

void RecentRemovals::Answered(const Target& target, Outcome outcome) {
  if (outcome == Outcome::kMayHaveHappened) return;
  const std::string key = target.Key();
  const bool happened = outcome == Outcome::kHappened;
  for (SlidingWindow* window : {&declared_, &adopted_, &foreign_}) window->Answered(key, happened);
}

/// Until a service tells the time the clock of the machine and the record have to do.
void RecentRemovals::Restore(const store::RemovalRecord& removal) {
  if (!removal.open) restored_.push_back(removal);
  Restore(removal, removal.started);
}

void RecentRemovals::HearTime(const ClockJudgement& clock) {
  // Services tell whole seconds, and their times arrive late.
  constexpr std::chrono::seconds kDateError{5};
  if (clock.verdict == ClockJudgement::Verdict::kUnknown) return;
  for (SlidingWindow* window : {&declared_, &adopted_}) window->DropRestored();
  for (const store::RemovalRecord& removal : std::exchange(restored_, {})) {
    // The younger of its ages by the services and by the local clock: either may be wrong, or may
    // have been set since. A time to come is of a clock that was.
    WallTime at = removal.started + clock.ahead + kDateError;
    if (removal.started <= now_.wall) at = std::max(at, removal.started);
    Restore(removal, at);
  }
}

/// `at`: by the local clock of now. The later of it and when the outcome went on record counts,
/// unless that is still to come.
void RecentRemovals::Restore(const store::RemovalRecord& removal, WallTime at) {
  if (removal.ended && *removal.ended <= now_.wall) at = std::max(at, *removal.ended);
  const std::string key = removal.target.Key();
  declared_.Restore({key, removal.provider, removal.declared}, at, removal.open);
  adopted_.Restore({key, removal.provider, removal.adopted}, at, removal.open);
}

}  // namespace bindery::controller
