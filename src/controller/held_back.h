#pragma once

#include <cstdint>

#include "controller/resource_entry.h"

namespace bindery {

// A claim whose manifest is gone, which a manifest that is kept out may declare now, while others
// have come into force in its place: it cannot come back, and what it granted stays until the other
// one is in force or gone. On record so that a restart does not forget it: as if a third scan had
// missed the manifest, which none counts otherwise.

inline constexpr std::int32_t kGoneScans = 2;
inline constexpr std::int32_t kHeldBackScans = 3;

[[nodiscard]] inline bool IsHeldBack(const ResourceEntry& entry) {
  return entry.leaving() && entry.evidence.missing_scans >= kHeldBackScans;
}

}  // namespace bindery
