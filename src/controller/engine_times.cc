// What time does to grants: conditions begin and end without anything being changed.

#include <algorithm>
#include <utility>

#include "controller/engine.h"
#include "core/time_text.h"

namespace bindery {
namespace {

std::string InWords(std::int32_t grants) {
  return std::to_string(grants) + (grants == 1 ? " grant" : " grants");
}

}  // namespace

Event Engine::EventOf(const TimeCrossing& crossing, const ResourceEntry& entry, const Now& now) {
  const std::string grants = InWords(entry.grants);
  Event event{now.wall, EventType::kWarning, "GrantExpired", entry.name, entry.target->name, "",
              "bindery"};
  if (crossing.what == TimeCrossing::What::kExpiring) {
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(*crossing.ends - now.wall);
    event.reason = "GrantExpiring";
    event.message = "the condition of " + grants + " ends in " + FormatAge(left) + ", " +
                    FormatRfc3339(*crossing.ends);
  } else if (crossing.ends) {
    event.message = "the condition of " + grants + " ended " + FormatRfc3339(*crossing.ends);
  } else {
    event.message = "the condition of " + grants + " holds at no time";
  }
  return event;
}

/// True when the judgement is another one than before.
bool Engine::WeighClock(const Now& now) {
  using Verdict = ClockJudgement::Verdict;
  const Verdict before = clock_.verdict;
  clock_ = clock_witness_.Judge(now.wall, now.mono);
  if (clock_.verdict == before) return false;
  StoreChange change;
  if (clock_.verdict == Verdict::kDisputed) {
    Emit(change, {now.wall, EventType::kWarning, "ClockDisputed", "", "",
                  clock_.Why() + ": nothing is removed by time until they agree", "bindery"});
  } else if (before == Verdict::kDisputed && clock_.confirmed()) {
    Emit(change, {now.wall, EventType::kNormal, "ClockConfirmed", "", "",
                  "the services agree with the local clock again", "bindery"});
  }
  if (!change.empty()) actions_.changes.push_back(std::move(change));
  return true;
}

/// Nothing else says that the policy of that resource is to be another one now.
void Engine::CheckForTime(const std::string& name, const Now& now) {
  const ResourceEntry* entry = catalog_.FindResource(name);
  if (entry == nullptr || !entry->accepted || entry->target.empty()) return;
  const TargetKey key = entry->target;
  catalog_.FindTarget(key)->confirmed_body = {};
  Enqueue(key, Priority::kChange, now.mono);
}

/// While the time is not confirmed nothing is told of it, and what may have ended is left alone.
/// That it is looked at asks its service for the time, too.
void Engine::DoubtTime(bool news, const Now& now) {
  constexpr std::chrono::seconds kPeriod(10);
  GrantTimes& times = catalog_.times();
  const WallTime theirs = now.wall - clock_.ahead;
  times.Doubt(std::min(now.wall, theirs), std::max(now.wall, theirs));
  if (times.empty()) return;
  if (news) awaiting_time_.clear();
  if (news || !doubted_ || now.mono >= *doubted_ + kPeriod) {
    doubted_ = now.mono;
    for (const std::string& name : times.InDoubt()) {
      const ResourceEntry* entry = catalog_.FindResource(name);
      if (entry == nullptr || !catalog_.AwaitsTime(*entry)) continue;
      if (awaiting_time_.insert(name).second) CheckForTime(name, now);
    }
  }
  times_due_ = *doubted_ + kPeriod;
}

void Engine::PassTime(const Now& now) {
  times_due_.reset();
  const bool news = WeighClock(now);
  // What is on record may be outdated: a manifest may have been prolonged meanwhile.
  if (first_scan_by_) return;
  if (!clock_.confirmed()) return DoubtTime(news, now);
  for (const std::string& name : std::exchange(awaiting_time_, {})) CheckForTime(name, now);
  StoreChange change;
  for (const TimeCrossing& crossing : catalog_.times().Advance(now.wall)) {
    const ResourceEntry* entry = catalog_.FindResource(crossing.name);
    if (entry == nullptr || !entry->accepted || entry->target.empty()) continue;
    const bool worth_telling = crossing.what != TimeCrossing::What::kReturned && !crossing.told;
    if (worth_telling && !entry->leaving()) Emit(change, EventOf(crossing, *entry, now));
    if (crossing.what == TimeCrossing::What::kExpiring || !entry->options().remove_expired)
      continue;
    CheckForTime(crossing.name, now);
  }
  if (!change.empty()) actions_.changes.push_back(std::move(change));
  if (const auto next = catalog_.times().NextMoment()) {
    // Far moments are looked for again: the clock of the wall may be set.
    constexpr std::chrono::hours kPatience(1);
    const auto left = std::min<WallTime::duration>(*next - now.wall, kPatience);
    times_due_ = now.mono + std::chrono::duration_cast<MonoTime::duration>(left);
  }
}

}  // namespace bindery
