#include "controller/watch/time_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/text/time_text.h"

namespace bindery::controller {
namespace {

std::string GrantsInWords(std::int32_t grants) {
  return std::to_string(grants) + (grants == 1 ? " grant" : " grants");
}

Event MakeEvent(const TimeCrossing& crossing, const ResourceEntry& entry, const Now& now) {
  const std::string grants = GrantsInWords(entry.grants);
  Event event{now.wall,   EventType::kWarning,      "GrantExpired",
              entry.name, entry.place.target->name, "",
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

}  // namespace

void TimeWatch::NoteDates(const std::string& provider) {
  const auto dates = dates_.find(provider);
  if (dates == dates_.end()) return;
  for (const cloud::ServiceDate& told : dates->second->Take()) {
    witness_.Note(provider + "/" + told.service, told.date, told.at);
  }
}

TimeWatch::Passed TimeWatch::PassTime(bool scanned, const Now& now) {
  Passed passed;
  due_.reset();
  const bool news = WeighClock(now, passed.events);
  if (!scanned) return passed;
  if (!clock_.confirmed()) {
    Doubt(news, now, passed.check);
    return passed;
  }
  for (const std::string& name : std::exchange(awaiting_, {})) AddNamedTarget(name, passed.check);
  Advance(now, passed);
  return passed;
}

/// True when the judgement is a different one than before.
bool TimeWatch::WeighClock(const Now& now, std::vector<Event>& events) {
  const ClockJudgement::Verdict before = clock_.verdict;
  clock_ = Judge(now);
  if (clock_.verdict == before) return false;
  if (clock_.verdict == ClockJudgement::Verdict::kDisputed) {
    events.push_back({now.wall, EventType::kWarning, "ClockDisputed", "", "",
                      clock_.Why() + ": nothing is removed by time until they agree", "bindery"});
  } else if (before == ClockJudgement::Verdict::kDisputed && clock_.confirmed()) {
    events.push_back({now.wall, EventType::kNormal, "ClockConfirmed", "", "",
                      "the services agree with the local clock again", "bindery"});
  }
  return true;
}

/// Grants that may have ended are left alone. The check also asks the service for the time.
void TimeWatch::Doubt(bool news, const Now& now, std::vector<TargetKey>& check) {
  constexpr std::chrono::seconds kPeriod(10);
  GrantTimes& times = catalog_.claims().times();
  const WallTime theirs = now.wall - clock_.ahead;
  times.Doubt(std::min(now.wall, theirs), std::max(now.wall, theirs));
  if (times.empty()) return;
  if (news) awaiting_.clear();
  if (news || !doubted_ || now.mono >= *doubted_ + kPeriod) {
    doubted_ = now.mono;
    for (const std::string& name : times.InDoubt()) {
      const ResourceEntry* entry = catalog_.claims().FindResource(name);
      if (entry == nullptr || !catalog_.treatments().AwaitsTime(*entry)) continue;
      if (awaiting_.insert(name).second) AddNamedTarget(name, check);
    }
  }
  due_ = *doubted_ + kPeriod;
}

void TimeWatch::Advance(const Now& now, Passed& passed) {
  for (const TimeCrossing& crossing : catalog_.claims().times().Advance(now.wall)) {
    const ResourceEntry* entry = catalog_.claims().FindResource(crossing.name);
    if (entry == nullptr || !entry->accepted || entry->place.target.empty()) continue;
    const bool worth_telling = crossing.what != TimeCrossing::What::kReturned && !crossing.told;
    if (worth_telling && !entry->leaving()) {
      passed.events.push_back(MakeEvent(crossing, *entry, now));
    }
    if (crossing.what == TimeCrossing::What::kExpiring || !entry->options().remove_expired)
      continue;
    AddNamedTarget(crossing.name, passed.check);
  }
  const auto next = catalog_.claims().times().NextMoment();
  if (!next) return;
  // Far moments are looked for again: the local clock may be set.
  constexpr std::chrono::hours kPatience(1);
  const auto left = std::min<WallTime::duration>(*next - now.wall, kPatience);
  due_ = now.mono + std::chrono::duration_cast<MonoTime::duration>(left);
}

void TimeWatch::AddNamedTarget(const std::string& name, std::vector<TargetKey>& check) const {
  const ResourceEntry* entry = catalog_.claims().FindResource(name);
  if (entry == nullptr || !entry->accepted || entry->place.target.empty()) return;
  check.push_back(entry->place.target);
}

}  // namespace bindery::controller
