#include "app/stored_state.h"

#include <utility>

#include "controller/guard_limits.h"

namespace bindery {
namespace {

Expected<std::vector<StoredState::Rollback>> ReadRollbacks(const StartupReader& store) {
  auto records = store.Rollbacks();
  if (!records) return Fail(records.error());
  std::vector<StoredState::Rollback> rollbacks;
  for (RollbackRecord& record : *records) {
    auto revision = store.Revision(record.revision);
    if (!revision && revision.error().code != Code::kNotFound) return Fail(revision.error());
    rollbacks.push_back({std::move(record), revision ? std::move(revision->policy) : ""});
  }
  return rollbacks;
}

}  // namespace

Expected<StoredState> ReadStoredState(const StartupReader& store, WallTime now) {
  DriftFilter unresolved;
  unresolved.unresolved_only = true;
  auto drift = store.Drift(unresolved);
  if (!drift) return Fail(drift.error());
  auto intents = store.OpenIntents();
  if (!intents) return Fail(intents.error());
  auto holds = store.Holds();
  if (!holds) return Fail(holds.error());
  auto rollbacks = ReadRollbacks(store);
  if (!rollbacks) return Fail(rollbacks.error());
  auto removals = store.Removals(now - kLongestGuardWindow);
  if (!removals) return Fail(removals.error());
  return StoredState{std::move(*drift), std::move(*intents), std::move(*holds),
                     std::move(*rollbacks), std::move(*removals)};
}

}  // namespace bindery
