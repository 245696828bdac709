#pragma once

#include <map>
#include <string>
#include <vector>

#include "controller/claims/resource_entry.h"
#include "core/access/drift.h"
#include "core/access/grant.h"
#include "reconcilers/grant_change.h"

namespace bindery::controller {

/// The changes of a policy between the last known version (read, or stored by a write) and the new
/// reading.
struct PolicyHistory {
  enum class Known {
    kNever,       ///< It was never read before.
    kUnchanged,   ///< It is the last one.
    kChanged,     ///< `went` and `came` say how.
    kUnreadable,  ///< The last one is not to be had any more.
  };
  Known known = Known::kUnchanged;
  std::vector<Grant> went;  ///< In the last one, and not any more.
  std::vector<Grant> came;  ///< New since.
  std::string text = {};    ///< The last one as it was stored.
};

/// The cause of a difference that was missing at the last check. The difference needs both sides.
/// If the cloud's side had existed at the last check, under the same declaration, the difference
/// would have existed then; so:
///   - the cloud's side is new: kForeign, as what bindery writes is itself the last policy;
///   - otherwise the desired state changed. kExpiry with `expired` (the end of a declared
///     validity), else kManifest.
/// Of a policy that was never read, the missing part is declared newly (kManifest); of anything
/// else it is unknown whether it came before or after the manifest (kUnknown).
[[nodiscard]] DriftCause GetCause(const reconcilers::GrantChange& item,
                                  const PolicyHistory& history, bool expired);

/// A difference on record keeps its cause, also when a new manifest declares the role.
void KeepCauses(const TargetEntry::Differences& known, std::vector<DriftItem>& items);
void KeepCauses(const TargetEntry::Differences& known, reconcilers::TargetPlan& plan);

/// Finds the differences on a target that other writers made after the manifests in force had been
/// compared with the policy. A difference on record was judged when found. Use before the finding
/// reading comes on record; the target outlives the object.
class LaterDifferences {
 public:
  explicit LaterDifferences(const TargetEntry& target) : target_(target) {}
  [[nodiscard]] bool Has(const DriftItem& item);

 private:
  [[nodiscard]] const TargetEntry::Difference* OnRecord(const DriftItem& item);
  [[nodiscard]] bool WasCompared(const DriftItem& item) const;

  const TargetEntry& target_;
  /// Recorded differences without the resource: a new manifest may declare the role now. Filled on
  /// demand.
  std::map<std::string, const TargetEntry::Difference*> elsewhere_;
};

/// What shows only after a write has the cause of the difference it is the rest of, that of the
/// same role and principal, or else `otherwise`.
void TakeCauses(const std::vector<DriftItem>& before, DriftCause otherwise,
                std::vector<DriftItem>& rest);

/// The same of accepted differences after a write; others are foreign.
void TakeAcceptedCauses(const reconcilers::TargetPlan& before, reconcilers::TargetPlan& left);

/// After the policy is on record, the causes of its open differences cannot be found any more: the
/// causes go on record with the policy.
[[nodiscard]] bool NeedsRecord(const reconcilers::TargetPlan& plan);

}  // namespace bindery::controller
