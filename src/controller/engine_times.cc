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

void Engine::PassTime(const Now& now) {
  times_due_.reset();
  // What is on record may be outdated: a manifest may have been prolonged meanwhile.
  if (first_scan_by_) return;
  StoreChange change;
  for (const TimeCrossing& crossing : catalog_.times().Advance(now.wall)) {
    const ResourceEntry* entry = catalog_.FindResource(crossing.name);
    if (entry == nullptr || !entry->accepted || entry->target.empty()) continue;
    const bool worth_telling = crossing.what != TimeCrossing::What::kReturned && !crossing.told;
    if (worth_telling && !entry->leaving()) Emit(change, EventOf(crossing, *entry, now));
    if (crossing.what == TimeCrossing::What::kExpiring || !entry->options().remove_expired)
      continue;
    // Nothing else says that the policy is to be another one now.
    const TargetKey key = entry->target;
    catalog_.FindTarget(key)->confirmed_body = {};
    Enqueue(key, Priority::kChange, now.mono);
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
