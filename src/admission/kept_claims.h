#pragma once

#include <map>

#include "admission/admission.h"

namespace bindery::admission {

/// Claims of missing manifests that only some manifests may take over: claims of protected
/// manifests, and of manifests that the next scan may find again. The added objects outlive
/// KeptClaims.
class KeptClaims {
 public:
  void Add(const InForce& missing) { claims_.emplace(missing.placement.target, &missing); }

  /// The claim that overlaps with `placement`: a protected claim first, then the first by name.
  /// Null: none.
  [[nodiscard]] const InForce* FindInTheWay(const Placement& placement) const;

  [[nodiscard]] const std::multimap<Target, const InForce*>& all() const { return claims_; }

 private:
  std::multimap<Target, const InForce*> claims_;
};

}  // namespace bindery::admission
