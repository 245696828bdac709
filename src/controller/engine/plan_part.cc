#include "controller/engine/plan_part.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "controller/catalog/catalog.h"
#include "controller/claims/former_claims.h"
#include "controller/claims/status_code.h"
#include "controller/placing/project_names.h"
#include "providers/bindery/own_kinds.h"
#include "reconcilers/grant_change.h"

namespace bindery::controller {
namespace {

/// Tells whether no resource is on its way out, so that a refused manifest stays refused. Goes
/// through all resources for the first question alone.
class Stillness {
 public:
  explicit Stillness(const Catalog& catalog) : catalog_(catalog) {}

  [[nodiscard]] bool Rests() {
    if (!rests_) {
      rests_ = std::ranges::none_of(catalog_.claims().resources(), [](const auto& item) {
        return item.second.evidence.missing_scans > 0;
      });
    }
    return *rests_;
  }

 private:
  const Catalog& catalog_;
  std::optional<bool> rests_;
};

/// Follows resources to targets and to needed resources.
class PartSearch {
 public:
  /// Both must outlive the object.
  PartSearch(const Catalog& catalog, Stillness& stillness)
      : catalog_(catalog), stillness_(stillness) {}

  /// False: the plan of some resource may depend on resources beyond the search.
  bool Run(const std::vector<std::string>& names) {
    open_ = names;
    AddTarget(catalog_.claims().MakeKey(providers::AcceptedDriftTarget()));
    while (!open_.empty()) {
      const std::string name = std::move(open_.back());
      open_.pop_back();
      const ResourceEntry* entry = catalog_.claims().FindResource(name);
      if (entry == nullptr || part_.resources.contains(name)) continue;
      if (!IsPlain(*entry)) return false;
      part_.resources.insert(name);
      for (const std::string& need : catalog_.links().FindNeeds(name)) open_.push_back(need);
      AddTarget(entry->place.target);
    }
    return true;
  }

  [[nodiscard]] ClaimsPart Part() && { return std::move(part_); }

 private:
  void AddTarget(const TargetKey& key) {
    const TargetEntry* target = catalog_.claims().FindTarget(key);
    if (target == nullptr || !part_.targets.insert(key).second) return;
    for (const ResourceEntry* entry : target->resources) open_.push_back(entry->name);
  }

  /// In force as the manifest says: no scan and no other resource decides about the resource.
  [[nodiscard]] bool IsPlain(const ResourceEntry& entry) const {
    if (!entry.accepted || entry.unreadable) return false;
    if (const auto& rejected = entry.standing.rejected; rejected != nullptr) {
      if (!stillness_.Rests() || GetCode(**rejected) == StatusCode::kDependencyNotReady)
        return false;
    }
    if (entry.evidence.missing_scans > 0 || !GetSuccessor(entry.name).empty()) return false;
    if (!catalog_.claims().former().Of(entry.name).empty()) return false;
    return !catalog_.links().IsTemplate(entry.name) && !catalog_.links().FeedsTemplates(entry.name);
  }

  const Catalog& catalog_;
  Stillness& stillness_;
  std::vector<std::string> open_;
  ClaimsPart part_;
};

/// The change is carried out, or will be once a gate lets the change through.
bool TakesAccess(const reconcilers::GrantChange& change) {
  const bool counts = change.verdict == reconcilers::Verdict::kApply ||
                      change.verdict == reconcilers::Verdict::kWait;
  return counts && change.takes_access();
}

/// The plan of a part of the claims may differ from the plan with all claims.
bool DependsOnAll(const Catalog& catalog) {
  const ProjectNames& projects = catalog.project_names();
  return projects.HasGivenUp() || projects.waits() || catalog.directory().last_scan().IsDue();
}

}  // namespace

std::optional<ClaimsPart> FindPart(const Catalog& catalog, const std::vector<std::string>& names) {
  if (DependsOnAll(catalog)) return std::nullopt;
  Stillness stillness(catalog);
  PartSearch search(catalog, stillness);
  return search.Run(names) ? std::optional(std::move(search).Part()) : std::nullopt;
}

std::optional<PlannedPart> FindPlannedPart(const Catalog& catalog,
                                           std::span<const TargetKey> targets) {
  if (DependsOnAll(catalog)) return std::nullopt;
  PlannedPart part;
  Stillness stillness(catalog);
  for (const TargetKey& key : targets) {
    const TargetEntry* target = catalog.claims().FindTarget(key);
    if (target == nullptr) continue;
    const std::vector<std::string> names = target->Names();
    if (PartSearch(catalog, stillness).Run(names)) {
      part.names.insert(part.names.end(), names.begin(), names.end());
    } else {
      for (const std::string& name : names) part.others.emplace_back(name, key);
    }
  }
  PartSearch search(catalog, stillness);
  if (!search.Run(part.names)) return std::nullopt;
  part.claims = std::move(search).Part();
  return part;
}

OpenOutcomes FindOpenOutcomes(const DryRun& run) {
  OpenOutcomes open;
  const Catalog& catalog = run.catalog();
  const ProjectNames& projects = catalog.project_names();
  std::vector<std::string> names;
  for (const auto& [target, foreseen] : run.foreseen()) {
    // Why a target is paused may name any other target.
    const bool needs_all = projects.HasGivenUp() || projects.RefusesNumber(target.name) ||
                           foreseen.plan.IsStoppedBy(reconcilers::Gate::kOscillation);
    const bool removes = std::ranges::any_of(foreseen.plan.changes, TakesAccess) ||
                         std::ranges::any_of(foreseen.written.changes, TakesAccess);
    open.need_all = open.need_all || needs_all;
    const TargetEntry* entry = catalog.claims().FindTarget(target);
    if (!needs_all && !removes) continue;
    if (entry == nullptr) {
      open.need_all = true;
      continue;
    }
    std::ranges::move(entry->Names(), std::back_inserter(names));
  }
  while (!names.empty()) {
    const std::string name = std::move(names.back());
    names.pop_back();
    if (!open.resources.insert(name).second) continue;
    const auto& dependents = catalog.links().ListDependents(name);
    names.insert(names.end(), dependents.begin(), dependents.end());
    const ResourceEntry* entry = catalog.claims().FindResource(name);
    const TargetEntry* target =
        entry == nullptr ? nullptr : catalog.claims().FindTarget(entry->place.target);
    if (target != nullptr) std::ranges::move(target->Names(), std::back_inserter(names));
  }
  return open;
}

}  // namespace bindery::controller
