#pragma once

#include <map>
#include <string>
#include <vector>

#include "admission/admission.h"

namespace bindery::admission {

/// Manifests that are kept out because their final form is unknown: each may be a missing manifest
/// under a new name, and the missing manifest then stays in force. A manifest with a known place
/// may be a missing manifest with the same claim. A manifest without a place may be any missing
/// manifest on targets of the kind, unless the newcomer already waited when the missing manifest
/// was still found.
class PossibleSuccessors {
 public:
  /// `rejected`: manifests kept out before the comparison of claims. Both outlive the object.
  PossibleSuccessors(const AdmissionInput& input, const std::vector<Rejected>& rejected);

  /// The possible successors of a missing manifest, in words; empty: none.
  [[nodiscard]] std::string Of(const InForce& missing) const;

 private:
  struct Placeless {
    const Rejected* any = nullptr;
    const Rejected* newest = nullptr;  ///< The scan before did not know it as it is.
  };

  std::multimap<Target, const Rejected*> placed_;
  std::map<std::string, Placeless> placeless_;  ///< By Target::kind.
};

/// The possible place of a manifest that the scan did not find, in words: an unread file, or a
/// possible successor. Also for a manifest that was gone before, because a successor may appear
/// while the removal waits. Empty: nothing.
[[nodiscard]] std::string MayHold(const InForce& missing, const PossibleSuccessors& successors);

/// A new manifest claims the claim of `missing`, or a part of the claim.
[[nodiscard]] bool IsTaken(const InForce& missing,
                           const std::map<std::string, Admitted>& candidates);

}  // namespace bindery::admission
