// What is done with: resources whose manifest is gone, and of whose grants nothing is left.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "controller/engine.h"
#include "core/time_text.h"

namespace bindery {

/// Resources whose manifest is gone and of whose claim a reading shows nothing are done with.
void Engine::ForgetRemoved(const TargetKey& key, const Work& work, StoreChange& change,
                           const Now& now) {
  for (const Claim& claim : work.desired.claims) {
    if (!IsGone(claim) || work.desired.restore) continue;
    const ResourceEntry* entry = catalog_.FindResource(claim.resource);
    if (entry == nullptr || !entry->leaving()) continue;
    const bool left =
        std::any_of(work.plan.drift.begin(), work.plan.drift.end(),
                    [&](const DriftItem& item) { return item.resource == claim.resource; });
    if (left) continue;
    if (work.withheld.by_resource.contains(claim.resource)) continue;
    Emit(change, {now.wall, EventType::kNormal, "Deleted", claim.resource, work.job->target.name,
                  "its manifest is gone, and so is what it granted", "bindery"});
    catalog_.Forget(claim.resource, change);
  }
  ForgetUntouched(key, change, now);
  if (catalog_.FindTarget(key) != nullptr) return;
  Unqueue(key);
  DropHold(work.job->target, now);
}

/// Those on their way out in whose name nothing was ever done: what is there is not theirs to take.
void Engine::ForgetUntouched(const TargetKey& key, StoreChange& change, const Now& now) {
  std::vector<std::string> names;
  if (TargetEntry* target = catalog_.FindTarget(key); target != nullptr) {
    for (const ResourceEntry* entry : target->resources) {
      if (catalog_.LeavesNothing(*entry)) names.push_back(entry->name);
    }
  }
  for (const std::string& name : names) {
    Emit(change,
         {now.wall, EventType::kNormal, "Deleted", name, key->name,
          "its manifest is gone; nothing was done in its name, so nothing was removed", "bindery"});
    catalog_.Forget(name, change);
  }
  // Its role is one that nobody declares now.
  if (!names.empty() && catalog_.FindTarget(key) != nullptr) {
    Enqueue(key, Priority::kChange, now.mono);
  }
}

/// What manifests that are gone had granted went with the target.
void Engine::ReleaseMissing(const TargetKey& key, const Work& work, StoreChange& change,
                            const Now& now) {
  for (const Claim& claim : work.desired.claims) {
    const ResourceEntry* entry = catalog_.FindResource(claim.resource);
    const bool goes = IsGone(claim) && entry != nullptr && entry->leaving() &&
                      entry->status->reason == reason::kTargetNotFound;
    if (!goes) continue;
    Emit(change, {now.wall, EventType::kNormal, "Released", claim.resource, work.job->target.name,
                  "its manifest is gone, and its target was not found for " +
                      FormatDuration(settings_.release_missing) +
                      ": what it granted counts as gone with it",
                  "bindery"});
    catalog_.Forget(claim.resource, change);
  }
  ForgetUntouched(key, change, now);
  if (catalog_.FindTarget(key) != nullptr) return;
  Unqueue(key);
  DropHold(work.job->target, now);
  absent_.erase(key);
}

}  // namespace bindery
