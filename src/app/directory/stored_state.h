#pragma once

#include <set>

#include "controller/claims/stored_state.h"
#include "core/base/expected.h"
#include "store/ports/startup_reader.h"

namespace bindery::app {

/// What the last run left under way: current differences, writes without an outcome, the content of
/// the guard, rollbacks that are not over, with the policies they are to bring back, and the
/// removal of late.
[[nodiscard]] Expected<controller::StoredState> ReadStoredState(const store::StartupReader& store,
                                                                WallTime now);

/// The same, with the differences on these targets alone.
[[nodiscard]] Expected<controller::StoredState> ReadStoredState(const store::StartupReader& store,
                                                                WallTime now,
                                                                const std::set<Target>& targets);

}  // namespace bindery::app
