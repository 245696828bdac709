#pragma once

#include "controller/work/status_rules.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// Sets the status of each resource of the work's target as the rules say (status_rules.h), and
/// tells of those that changed with an event. A resource whose manifest is newer than the work gets
/// only what holds in any case: it has its own check to come. Requires: the catalog is that of the
/// context, and has the target. True when manifests that refer to one of the resources are to be
/// resolved again.
bool UpdateStatuses(const StatusContext& context, Catalog& catalog, const WorkOutcome& outcome,
                    store::StoreChange& change, const Now& now);

}  // namespace bindery::controller
