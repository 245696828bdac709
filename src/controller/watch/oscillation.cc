#include "controller/watch/oscillation.h"

#include <algorithm>
#include <set>
#include <utility>

namespace bindery::controller {

OscillationBreaker::Limits OscillationBreaker::LimitsFor(std::chrono::milliseconds interval) {
  constexpr int kLooks = 12;  // Two that change it in turn are seen at most every interval.
  Limits limits;
  limits.window = std::max(limits.window, kLooks * interval);
  limits.first_pause = interval;
  limits.longest_pause = std::max(limits.longest_pause, interval);
  return limits;
}

std::size_t OscillationBreaker::StatesIn(const History& history) const {
  std::set<Sha256Digest> states;
  for (const Round& round : history.rounds) states.insert(round.before);
  return states.size();
}

OscillationBreaker::Standing OscillationBreaker::MakeStanding(const History& history) {
  return {history.count, history.since, history.rounds.back().wall, *history.next_try, false};
}

bool OscillationBreaker::IsOver(const History& history, MonoTime now) const {
  const MonoTime last =
      std::max(history.next_try.value_or(MonoTime::min()), history.rounds.back().mono);
  return now - last > limits_.window;
}

std::optional<OscillationBreaker::Standing> OscillationBreaker::Wrote(const TargetKey& key,
                                                                      const Sha256Digest& before,
                                                                      const Sha256Digest& after,
                                                                      MonoTime mono,
                                                                      WallTime wall) {
  History& history = histories_[key];
  const bool anew = history.after != after || (!history.rounds.empty() && IsOver(history, mono));
  if (anew) history = {after, {}, 0, wall, {}, {}};
  history.rounds.push_back({before, mono, wall});
  ++history.count;
  if (!history.next_try) {
    while (mono - history.rounds.front().mono > limits_.window) history.rounds.pop_front();
    history.count = history.rounds.size();
    history.since = history.rounds.front().wall;
  }
  if (history.rounds.size() > limits_.rounds + 1) history.rounds.pop_front();
  if (history.count <= limits_.rounds || StatesIn(history) > limits_.states) return std::nullopt;
  const bool first = !history.next_try;
  history.pause = first ? limits_.first_pause : std::min(2 * history.pause, limits_.longest_pause);
  history.next_try = mono + history.pause;
  Standing standing = MakeStanding(history);
  standing.tripped_now = first;
  return standing;
}

bool OscillationBreaker::Holds(const TargetKey& key, MonoTime now) const {
  const auto found = histories_.find(key);
  return found != histories_.end() && found->second.next_try && now < *found->second.next_try;
}

std::optional<OscillationBreaker::Standing> OscillationBreaker::Find(const TargetKey& key) const {
  const auto found = histories_.find(key);
  if (found == histories_.end() || !found->second.next_try) return std::nullopt;
  return MakeStanding(found->second);
}

void OscillationBreaker::Sweep(MonoTime now) {
  std::erase_if(histories_, [&](const auto& item) { return IsOver(item.second, now); });
}

std::size_t OscillationBreaker::Tripped() const {
  return static_cast<std::size_t>(
      std::count_if(histories_.begin(), histories_.end(),
                    [](const auto& item) { return item.second.next_try.has_value(); }));
}

}  // namespace bindery::controller
