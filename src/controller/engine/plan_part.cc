#include "controller/engine/plan_part.h"

#include <algorithm>
#include <utility>

#include "controller/catalog/catalog.h"
#include "controller/claims/former_claims.h"
#include "controller/placing/project_names.h"
#include "providers/bindery/own_kinds.h"
#include "reconcilers/grant_change.h"

namespace bindery::controller {
namespace {

/// Follows resources to targets and to needed resources.
class PartSearch {
 public:
  explicit PartSearch(const Catalog& catalog) : catalog_(catalog) {}

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
    if (!entry.accepted || entry.unreadable || entry.standing.rejected != nullptr) return false;
    if (entry.evidence.missing_scans > 0 || !GetSuccessor(entry.name).empty()) return false;
    if (!catalog_.claims().former().Of(entry.name).empty()) return false;
    return !catalog_.links().IsTemplate(entry.name) && !catalog_.links().FeedsTemplates(entry.name);
  }

  const Catalog& catalog_;
  std::vector<std::string> open_;
  ClaimsPart part_;
};

/// The plan of a part of the claims may differ from the plan with all claims.
bool DependsOnAll(const Catalog& catalog) {
  const ProjectNames& projects = catalog.project_names();
  return projects.HasGivenUp() || projects.waits() || catalog.directory().last_scan().IsDue();
}

}  // namespace

std::optional<ClaimsPart> FindPart(const Catalog& catalog, const std::vector<std::string>& names) {
  if (DependsOnAll(catalog)) return std::nullopt;
  PartSearch search(catalog);
  return search.Run(names) ? std::optional(std::move(search).Part()) : std::nullopt;
}

std::optional<PlannedPart> FindPlannedPart(const Catalog& catalog,
                                           std::span<const TargetKey> targets) {
  if (DependsOnAll(catalog)) return std::nullopt;
  PlannedPart part;
  for (const TargetKey& key : targets) {
    const TargetEntry* target = catalog.claims().FindTarget(key);
    if (target == nullptr) continue;
    const std::vector<std::string> names = target->Names();
    auto& list = PartSearch(catalog).Run(names) ? part.names : part.others;
    list.insert(list.end(), names.begin(), names.end());
  }
  PartSearch search(catalog);
  if (!search.Run(part.names)) return std::nullopt;
  part.claims = std::move(search).Part();
  return part;
}

bool FindsWhatAllFind(const DryRun& run) {
  const ProjectNames& projects = run.catalog().project_names();
  if (projects.HasGivenUp()) return false;
  const auto takes = [](const reconcilers::GrantChange& change) {
    const bool counts = change.verdict == reconcilers::Verdict::kApply ||
                        change.verdict == reconcilers::Verdict::kWait;
    return counts && change.takes_access();
  };
  return std::ranges::none_of(run.foreseen(), [&](const auto& item) {
    const auto& [target, foreseen] = item;
    // Why a target is paused may name any other target.
    return projects.RefusesNumber(target.name) ||
           foreseen.plan.IsStoppedBy(reconcilers::Gate::kOscillation) ||
           std::ranges::any_of(foreseen.plan.changes, takes) ||
           std::ranges::any_of(foreseen.written.changes, takes);
  });
}

}  // namespace bindery::controller
