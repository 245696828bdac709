#include "admission/kept_claims.h"

namespace bindery::admission {

const InForce* KeptClaims::FindInTheWay(const Placement& placement) const {
  const InForce* first = nullptr;
  const auto [begin, end] = claims_.equal_range(placement.target);
  for (auto it = begin; it != end; ++it) {
    const InForce& kept = *it->second;
    if (!kept.placement.Overlaps(placement)) continue;
    const bool before = first == nullptr || kept.is_protected > first->is_protected ||
                        (kept.is_protected == first->is_protected && kept.name < first->name);
    if (before) first = &kept;
  }
  return first;
}

}  // namespace bindery::admission
