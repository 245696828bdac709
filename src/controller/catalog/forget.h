#pragma once

#include <chrono>

#include "controller/catalog/catalog.h"
#include "controller/gates/engine_work.h"
#include "store/ports/change.h"

namespace bindery::controller {

// Letting go of resources whose manifest is gone. Each function changes the catalog, adds records
// and events to `change`, and touches no cloud. The target may go with the last of its
// resources: the caller looks.

/// Forgets resources whose claim has no grant left after the reading or write of `work`. True when
/// a forgotten resource left foreign grants of its role, which may be undeclared now.
bool ForgetRemoved(Catalog& catalog, const TargetUnderWork& work, store::StoreChange& change,
                   const Now& now);
/// Forgets resources whose target was missing for `patience`: their grants count as gone with the
/// target.
void ForgetMissing(Catalog& catalog, const TargetUnderWork& work,
                   std::chrono::milliseconds patience, store::StoreChange& change, const Now& now);
/// Forgets former claims on a target of a provider that is not configured any more, after the
/// manifest names a different provider and the directory has settled: the new provider may be the
/// same account under a new name, and otherwise nobody could remove the old grants.
void ForgetUnreachable(Catalog& catalog, const TargetKey& key, store::StoreChange& change,
                       const Now& now);
/// Forgets resources in whose name nothing was ever done: their grants are not bindery's to remove.
/// True when a resource was forgotten: its role is undeclared now.
bool ForgetUntouched(Catalog& catalog, const TargetKey& key, store::StoreChange& change,
                     const Now& now);

}  // namespace bindery::controller
