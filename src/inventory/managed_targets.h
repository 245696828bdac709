#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/places.h"
#include "controller/claims/catalog_settings.h"
#include "core/access/drift.h"
#include "core/access/grant.h"
#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/settings/accepted_drift.h"
#include "store/ports/report_reader.h"

namespace bindery::inventory {

/// A target with manifests in force.
struct ManagedTarget {
  Target target;
  std::vector<std::string> resources;  ///< The manifests.
  std::vector<Grant> declared;         ///< With the names that the service stores for them.
  std::vector<std::string> parts;      ///< What the manifests claim, as ClaimPart.
  std::vector<DriftItem> open;         ///< What is on record as not resolved, with its notes.
  bool observed = false;               ///< Its policy was read.
  bool exists = false;                 ///< At the last reading.
  WallTime observed_at;                ///< Of the last reading.
  std::string policy_digest = {};      ///< Names the policy that was read.
};

/// The store's facts about declarations with one provider.
struct ManagedTargets {
  std::map<std::pair<std::string, std::string>, ManagedTarget> by_name;  ///< By kind and name.
  AcceptedDriftRules accepted;  ///< As report::ReadAcceptedDrift().

  [[nodiscard]] static Expected<ManagedTargets> Read(const store::ReportReader& store,
                                                     std::string_view provider,
                                                     const controller::CatalogSettings& settings);

  /// The target of a kind and name, under any name of the target's project; null: no such target.
  [[nodiscard]] const ManagedTarget* Find(const std::string& kind, const std::string& name,
                                          const access::Places& places) const;
};

}  // namespace bindery::inventory
