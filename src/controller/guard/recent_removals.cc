#include "controller/guard/recent_removals.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace bindery {
namespace {

/// Services tell whole seconds, and their times arrive late.
constexpr std::chrono::seconds kDateError{5};

}  // namespace

/// The later of `at` and when its outcome went on record, unless that is still to come.
WallTime RecentRemovals::LocalTime(const RemovalRecord& removal, WallTime at) const {
  if (!removal.ended || *removal.ended > now_.wall) return at;
  return std::max(at, *removal.ended);
}

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

void RecentRemovals::BeginRun(std::int64_t held) {
  held_before_.Note(held + declared_.Total(), now_.mono);
}

void RecentRemovals::BeginPass(std::int64_t held_before) {
  held_before_.Note(held_before, now_.mono);
}

void RecentRemovals::LetGo(const Removals& target, const Amounts& amounts) {
  const std::string key = target.target.Key();
  declared_.Reserve({key, target.provider, amounts.declared});
  adopted_.Reserve({key, target.provider, amounts.adopted});
  foreign_.Reserve({key, target.provider, amounts.foreign});
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
  for (SlidingWindow* window : {&declared_, &adopted_, &foreign_}) {
    if (outcome == Outcome::kHappened) {
      window->Landed(key);
    } else {
      window->Refused(key);
    }
  }
}

/// Until a service tells the time the clock of the machine and the record have to do.
void RecentRemovals::Restore(const RemovalRecord& removal) {
  if (!removal.open) restored_.push_back(removal);
  Restore(removal, LocalTime(removal, removal.started));
}

void RecentRemovals::HearTime(const ClockJudgement& clock) {
  if (clock.verdict == ClockJudgement::Verdict::kUnknown) return;
  for (SlidingWindow* window : {&declared_, &adopted_}) window->DropRestored();
  for (const RemovalRecord& removal : std::exchange(restored_, {})) {
    // The younger of its ages by the services and by the local clock: either may be wrong, or may
    // have been set since. A time to come is of a clock that was.
    WallTime at = removal.started + clock.ahead + kDateError;
    if (removal.started <= now_.wall) at = std::max(at, removal.started);
    Restore(removal, LocalTime(removal, at));
  }
}

/// `at`: by the local clock of now.
void RecentRemovals::Restore(const RemovalRecord& removal, WallTime at) {
  const auto restore = [&](SlidingWindow& window, std::int64_t count) {
    window.Restore({removal.target.Key(), removal.provider, count}, at, removal.open);
  };
  restore(declared_, removal.declared);
  restore(adopted_, removal.adopted);
}

}  // namespace bindery
