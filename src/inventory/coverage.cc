#include "inventory/coverage.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/settings/keeping_rules.h"
#include "core/text/count.h"
#include "inventory/coverage_groups.h"
#include "inventory/managed_targets.h"
#include "inventory/scanned_policy.h"
#include "inventory/unmanaged_tally.h"
#include "providers/inventory_source.h"
#include "providers/registry/kinds.h"
#include "reconcilers/bindings.h"
#include "report/access/grant_classes.h"
#include "report/access/observed_access.h"
#include "report/text/text_style.h"

namespace bindery::inventory {
namespace {

Expected<InventoryRecord> FindScan(const store::InventoryStore& inventory,
                                   const CoverageQuery& query) {
  const auto scans = inventory.Inventories();
  if (!scans) return Fail(scans.error());
  const InventoryRecord* last = nullptr;
  std::set<std::string> scopes;
  for (const InventoryRecord& scan : *scans) {
    if (!scan.finished) continue;
    scopes.insert(scan.scope + " by " + scan.provider);
    const bool meant = (query.scope.empty() || query.scope == scan.scope) &&
                       (query.provider.empty() || query.provider == scan.provider);
    if (meant && (last == nullptr || *scan.finished > *last->finished)) last = &scan;
  }
  if (last != nullptr) return *last;
  std::string message = "no scan ";
  if (!query.scope.empty()) message += "of \"" + query.scope + "\" ";
  if (!query.provider.empty()) message += "by the provider \"" + query.provider + "\" ";
  message += "is finished";
  if (scopes.empty()) return Fail(Code::kNotFound, message + ": bindery scan --scope SCOPE");
  message += "; finished are those of ";
  for (const std::string& scope : scopes) message += (message.ends_with(' ') ? "" : ", ") + scope;
  return Fail(Code::kNotFound, std::move(message));
}

/// Takes the grants of one policy.
using TakeGrants = std::function<void(const CoveragePlace& place, const reconcilers::Kind& kind,
                                      const std::vector<report::ClassedGrant>& grants)>;

/// Classifies the grants of one scan, and further declared grants in the scan's scope.
class Counting {
 public:
  Counting(const CoverageParts& parts, const InventoryFacts& facts, ManagedTargets managed,
           const providers::InventorySource& source, WallTime now)
      : parts_(parts),
        facts_(facts),
        managed_(std::move(managed)),
        source_(source),
        keeping_{parts.settings.protected_principals, parts.settings.target_rules,
                 parts.settings.accepted},
        rules_{keeping_, managed_.accepted, now, parts.settings.severities.get()},
        places_(facts.containers),
        judge_(*providers::KnownKinds().FindByTargets(source.JudgedAs())) {}

  Expected<report::Coverage> Run(std::optional<CoverageBy> by) {
    CoverageTally tally(places_, by);
    const auto counted = Each([&tally](const CoveragePlace& place, const reconcilers::Kind& kind,
                                       const std::vector<report::ClassedGrant>& grants) {
      tally.Add(place, kind, grants);
    });
    if (!counted) return Fail(counted.error());
    report::Coverage coverage;
    coverage.scope = facts_.scan.scope;
    coverage.provider = facts_.scan.provider;
    coverage.as_of = facts_.scan.started;
    coverage.index_hours = source_.MayBeOld().count();
    tally.Tell(coverage);
    TellNotLookedAt(tally, coverage);
    return coverage;
  }

  /// Calls `take` with the grants of each policy, once.
  Expected<void> Each(const TakeGrants& take) {
    for (const InventoryPolicy& policy : facts_.policies) {
      if (auto added = AddFound(policy, take); !added) return added;
    }
    return AddOthers(take);
  }

 private:
  /// Bindery's own read of the target counts, and not the index's policy of the target.
  [[nodiscard]] bool IsReadInTime(const ManagedTarget& target) const {
    return target.observed && target.observed_at + source_.MayBeOld() >= facts_.scan.started;
  }

  [[nodiscard]] Expected<std::vector<Grant>> ReadGrants(const ManagedTarget& target) const {
    if (!target.exists || target.policy_digest.empty()) return std::vector<Grant>{};
    return report::GrantsUnder(
        parts_.store, {target.target, target.observed_at, target.policy_digest, 0, target.exists});
  }

