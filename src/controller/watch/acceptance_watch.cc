#include "controller/watch/acceptance_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace bindery::controller {

bool AcceptanceWatch::SetRules(std::shared_ptr<const AcceptedDriftRules> rules) {
  if (rules == rules_) return false;
  const AcceptedDriftRules none;
  const AcceptedDriftRules& now = rules ? *rules : none;
  const AcceptedDriftRules& before = rules_ ? *rules_ : none;
  changed_ = changed_ || now != before;
  const bool gone = IsAnyGone(before, now);
  rules_ = std::move(rules);
  return gone;
}

TimeSpan AcceptanceWatch::FindSpan(const ClockJudgement& clock, WallTime wall) {
  switch (clock.verdict) {
    case ClockJudgement::Verdict::kConfirmed:
      return {wall, wall};
    case ClockJudgement::Verdict::kDisputed: {
      const WallTime theirs = wall - clock.ahead;
      return {std::min(wall, theirs), std::max(wall, theirs)};
    }
    case ClockJudgement::Verdict::kUnknown:
      break;
  }
  return {WallTime::min(), wall};
}

void AcceptanceWatch::Note(const TargetKey& key, const reconcilers::TargetPlan& plan,
                           const TimeSpan& time) {
  std::optional<WallTime> first;
  const auto look_at = [&](WallTime end) {
    // An acceptance that holds although its time is over ends with its rule, unchanged.
    if (end > time.earliest) first = std::min(first.value_or(end), end);
  };
  for (const reconcilers::GrantChange& change : plan.changes) {
    if (!change.acceptance || !change.acceptance->until) continue;
    look_at(*change.acceptance->until);
    // A grant that the service has not taken out by then is drift.
    if (reconcilers::GetRecordKind(change) == reconcilers::DriftRecordKind::kJustInTime) {
      look_at(*change.acceptance->until + kJustInTimeGrace);
    }
  }
  if (first) {
    ends_[key] = *first;
  } else {
    ends_.erase(key);
  }
}

std::vector<TargetKey> AcceptanceWatch::PassTime(const ClockJudgement& clock, const Now& now) {
  due_.reset();
  std::vector<TargetKey> check;
  if (std::exchange(changed_, false)) check = Differing();
  const WallTime earliest = FindSpan(clock, now.wall).earliest;
  std::optional<WallTime> next;
  std::erase_if(ends_, [&](const auto& end) {
    if (end.second > earliest) {
      if (end.second > now.wall) next = std::min(next.value_or(end.second), end.second);
      return false;
    }
    if (catalog_.claims().FindTarget(end.first) != nullptr) check.push_back(end.first);
    return true;
  });
  if (!next) return check;
  // Far ends are looked for again: the local clock may be set.
  constexpr std::chrono::hours kPatience(1);
  const auto left = std::min<WallTime::duration>(*next - now.wall, kPatience);
  due_ = now.mono + std::chrono::duration_cast<MonoTime::duration>(left);
  return check;
}

/// Where there is a difference, accepted or not.
std::vector<TargetKey> AcceptanceWatch::Differing() const {
  std::vector<TargetKey> keys;
  for (const auto& [key, target] : catalog_.claims().targets()) {
    if (!target.drift.open->empty() || !target.drift.accepted->empty()) keys.push_back(key);
  }
  return keys;
}

}  // namespace bindery::controller
