#include "controller/gates/work_queue.h"

#include <algorithm>

namespace bindery::controller {

void WorkQueue::Insert(const Entries::value_type& item) {
  const Entry& entry = item.second;
  waiting_[Index(entry.priority)].emplace(entry.not_before, &item.first);
  if (entry.due < entry.not_before) ++put_off_;
}

void WorkQueue::Erase(const Entries::value_type& item) {
  const Entry& entry = item.second;
  waiting_[Index(entry.priority)].erase({entry.not_before, &item.first});
  if (entry.due < entry.not_before) --put_off_;
}

void WorkQueue::Add(const TargetKey& key, Priority priority, MonoTime due) {
  auto& item = *entries_.try_emplace(key).first;
  Entry& entry = item.second;
  if (entry.waits) {
    if (!entry.taken) Erase(item);
    entry.priority = std::min(entry.priority, priority);
    entry.due = std::min(entry.due, due);
    entry.not_before = std::min(entry.not_before, due);
  } else {
    entry = {due, due, priority, /*waits=*/true, entry.taken};
  }
  if (!entry.taken) Insert(item);
}

std::optional<WorkQueue::Taken> WorkQueue::Take(MonoTime now) {
  for (std::size_t index = 0; index < kPriorities; ++index) {
    if (waiting_[index].empty()) continue;
    const auto [not_before, key] = *waiting_[index].begin();
    if (not_before > now) continue;
    auto& item = *entries_.find(*key);
    Erase(item);
    Entry& entry = item.second;
    entry.waits = false;
    entry.taken = true;
    ++taken_;
    return Taken{*key, entry.priority, entry.due};
  }
  return std::nullopt;
}

void WorkQueue::PutOff(const Taken& taken, MonoTime not_before) {
  Entry& entry = entries_.at(taken.key);
  if (!entry.waits) entry = {taken.due, not_before, taken.priority, /*waits=*/true, /*taken=*/true};
  Done(taken.key);
}

void WorkQueue::Done(const TargetKey& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end() || !found->second.taken) return;
  --taken_;
  found->second.taken = false;
  if (found->second.waits) {
    Insert(*found);
  } else {
    entries_.erase(found);
  }
}

void WorkQueue::Remove(const TargetKey& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  if (found->second.waits && !found->second.taken) Erase(*found);
  found->second.waits = false;
  if (!found->second.taken) entries_.erase(found);
}

std::optional<MonoTime> WorkQueue::NextDue() const {
  std::optional<MonoTime> next;
  for (const auto& slots : waiting_) {
    if (slots.empty()) continue;
    const MonoTime due = slots.begin()->first;
    if (!next || due < *next) next = due;
  }
  return next;
}

std::optional<MonoTime> WorkQueue::NotBefore(const TargetKey& key) const {
  const auto found = entries_.find(key);
  if (found == entries_.end() || !found->second.waits) return std::nullopt;
  return found->second.not_before;
}

bool WorkQueue::IsTaken(const TargetKey& key) const {
  const auto found = entries_.find(key);
  return found != entries_.end() && found->second.taken;
}

bool WorkQueue::WaitsOnlyFor(const TargetKey& key, MonoTime due) const {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return false;
  const Entry& entry = found->second;
  return entry.waits && !entry.taken && entry.due == due && entry.priority == Priority::kPeriodic;
}

bool WorkQueue::AddedWhileTaken(const TargetKey& key) const {
  const auto found = entries_.find(key);
  return found != entries_.end() && found->second.taken && found->second.waits;
}

}  // namespace bindery::controller
