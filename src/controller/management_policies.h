#pragma once

#include <set>
#include <string>

#include "controller/acceptance_rules.h"
#include "controller/claims.h"
#include "controller/links.h"
#include "controller/project_names.h"
#include "controller/scan_state.h"
#include "controller/target_work.h"

namespace bindery {

/// What may be done about each claim now: enforced, only observed, removed, or left alone.
///
/// Rules: before the first scan nothing is removed, as a manifest may have come back. A claim whose
/// manifest one scan did not find is left alone until the next one. What waits for others is left
/// alone, or only observed where these fail. A removal also needs evidence (RemovalEvidence). Pure;
/// the read objects outlive the object.
class ManagementPolicies {
 public:
  /// What it reads.
  struct Sources {
    const CatalogSettings& settings;
    const Claims& claims;
    const Links& links;
    const ProjectNames& project_names;
    const ScanState& state;
  };
  explicit ManagementPolicies(const Sources& sources)
      : from_(sources), acceptances_(sources.settings, sources.claims) {}

  /// `in_order`: what waits for others is left alone; else as if it had its turn.
  [[nodiscard]] ManagementPolicy Of(const ResourceEntry& entry, bool in_order = true) const;
  /// The same for a check: what awaits a time that cannot be told is left alone as well.
  [[nodiscard]] ManagementPolicy ForCheck(const ResourceEntry& entry, bool in_order = true) const;
  /// Which differences may stay now, as AcceptanceRules::InForce.
  [[nodiscard]] const std::shared_ptr<const AcceptedDriftRules>& Accepted() const {
    return acceptances_.InForce();
  }
  /// A check of the target: everything declared on it now. Without a connection.
  [[nodiscard]] CheckJob JobOf(const TargetEntry& target, bool in_order = true) const;
  /// Nothing may be done about any claim on the target.
  [[nodiscard]] bool IsFrozen(const TargetEntry& target) const;
  /// Its condition has ended, and so what it declares is taken out of the policy (options.expired).
  [[nodiscard]] bool IsExpired(const ResourceEntry& entry) const;
  /// It is to be taken out when its condition has ended, and whether it has cannot be told: its
  /// role stays unchanged.
  [[nodiscard]] bool AwaitsTime(const ResourceEntry& entry) const;
  /// Leaves although nothing was ever done in its name: it can be forgotten as it is.
  [[nodiscard]] bool LeavesNothing(const ResourceEntry& entry) const;
  /// Whose checks would take away what that one granted if it were forgotten together with `gone`;
  /// null: nobody's.
  [[nodiscard]] const ResourceEntry* RemoverOf(const ResourceEntry& entry,
                                               const std::set<std::string>& gone) const;

 private:
  Sources from_;
  AcceptanceRules acceptances_;
};

}  // namespace bindery