  Expected<void> AddFound(const InventoryPolicy& policy, const TakeGrants& take) {
    const reconcilers::Kind* kind =
        policy.kind.empty() ? nullptr : providers::KnownKinds().FindByTargets(policy.kind);
    report::TargetGrants grants;
    grants.kind = kind == nullptr ? &judge_ : kind;
    grants.target = {policy.kind, "", kind == nullptr ? policy.resource : policy.target};
    const std::string place = places_.GetName(policy.place);
    grants.project_number =
        kind == nullptr ? places_.GetNumber(place) : places_.GetNumberInName(policy.target);
    const ManagedTarget* managed =
        kind == nullptr ? nullptr : managed_.Find(policy.kind, policy.target, places_);
    if (managed != nullptr) {
      if (!counted_.insert(managed).second) return {};
      Manage(*managed, grants);
    }
    if (managed != nullptr && IsReadInTime(*managed)) {
      auto read = ReadGrants(*managed);
      if (!read) return Fail(read.error());
      grants.grants = *std::move(read);
    } else {
      grants.grants = FoundGrants(policy, *grants.kind);
    }
    take({place, kind == nullptr ? policy.type : policy.kind, grants.target.name}, *grants.kind,
         report::ClassGrants(grants, rules_));
    return {};
  }

  static void Manage(const ManagedTarget& managed, report::TargetGrants& grants) {
    grants.managed = true;
    grants.target = managed.target;
    grants.declared = managed.declared;
    grants.parts = managed.parts;
    grants.open = managed.open;
  }

  /// The grants of a policy as the index has it. Entries without the form of a binding are counted.
  [[nodiscard]] std::vector<Grant> FoundGrants(const InventoryPolicy& policy,
                                               const reconcilers::Kind& kind) {
    const reconcilers::KindTraits& traits = kind.traits();
    const auto bindings = ParseJson(policy.bindings);
    if (!bindings || !bindings->is_array()) {
      ++unreadable_;
      return {};
    }
    for (const Json& entry : *bindings) {
      if (!IsBinding(entry, traits.binding_words)) ++unreadable_;
    }
    return reconcilers::DistinctGrants(reconcilers::ListGrants(*bindings, traits.binding_words),
                                       traits.principals->normal);
  }

  /// The target is known to be in the scope. Targets in doubt are counted.
  bool IsInScope(const Target& target) {
    if (source_.IsWholeAccount()) return true;
    const std::string place = places_.GetName(access::ContainerInName(target.name));
    if (places_.Holds(place) || place == facts_.scan.scope) return true;
    if (place.empty() || facts_.containers.empty()) ++without_place_;
    return false;
  }

  /// Declared targets in the scope that the scan did not show.
  Expected<void> AddOthers(const TakeGrants& take) {
    for (const auto& [name, managed] : managed_.by_name) {
      if (counted_.contains(&managed)) continue;
      const reconcilers::Kind* kind =
          providers::KnownKinds().FindByTargets(managed.target.kind.str());
      if (kind == nullptr || kind->traits().principals == nullptr) continue;
      if (!IsInScope(managed.target)) continue;
      if (!managed.observed) {
        never_read_.push_back(managed.target.name);
        continue;
      }
      const std::string container = access::ContainerInName(managed.target.name);
      const std::string place = container.empty() ? facts_.scan.scope : places_.GetName(container);
      report::TargetGrants grants;
      grants.kind = kind;
      grants.project_number = places_.GetNumberInName(managed.target.name);
      Manage(managed, grants);
      auto read = ReadGrants(managed);
      if (!read) return Fail(read.error());
      grants.grants = *std::move(read);
      take({place, managed.target.kind.str(), managed.target.name}, *kind,
           report::ClassGrants(grants, rules_));
    }
    return {};
  }

