#include "controller/work_queue.h"

#include <algorithm>

namespace bindery {

void WorkQueue::Insert(const Entries::value_type& item) {
  const Wait& wait = *item.second.wait;
  waiting_[Index(wait.priority)].emplace(wait.not_before, &item.first);
  if (wait.due < wait.not_before) ++put_off_;
}

void WorkQueue::Erase(const Entries::value_type& item) {
  const Wait& wait = *item.second.wait;
  waiting_[Index(wait.priority)].erase({wait.not_before, &item.first});
  if (wait.due < wait.not_before) --put_off_;
}

void WorkQueue::Add(const TargetKey& key, Priority priority, MonoTime due) {
  auto& item = *entries_.try_emplace(key).first;
  Entry& entry = item.second;
  Wait wait{priority, due, due};
  if (entry.wait) {
    wait.priority = std::min(entry.wait->priority, priority);
    wait.due = std::min(entry.wait->due, due);
    wait.not_before = std::min(entry.wait->not_before, due);
    if (!entry.taken) Erase(item);
  }
  entry.wait = wait;
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
    const MonoTime due = entry.wait->due;
    entry.wait.reset();
    entry.taken = true;
    ++taken_;
    return Taken{*key, static_cast<Priority>(index), due};
  }
  return std::nullopt;
}

void WorkQueue::PutOff(const Taken& taken, MonoTime not_before) {
  Entry& entry = entries_.at(taken.key);
  if (!entry.wait) entry.wait = Wait{taken.priority, taken.due, not_before};
  Done(taken.key);
}

void WorkQueue::Done(const TargetKey& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end() || !found->second.taken) return;
  --taken_;
  found->second.taken = false;
  if (found->second.wait) {
    Insert(*found);
  } else {
    entries_.erase(found);
  }
}

void WorkQueue::Remove(const TargetKey& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  if (found->second.wait && !found->second.taken) Erase(*found);
  found->second.wait.reset();
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
  if (found == entries_.end() || !found->second.wait) return std::nullopt;
  return found->second.wait->not_before;
}

bool WorkQueue::IsTaken(const TargetKey& key) const {
  const auto found = entries_.find(key);
  return found != entries_.end() && found->second.taken;
}

bool WorkQueue::AddedWhileTaken(const TargetKey& key) const {
  const auto found = entries_.find(key);
  return found != entries_.end() && found->second.taken && found->second.wait.has_value();
}

}  // namespace bindery
