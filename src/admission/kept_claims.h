#pragma once

#include <map>

#include "admission/admission.h"

namespace bindery {

/// Claims of manifests that are missing, and that not everyone may take over: of protected ones,
/// and of those that the next scan may find again. What is added outlives the object.
class KeptClaims {
 public:
  void Add(const InForce& missing) { claims_.emplace(missing.placement.target, &missing); }

  /// The one that overlaps with the claim: a protected one before others, then the first by name.
  /// Null: none.
  [[nodiscard]] const InForce* InTheWayOf(const Placement& placement) const;

  [[nodiscard]] const std::multimap<Target, const InForce*>& all() const { return claims_; }

 private:
  std::multimap<Target, const InForce*> claims_;
};

}  // namespace bindery
