#pragma once

#include <cstdint>

#include "controller/claims/resource_entry.h"

namespace bindery::controller {

// A claim whose manifest is gone, where a kept-out manifest may be the same manifest, while further
// manifests have come into force in the place: the old manifest cannot come back, and its grants
// stay until the kept-out manifest is in force or gone. On record so that a restart keeps this
// state: as if a third scan had missed the manifest, which is counted nowhere else.

inline constexpr std::int32_t kGoneScans = 2;
inline constexpr std::int32_t kHeldBackScans = 3;

[[nodiscard]] inline bool IsHeldBack(const ResourceEntry& entry) {
  return entry.leaving() && entry.evidence.missing_scans >= kHeldBackScans;
}

}  // namespace bindery::controller