  void TellNotLookedAt(const CoverageTally& tally, report::Coverage& coverage) const {
    coverage.not_looked_at = source_.NotLookedAt(facts_.scan);
    for (const std::string& refused : facts_.scan.unread) {
      coverage.not_looked_at.push_back("refused by the service: " + refused);
    }
    if (tally.unproven() > 0) {
      coverage.not_looked_at.push_back(
          "whether a service gave the access that looks like just-in-time access: of " +
          Count(tally.unproven(), "grant") + " only the form was compared");
    }
    if (without_place_ > 0) {
      coverage.not_looked_at.push_back(
          "declared targets that the scan did not show, and that may be outside of the scope: " +
          std::to_string(without_place_));
    }
    if (unreadable_ > 0) {
      coverage.not_looked_at.push_back(
          "entries of policies without a role and a list of members: " +
          std::to_string(unreadable_));
    }
    if (!never_read_.empty()) {
      constexpr std::size_t kShown = 5;
      coverage.not_looked_at.push_back(
          "declared targets that neither the scan showed nor a check has read: " +
          std::to_string(never_read_.size()) + ": " + report::TakeFirst(never_read_, kShown));
    }
  }

  const CoverageParts& parts_;
  const InventoryFacts& facts_;
  const ManagedTargets managed_;
  const providers::InventorySource& source_;
  const KeepingRules keeping_;
  const report::ClassRules rules_;
  const access::Places places_;
  const reconcilers::Kind& judge_;
  std::set<const ManagedTarget*> counted_;
  std::int64_t without_place_ = 0;
  std::int64_t unreadable_ = 0;  ///< Entries of policies.
  std::vector<std::string> never_read_;
};

/// What a scan is counted with.
struct Ground {
  const providers::InventorySource& source;
  InventoryFacts facts;
  ManagedTargets managed;
};

const providers::InventorySource* FindSource(const controller::CatalogSettings& settings,
                                             const std::string& provider) {
  const auto type = settings.provider_types.find(provider);
  return type == settings.provider_types.end() ? nullptr : providers::FindInventory(type->second);
}

Expected<Ground> ReadGround(const CoverageParts& parts, const InventoryRecord& scan) {
  const providers::InventorySource* source = FindSource(parts.settings, scan.provider);
  if (source == nullptr) {
    return Fail(Code::kFailedPrecondition,
                "the configuration has no provider \"" + scan.provider + "\" that can be scanned");
  }
  auto facts = parts.inventory.Inventory(scan.id);
  if (!facts) return Fail(facts.error());
  auto managed = ManagedTargets::Read(parts.store, scan.provider, parts.settings);
  if (!managed) return Fail(managed.error());
  return Ground{*source, *std::move(facts), *std::move(managed)};
}

}  // namespace

Expected<report::Coverage> CoverageReport(const CoverageParts& parts, const CoverageQuery& query,
                                          WallTime now) {
  const auto scan = FindScan(parts.inventory, query);
  if (!scan) return Fail(scan.error());
  auto ground = ReadGround(parts, *scan);
  if (!ground) return Fail(ground.error());
  return Counting(parts, ground->facts, std::move(ground->managed), ground->source, now)
      .Run(query.by);
}

Expected<std::shared_ptr<const report::UnmanagedGrants>> ReadUnmanaged(const CoverageParts& parts,
                                                                       WallTime now) {
  const auto scans = parts.inventory.Inventories();
  if (!scans) return Fail(scans.error());
  std::set<std::string> providers;
  for (const InventoryRecord& scan : *scans) {
    if (scan.finished && FindSource(parts.settings, scan.provider) != nullptr) {
      providers.insert(scan.provider);
    }
  }
  if (providers.empty()) return nullptr;
  UnmanagedTally tally;
  for (const std::string& provider : providers) {
    const auto scan = FindScan(parts.inventory, {"", provider});
    if (!scan) return Fail(scan.error());
    auto ground = ReadGround(parts, *scan);
    if (!ground) return Fail(ground.error());
    tally.BeginScan(scan->started);
    Counting counting(parts, ground->facts, std::move(ground->managed), ground->source, now);
    const auto counted = counting.Each(
        [&tally](const CoveragePlace& place, const reconcilers::Kind& /*kind*/,
                 const std::vector<report::ClassedGrant>& grants) { tally.Add(place, grants); });
    if (!counted) return Fail(counted.error());
  }
  return std::make_shared<const report::UnmanagedGrants>(std::move(tally).Counted());
}

}  // namespace bindery::inventory
