#pragma once

#include <map>
#include <string>
#include <vector>

#include "controller/resource_entry.h"
#include "core/drift.h"
#include "core/grant.h"
#include "reconcilers/grant_change.h"

namespace bindery {

/// What happened to a policy between the last one known (read, or stored by a write) and the one
/// just read.
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

/// What made a difference that was missing at the last check. Had the cloud's side of it been there
/// then, and declared the same, it would have been a difference then; so:
///   - the cloud's side is new: kForeign, as what bindery writes is itself the last policy;
///   - it is not: what is wanted changed. kExpiry with `expired` (the time of what its resource
///     declares ended), else kManifest.
/// Of a policy that was never read, the missing part is declared newly (kManifest); of anything
/// else it is unknown whether it came before or after the manifest (kUnknown).
[[nodiscard]] DriftCause CauseOf(const GrantChange& item, const PolicyHistory& history,
                                 bool expired);

/// A difference on record keeps its cause, also when another manifest now declares its role.
void KeepCauses(const TargetEntry::Differences& known, std::vector<DriftItem>& items);
void KeepCauses(const TargetEntry::Differences& known, TargetPlan& plan);

/// Tells the differences of a target that others made once the manifests in force had been compared
/// with its policy. One on record was judged when it was found. Use: before the reading that found
/// them comes on record; the target outlives the object.
class LaterDifferences {
 public:
  explicit LaterDifferences(const TargetEntry& target) : target_(target) {}
  [[nodiscard]] bool Has(const DriftItem& item);

 private:
  [[nodiscard]] const TargetEntry::Difference* OnRecord(const DriftItem& item);
  [[nodiscard]] bool WasCompared(const DriftItem& item) const;

  const TargetEntry& target_;
  /// Those on record without the resource: another manifest may declare their role now. Filled when
  /// it is needed.
  std::map<std::string, const TargetEntry::Difference*> elsewhere_;
};

/// What shows only after a write has the cause of the difference it is the rest of, that of the
/// same role and principal, or else `otherwise`.
void TakeCauses(const std::vector<DriftItem>& before, DriftCause otherwise,
                std::vector<DriftItem>& rest);

/// The same of accepted differences after a write; others are foreign.
void TakeAcceptedCauses(const TargetPlan& before, TargetPlan& left);

/// Once the policy that was read is on record, the causes of its open differences could not be told
/// any more: they go on record with it.
[[nodiscard]] bool NeedsRecord(const TargetPlan& plan);

}  // namespace bindery
