#pragma once

#include <chrono>

#include "controller/catalog.h"
#include "controller/engine_work.h"
#include "store/change.h"

namespace bindery {

// Letting go of resources whose manifest is gone. Each of the changes the catalog, adds what is to
// be recorded and told to `change`, and touches no cloud. The target may go with the last of its
// resources: the caller looks.

/// Those of whose claim the reading, or the write, of `work` leaves nothing. True when one of them
/// left what others have of its role, which may be undeclared now.
bool ForgetRemoved(Catalog& catalog, const TargetUnderWork& work, StoreChange& change,
                   const Now& now);
/// Those whose target was not found for `patience`: what they granted counts as gone with it.
void ForgetMissing(Catalog& catalog, const TargetUnderWork& work,
                   std::chrono::milliseconds patience, StoreChange& change, const Now& now);
/// Former claims on a target of a provider that is not configured any more, once their manifest
/// names a different one and the directory has settled: it may be the same account by another name,
/// and else nobody can take away there what was granted.
void ForgetUnreachable(Catalog& catalog, const TargetKey& key, StoreChange& change, const Now& now);
/// Those in whose name nothing was ever done: what is there is not theirs to take. True when there
/// was one: its role is undeclared now.
bool ForgetUntouched(Catalog& catalog, const TargetKey& key, StoreChange& change, const Now& now);

}  // namespace bindery
