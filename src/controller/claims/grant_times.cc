#include "controller/claims/grant_times.h"

#include <algorithm>

#include "cel/syntax/parser.h"
#include "manifests/documents/spec.h"

namespace bindery::controller {
namespace {

bool IsOver(const cel::TimeBounds& bounds, WallTime at) {
  const cel::TimePhase phase = bounds.PhaseAt(cel::ToCelTimestamp(at));
  return phase == cel::TimePhase::kAfter || phase == cel::TimePhase::kNever;
}

std::optional<WallTime> FindEnd(const cel::TimeBounds& bounds, WallTime at) {
  const auto end = bounds.EndsAfter(cel::ToCelTimestamp(at));
  return end ? std::optional(cel::ToWallTime(*end)) : std::nullopt;
}

}  // namespace

void GrantTimes::CopyFrom(const GrantTimes& other, const std::set<std::string>& names) {
  leads_ = other.leads_;
  advanced_ = other.advanced_;
  doubt_ = other.doubt_;
  for (const std::string& name : names) {
    const auto found = other.timed_.find(name);
    if (found == other.timed_.end()) continue;
    timed_.insert(*found);
    const std::pair place(found->second.next, name);
    if (other.agenda_.contains(place)) agenda_.insert(place);
    if (other.expired_.contains(name)) expired_.insert(name);
  }
}

void GrantTimes::SetLeads(std::vector<std::chrono::milliseconds> leads) {
  std::sort(leads.rbegin(), leads.rend());
  if (leads == leads_) return;
  leads_ = std::move(leads);
  LookAgain();
}

void GrantTimes::LookAgain() {
  agenda_.clear();
  for (auto& [name, timed] : timed_) {
    timed.next = WallTime::min();
    agenda_.emplace(timed.next, name);
  }
}

void GrantTimes::Put(const std::string& name, const std::string& spec, WallTime told) {
  std::string expression = manifests::TimedExpression(spec);
  const auto known = timed_.find(name);
  if (known != timed_.end() && known->second.expression == expression) return;
  Erase(name);
  if (expression.empty()) return;
  const auto tree = cel::Parse(expression);
  if (!tree) return;
  cel::TimeBounds bounds = cel::TimeBounds::Of(**tree);
  if (bounds.PhaseAt({}) == cel::TimePhase::kUnbounded) return;
  timed_.emplace(name, Timed{std::move(expression), std::move(bounds), told, WallTime::min()});
  agenda_.emplace(WallTime::min(), name);
}

void GrantTimes::Erase(const std::string& name) {
  const auto found = timed_.find(name);
  if (found == timed_.end()) return;
  agenda_.erase({found->second.next, name});
  expired_.erase(name);
  timed_.erase(found);
}

/// The earliest of the start, the end, and the moments of warnings about the end.
std::optional<WallTime> GrantTimes::FindNext(const Timed& timed, WallTime now) const {
  const cel::Timestamp at = cel::ToCelTimestamp(now);
  if (const auto start = timed.bounds.StartsAfter(at)) return cel::ToWallTime(*start);
  if (timed.bounds.PhaseAt(at) != cel::TimePhase::kWithin) return std::nullopt;
  const std::optional<WallTime> end = FindEnd(timed.bounds, now);
  if (!end) return std::nullopt;
  for (const auto lead : leads_) {
    if (*end - lead > now) return *end - lead;
  }
  return end;
}

std::optional<TimeCrossing> GrantTimes::Passed(const std::string& name, const Timed& timed,
                                               WallTime now) const {
  using What = TimeCrossing::What;
  const bool over = IsOver(timed.bounds, now);
  const bool was_over = timed.told != WallTime::min() && IsOver(timed.bounds, timed.told);
  const std::optional<WallTime> end = FindEnd(timed.bounds, now);
  if (over != expired_.contains(name)) {
    if (over) return TimeCrossing{name, What::kExpired, end, was_over};
    return TimeCrossing{name, What::kReturned};
  }
  if (over || !end || timed.bounds.PhaseAt(cel::ToCelTimestamp(now)) != cel::TimePhase::kWithin) {
    return std::nullopt;
  }
  const bool passed = std::any_of(leads_.begin(), leads_.end(), [&](const auto lead) {
    return *end - lead <= now && *end - lead > timed.told;
  });
  return passed ? std::optional(TimeCrossing{name, What::kExpiring, *end}) : std::nullopt;
}

std::vector<TimeCrossing> GrantTimes::Advance(WallTime now) {
  constexpr std::chrono::seconds kUnnoticed(1);
  doubt_.reset();
  if (advanced_ != WallTime::min() && now < advanced_ - kUnnoticed) {
    for (auto& [name, timed] : timed_) timed.told = std::min(timed.told, now);
    LookAgain();
    advanced_ = now;
  }
  advanced_ = std::max(advanced_, now);
  std::vector<TimeCrossing> crossings;
  while (!agenda_.empty() && agenda_.begin()->first <= now) {
    const std::string name = agenda_.extract(agenda_.begin()).value().second;
    Timed& timed = timed_.at(name);
    if (auto crossing = Passed(name, timed, now)) crossings.push_back(std::move(*crossing));
    IsOver(timed.bounds, now) ? void(expired_.insert(name)) : void(expired_.erase(name));
    timed.told = now;
    if (const auto next = FindNext(timed, now)) {
      timed.next = *next;
      agenda_.emplace(*next, name);
    }
  }
  return crossings;
}

std::optional<WallTime> GrantTimes::NextMoment() const {
  return agenda_.empty() ? std::nullopt : std::optional(agenda_.begin()->first);
}

bool GrantTimes::MayBeOver(const std::string& name, const Timed& timed) const {
  if (expired_.contains(name)) return true;
  return IsOver(timed.bounds, doubt_->first) || IsOver(timed.bounds, doubt_->second);
}

bool GrantTimes::MayHaveExpired(const std::string& name) const {
  const auto found = timed_.find(name);
  return doubt_ && found != timed_.end() && MayBeOver(name, found->second);
}

std::vector<std::string> GrantTimes::InDoubt() const {
  std::vector<std::string> names;
  if (!doubt_) return names;
  for (const auto& [name, timed] : timed_) {
    if (MayBeOver(name, timed)) names.push_back(name);
  }
  return names;
}

GrantTimes::Standing GrantTimes::MakeStanding(const Timed& timed, WallTime now) {
  return {IsOver(timed.bounds, now), FindEnd(timed.bounds, now)};
}

std::optional<GrantTimes::Standing> GrantTimes::Find(const std::string& name, WallTime now) const {
  const auto found = timed_.find(name);
  return found == timed_.end() ? std::nullopt : std::optional(MakeStanding(found->second, now));
}

}  // namespace bindery::controller
