#pragma once

#include "controller/claims/resource_entry.h"
#include "controller/evidence/removal_evidence.h"

namespace bindery::controller {

/// The unread item that may hold the manifest of `entry`, should the last look not have found the
/// manifest; null: none.
[[nodiscard]] inline const manifests::UnreadItem* GetHolder(const ResourceEntry& entry,
                                                            const RemovalEvidence& evidence) {
  return evidence.unread().GetHolder(entry.evidence.age.absent ? entry.evidence.age.look
                                                               : evidence.look());
}

}  // namespace bindery::controller
