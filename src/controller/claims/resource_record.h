#pragma once

#include <memory>

#include "controller/claims/claims.h"

namespace bindery {

/// The resource in the form of the store, with the known outputs of its target.
[[nodiscard]] ResourceRecord MakeRecord(const Claims& claims, const ResourceEntry& entry);

/// Only the standing of a recorded resource.
[[nodiscard]] StandingRecord MakeStanding(const Claims& claims, const ResourceEntry& entry);

/// The full record, made at the time of writing: for a scan with up to a hundred thousand
/// resources.
[[nodiscard]] std::shared_ptr<const ResourceSnapshot> MakeSnapshot(const Claims& claims,
                                                                   const ResourceEntry& entry);

}  // namespace bindery
