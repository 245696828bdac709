#include "controller/removals/work_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace bindery::controller {

TargetUnderWork& WorkTable::Begin(const WorkQueue::Taken& taken, MonoTime now) {
  work_.erase(taken.key);
  TargetUnderWork& work = work_[taken.key];
  work.taken = taken;
  work.times.started = now;
  return work;
}

TargetUnderWork* WorkTable::Find(const TargetKey& key) {
  const auto found = work_.find(key);
  return found == work_.end() ? nullptr : &found->second;
}

const TargetUnderWork* WorkTable::Find(const TargetKey& key) const {
  const auto found = work_.find(key);
  return found == work_.end() ? nullptr : &found->second;
}

bool WorkTable::IsIn(const TargetKey& key, WorkPhase phase) const {
  const TargetUnderWork* work = Find(key);
  return work != nullptr && work->phase == phase;
}

Expected<void> WorkTable::Move(const TargetKey& key, WorkPhase to, MonoTime now) {
  TargetUnderWork& work = At(key);
  if (!MayMove(work.phase, to)) {
    return Fail(Code::kInternal,
                fmt::format("unexpected: work on {} may not go from phase {} to {}", key->name,
                            static_cast<int>(work.phase), static_cast<int>(to)));
  }
  work.phase = to;
  if (to == WorkPhase::kReadyToWrite) {
    work.times.ready_at = now;
    ready_.push_back(key);
  }
  return {};
}

bool WorkTable::End(const TargetKey& key) {
  const auto work = work_.find(key);
  if (work == work_.end()) return false;
  const bool slow = work->second.slow;
  work_.erase(work);
  return slow;
}

std::optional<TargetKey> WorkTable::TakeReady() {
  while (!ready_.empty()) {
    TargetKey key = std::move(ready_.front());
    ready_.pop_front();
    // It may have been given up since, and even be ready again.
    if (IsIn(key, WorkPhase::kReadyToWrite)) return key;
  }
  return std::nullopt;
}

void WorkTable::PutBack(const std::vector<TargetKey>& ready) {
  ready_.insert(ready_.begin(), ready.begin(), ready.end());
}

std::vector<TargetKey> WorkTable::Parked() const {
  std::vector<TargetKey> parked;
  for (const auto& [key, work] : work_) {
    if (work.phase == WorkPhase::kParked) parked.push_back(key);
  }
  std::sort(parked.begin(), parked.end());
  return parked;
}

WorkTable::Unfinished WorkTable::UnfinishedOn(const std::string& kind, MonoTime now) const {
  Unfinished unfinished;
  for (const auto& [key, work] : work_) {
    if (key->kind.str() != kind) continue;
    unfinished.total += now - work.times.started;
    unfinished.longest = std::max(unfinished.longest, now - work.times.started);
  }
  return unfinished;
}

}  // namespace bindery::controller
