#include "controller/removals/pass_barrier.h"

#include <chrono>

namespace bindery::controller {
namespace {

/// How long a pass waits for its slowest reads before the removals that are known are judged.
constexpr std::chrono::seconds kPassPatience{10};

/// Grants of deleted manifests on the target.
std::int64_t GrantsToRemove(const TargetEntry& target) {
  std::int64_t grants = 0;
  for (const ResourceEntry* entry : target.resources) {
    const bool stays = entry->stays_when_gone() || entry->suspended();
    if (entry->leaving() && !stays && !entry->progress.untouched) grants += entry->grants;
  }
  return grants;
}

}  // namespace

void PassBarrier::Leave(const TargetKey& key) {
  pending_.erase(key);
  const auto expected = expected_.find(key);
  if (expected == expected_.end()) return;
  expected_grants_ -= expected->second;
  expected_.erase(expected);
}

void PassBarrier::Begin(std::size_t targets, MonoTime from, const Now& now) {
  if (!open()) report_ = {telemetry::NewTrace(sample_ratio_), now.mono, 0, 0};
  report_.targets += targets;
  deadline_ = from + kPassPatience;
}

void PassBarrier::BeginReading(const Now& now) {
  if (!pending_.empty()) deadline_ = now.mono + kPassPatience;
}

PassReport PassBarrier::Close(const Catalog& catalog) {
  deadline_.reset();
  report_.unread = pending_.size();
  expected_.clear();
  expected_grants_ = 0;
  for (const TargetKey& key : pending_) {
    const auto target = catalog.claims().targets().find(key);
    if (target == catalog.claims().targets().end()) continue;
    const std::int64_t grants = GrantsToRemove(target->second);
    if (grants == 0) continue;
    expected_[key] = grants;
    expected_grants_ += grants;
  }
  return report_;
}

Guard::Context PassBarrier::ContextFor(const Catalog& catalog) const {
  return {expected_grants_, [&catalog](const std::string& provider) {
            std::int64_t grants = 0;
            for (const auto& [name, entry] : catalog.claims().resources()) {
              if (entry.accepted && entry.place.provider.str() == provider) grants += entry.grants;
            }
            return grants;
          }};
}

}  // namespace bindery::controller
