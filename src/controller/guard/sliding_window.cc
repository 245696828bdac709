#include "controller/guard/sliding_window.h"

#include <algorithm>
#include <utility>

namespace bindery::controller {
namespace {

std::int64_t GetValue(const std::map<std::string, std::int64_t>& counts, const std::string& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

void AddTo(std::map<std::string, std::int64_t>& counts, const std::string& key,
           std::int64_t count) {
  const auto entry = counts.try_emplace(key).first;
  entry->second += count;
  if (entry->second == 0) counts.erase(entry);
}

}  // namespace

void SlidingWindow::Count(const Amount& amount, std::int64_t sign) {
  total_ += sign * amount.count;
  AddTo(by_provider_, amount.provider, sign * amount.count);
  AddTo(by_target_, amount.target, sign * amount.count);
}

SlidingWindow::Id SlidingWindow::Add(Amount amount, MonoTime mono, WallTime wall) {
  Count(amount, 1);
  entries_.emplace(++last_id_, Entry{std::move(amount), mono, wall});
  return last_id_;
}

SlidingWindow::Amount SlidingWindow::Take(Id id) {
  const auto found = entries_.find(id);
  Amount amount = std::move(found->second.amount);
  entries_.erase(found);
  Count(amount, -1);
  return amount;
}

/// A clock that was set back makes nothing count forever: entries in the future expire by the
/// second clock alone.
bool SlidingWindow::IsOver(const Entry& entry) const {
  const auto by_wall = now_.wall - entry.wall;
  const bool young_by_wall = by_wall >= WallTime::duration::zero() && by_wall < length_;
  return now_.mono - entry.mono >= length_ && !young_by_wall;
}

void SlidingWindow::PassTime(const Now& now) {
  now_ = now;
  for (auto& [target, id] : sent_) {
    if (IsOver(entries_.at(id))) id = Add(Take(id), now.mono, now.wall);
  }
  for (auto& [target, id] : reserved_) {
    if (IsOver(entries_.at(id))) id = Add(Take(id), now.mono, now.wall);
  }
  while (!entries_.empty() && IsOver(entries_.begin()->second)) Take(entries_.begin()->first);
}

void SlidingWindow::Reserve(Amount amount) {
  Release(amount.target);
  if (amount.count == 0) return;
  const std::string target = amount.target;
  reserved_[target] = Add(std::move(amount), now_.mono, now_.wall);
}

void SlidingWindow::Release(const std::string& target) {
  const auto found = reserved_.find(target);
  if (found == reserved_.end()) return;
  Take(found->second);
  reserved_.erase(found);
}

void SlidingWindow::Sent(const std::string& target) {
  const auto found = reserved_.find(target);
  if (found == reserved_.end()) return;
  // What was sent before without an outcome goes on counting.
  sent_[target] = Add(Take(found->second), now_.mono, now_.wall);
  reserved_.erase(found);
}

void SlidingWindow::Answered(const std::string& target, bool happened) {
  const auto found = sent_.find(target);
  if (found == sent_.end()) return;
  Amount amount = Take(found->second);
  if (happened) Add(std::move(amount), now_.mono, now_.wall);
  sent_.erase(found);
}

void SlidingWindow::Restore(Amount amount, WallTime at, bool open) {
  if (amount.count == 0) return;
  const auto age = std::max(now_.wall - at, WallTime::duration::zero());
  if (age >= length_ && !open) return;
  const std::string target = amount.target;
  const Id id =
      Add(std::move(amount), now_.mono - std::chrono::duration_cast<MonoTime::duration>(age), at);
  if (open) {
    sent_[target] = id;
  } else {
    restored_.push_back(id);
  }
}

void SlidingWindow::DropRestored() {
  for (const Id id : std::exchange(restored_, {})) {
    if (entries_.contains(id)) Take(id);
  }
}

std::int64_t SlidingWindow::OnProvider(const std::string& provider) const {
  return GetValue(by_provider_, provider);
}

std::int64_t SlidingWindow::OnTarget(const std::string& target) const {
  return GetValue(by_target_, target);
}

std::int64_t SlidingWindow::OnKinds(
    const std::function<bool(std::string_view kind)>& wanted) const {
  std::int64_t count = 0;
  for (const auto& [key, removed] : by_target_) {
    const std::string_view kind = std::string_view(key).substr(0, key.find('|'));
    if (wanted(kind)) count += removed;
  }
  return count;
}

void HighestWithin::Note(std::int64_t value, MonoTime now) {
  if (!samples_.empty()) samples_.back().until = now;
  while (!samples_.empty() && samples_.back().value <= value) samples_.pop_back();
  while (!samples_.empty() && samples_.front().until + length_ < now) samples_.pop_front();
  samples_.push_back({MonoTime::max(), value});
}

std::int64_t HighestWithin::Value(MonoTime now) const {
  const auto counts = std::find_if(samples_.begin(), samples_.end(), [&](const Sample& sample) {
    return sample.until == MonoTime::max() || sample.until + length_ >= now;
  });
  return counts == samples_.end() ? 0 : counts->value;
}

}  // namespace bindery::controller
