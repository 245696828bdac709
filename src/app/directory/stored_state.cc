#include "app/directory/stored_state.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "controller/guard/guard_limits.h"

namespace bindery::app {
namespace {

Expected<std::vector<controller::StoredState::Rollback>> ReadRollbacks(
    const store::StartupReader& store) {
  auto records = store.Rollbacks();
  if (!records) return Fail(records.error());
  std::vector<controller::StoredState::Rollback> rollbacks;
  for (store::RollbackRecord& record : *records) {
    auto revision = store.Revision(record.revision);
    if (!revision && revision.error().code != Code::kNotFound) return Fail(revision.error());
    rollbacks.push_back({std::move(record), revision ? std::move(revision->policy) : ""});
  }
  return rollbacks;
}

Expected<controller::StoredState> WithDrift(std::vector<store::DriftRecord> drift,
                                            const store::StartupReader& store, WallTime now) {
  auto intents = store.OpenIntents();
  if (!intents) return Fail(intents.error());
  auto holds = store.Holds();
  if (!holds) return Fail(holds.error());
  auto rollbacks = ReadRollbacks(store);
  if (!rollbacks) return Fail(rollbacks.error());
  auto removals = store.Removals(now - controller::kLongestGuardWindow);
  if (!removals) return Fail(removals.error());
  return controller::StoredState{std::move(drift), std::move(*intents), std::move(*holds),
                                 std::move(*rollbacks), std::move(*removals)};
}

}  // namespace

Expected<controller::StoredState> ReadStoredState(const store::StartupReader& store, WallTime now) {
  store::DriftFilter unresolved;
  unresolved.unresolved_only = true;
  auto drift = store.Drift(unresolved);
  if (!drift) return Fail(drift.error());
  return WithDrift(std::move(*drift), store, now);
}

Expected<controller::StoredState> ReadStoredState(const store::StartupReader& store, WallTime now,
                                                  const std::set<Target>& targets) {
  std::vector<store::DriftRecord> all;
  store::DriftFilter unresolved;
  unresolved.unresolved_only = true;
  for (const Target& target : targets) {
    unresolved.target = target;
    auto drift = store.Drift(unresolved);
    if (!drift) return Fail(drift.error());
    std::ranges::move(*drift, std::back_inserter(all));
  }
  return WithDrift(std::move(all), store, now);
}

}  // namespace bindery::app
