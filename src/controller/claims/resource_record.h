#pragma once

#include <memory>

#include "controller/claims/claims.h"

namespace bindery::controller {

/// The resource in the form of the store, with the known outputs of its target.
[[nodiscard]] store::ResourceRecord MakeRecord(const Claims& claims, const ResourceEntry& entry);

/// Only the standing of a recorded resource.
[[nodiscard]] store::StandingRecord MakeStanding(const Claims& claims, const ResourceEntry& entry);

/// The full record, made at the time of writing: for a scan with up to a hundred thousand
/// resources.
[[nodiscard]] std::shared_ptr<const store::ResourceSnapshot> MakeSnapshot(
    const Claims& claims, const ResourceEntry& entry);

}  // namespace bindery::controller
