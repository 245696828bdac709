#pragma once

#include <string>

#include "controller/claims.h"
#include "controller/links.h"
#include "controller/scan_state.h"
#include "store/change.h"

namespace bindery {

/// Takes a resource out, for good: nothing refers to it any more, and `change` says so to the
/// store. Its target goes with its last resource. Requires: there is such a resource.
void ForgetResource(const std::string& name, Claims& claims, Links& links, ScanState& state,
                    StoreChange& change);

/// A resource of the target, where all are only there to stay in the cloud: nothing is left to
/// watch over. Beside others they are remembered, or they would be removed as undeclared. Null:
/// others are there, or none.
[[nodiscard]] const ResourceEntry* OnlyRetained(const Claims& claims, const TargetKey& key);

}  // namespace bindery
