#pragma once

#include <memory>

#include "controller/claims.h"

namespace bindery {

/// The resource as the store keeps it, with the outputs that are known of its target.
[[nodiscard]] ResourceRecord RecordOf(const Claims& claims, const ResourceEntry& entry);

/// Only how it stands, of one that is on record.
[[nodiscard]] StandingRecord StandingOf(const Claims& claims, const ResourceEntry& entry);

/// The whole of it, made when it is written: for a scan, which may bring a hundred thousand.
[[nodiscard]] std::shared_ptr<const ResourceSnapshot> SnapshotOf(const Claims& claims,
                                                                 const ResourceEntry& entry);

}  // namespace bindery
