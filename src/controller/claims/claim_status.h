#pragma once

#include <string>

#include "controller/claims/claims.h"
#include "controller/clock/now.h"
#include "store/ports/change.h"

namespace bindery::controller {

// The status of a resource by its claim alone, whatever is found on its target. Pure.

/// The manifest is gone, and nothing blocks the removal.
[[nodiscard]] ResourceStatus LeavingStatus(const ResourceEntry& entry);
/// The resource is leaving, and the granted access must stay because of a second resource
/// (Links::DeletionBlockedBy).
[[nodiscard]] ResourceStatus KeptStatus(const ResourceEntry& entry, const ResourceEntry& keeper);
/// The resource waits for `need` (Links::BlockedBy).
[[nodiscard]] ResourceStatus WaitingStatus(const ResourceEntry& need);
/// The manifest is missing, and may be in an unreadable file: the resource stays in force.
[[nodiscard]] ResourceStatus FrozenStatus(const ResourceEntry& entry,
                                          const admission::AdmissionResult& result);

/// What a look at a resource came to.
struct NewStatus {
  SharedStatus status;
  bool acted = false;  ///< What it declares was looked at as it is to be, or carried out.
  /// Ready and as declared: later differences are made by other writers.
  bool settles = true;
};
/// Sets the status of a resource; adds it to the change when it is a different one than before.
/// True when state or reason changed.
bool SetStatus(const Claims& claims, ResourceEntry& entry, NewStatus next, const Now& now,
               store::StoreChange& change);

/// Its declaration cannot be made out from the store: nothing may be done in its name.
void MarkUnreadable(ResourceEntry& entry, const std::string& why);

}  // namespace bindery::controller
