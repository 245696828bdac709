#pragma once

#include <set>
#include <string>

#include "controller/catalog/acceptance_rules.h"
#include "controller/claims/claims.h"
#include "controller/claims/links.h"
#include "controller/claims/scan_state.h"
#include "controller/gates/target_work.h"
#include "controller/placing/project_names.h"

namespace bindery::controller {

/// What may be done about each claim now: enforced, only observed, removed, or left alone.
///
/// Rules: before the first scan nothing is removed, as a manifest may have come back. A claim whose
/// manifest one scan did not find is left alone until the next one. What waits for others is left
/// alone, or only observed where these fail. A removal also needs evidence (RemovalEvidence). Pure;
/// the read objects outlive the object.
class ManagementPolicies {
 public:
  /// Inputs.
  struct Sources {
    const CatalogSettings& settings;
    const Claims& claims;
    const Links& links;
    const ProjectNames& project_names;
    const ScanState& state;
  };
  explicit ManagementPolicies(const Sources& sources)
      : from_(sources), acceptances_(sources.settings, sources.claims) {}

  /// `in_order`: a resource that waits is left alone; otherwise as if the resource had its turn.
  [[nodiscard]] reconcilers::ManagementPolicy Of(const ResourceEntry& entry,
                                                 bool in_order = true) const;
  /// The same for a check: what awaits a time that cannot be told is left alone as well.
  [[nodiscard]] reconcilers::ManagementPolicy ForCheck(const ResourceEntry& entry,
                                                       bool in_order = true) const;
  /// Which differences may stay now, as AcceptanceRules::InForce.
  [[nodiscard]] const std::shared_ptr<const AcceptedDriftRules>& Accepted() const {
    return acceptances_.InForce();
  }
  /// A check of the target: everything declared on it now. Without a connection.
  [[nodiscard]] CheckJob MakeJob(const TargetEntry& target, bool in_order = true) const;
  /// Nothing may be done about any claim on the target.
  [[nodiscard]] bool IsFrozen(const TargetEntry& target) const;
  /// The condition has ended, and therefore the declared grants are taken out of the policy
  /// (options.expired).
  [[nodiscard]] bool IsExpired(const ResourceEntry& entry) const;
  /// The grants have to go when the condition has ended, and the time is uncertain: the role stays
  /// unchanged.
  [[nodiscard]] bool AwaitsTime(const ResourceEntry& entry) const;
  /// A leaving resource in whose name nothing was ever done: safe to forget.
  [[nodiscard]] bool LeavesNothing(const ResourceEntry& entry) const;
  /// The resource whose checks would remove the grants of `entry` if `entry` were forgotten
  /// together with `gone`; null: none.
  [[nodiscard]] const ResourceEntry* FindRemover(const ResourceEntry& entry,
                                                 const std::set<std::string>& gone) const;

 private:
  Sources from_;
  AcceptanceRules acceptances_;
};

}  // namespace bindery::controller
