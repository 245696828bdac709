#pragma once

#include <string>

#include "controller/claims/claims.h"
#include "controller/claims/links.h"
#include "controller/claims/scan_state.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// Takes a resource out, for good: nothing refers to the resource any more, and `change` tells the
/// store. The target goes with its last resource. Requires: the resource exists.
void ForgetResource(const std::string& name, Claims& claims, Links& links, ScanState& state,
                    store::StoreChange& change);

/// A resource of the target, if all resources are only retained in the cloud: nothing is left to
/// watch. Beside further resources the retained ones are kept, or their grants would be removed as
/// undeclared. Null: no such resource, or further resources exist.
[[nodiscard]] const ResourceEntry* OnlyRetained(const Claims& claims, const TargetKey& key);

}  // namespace bindery::controller
