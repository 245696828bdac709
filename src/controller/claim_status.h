#pragma once

#include <string>

#include "controller/claims.h"
#include "controller/now.h"
#include "store/change.h"

namespace bindery {

// The status of a resource by its claim alone, whatever is found on its target. Pure.

/// The manifest is gone, and nothing blocks what follows from that.
[[nodiscard]] ResourceStatus LeavingStatus(const ResourceEntry& entry);
/// It is leaving, and what it granted must stay because of that one (Links::DeletionBlockedBy).
[[nodiscard]] ResourceStatus KeptStatus(const ResourceEntry& entry, const ResourceEntry& keeper);
/// It waits for that one (Links::BlockedBy).
[[nodiscard]] ResourceStatus WaitingStatus(const ResourceEntry& need);
/// Its manifest was not found, and may be in something that could not be read: it stays in force.
[[nodiscard]] ResourceStatus FrozenStatus(const ResourceEntry& entry,
                                          const AdmissionResult& result);

/// What a look at a resource came to.
struct NewStatus {
  SharedStatus status;
  bool acted = false;  ///< What it declares was looked at as it is to be, or carried out.
  /// Ready, it is as declared: others made what differs from then on.
  bool settles = true;
};
/// Sets the status of a resource; adds it to the change when it is a different one than before.
/// True when state or reason changed.
bool SetStatus(const Claims& claims, ResourceEntry& entry, NewStatus next, const Now& now,
               StoreChange& change);

/// Its declaration cannot be made out from the store: nothing may be done in its name.
void MarkUnreadable(ResourceEntry& entry, const std::string& why);

}  // namespace bindery
