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

/// Follows resources to their targets, and to what they need.
class PartSearch {
 public:
  explicit PartSearch(const Catalog& catalog) : catalog_(catalog) {}

  /// False: the plan of some resource may depend on what the search does not reach.
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

  /// In force as its manifest has it: no scan and no other resource decides what becomes of it.
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

}  // namespace

std::optional<ClaimsPart> FindPart(const Catalog& catalog, const std::vector<std::string>& names) {
  const ProjectNames& projects = catalog.project_names();
  if (projects.HasGivenUp() || projects.waits() || catalog.directory().last_scan().IsDue()) {
    return std::nullopt;
  }
  PartSearch search(catalog);
  return search.Run(names) ? std::optional(std::move(search).Part()) : std::nullopt;
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
