#include "app/offline_plan.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "app/planner.h"
#include "manifests/expression.h"

namespace bindery {
namespace {

class OfflinePlan {
 public:
  OfflinePlan(OfflineCatalog& offline, const OfflinePlanSettings& settings)
      : offline_(offline), settings_(settings) {}

  Expected<Json> Make(const Guard& guard, const std::vector<std::string>& names) {
    Expected<PlanScope> scope = ScopeOf(names);
    // One manifest may wait for another that waits itself.
    for (std::size_t i = 0; scope && !scope->waiting.empty() && i < offline_.scan.manifests; ++i) {
      if (auto read = ReadNeeds(names); !read) return Fail(read.error());
      const bool moved = ResolveAgain();
      scope = ScopeOf(names);
      if (!moved) break;
    }
    if (!scope) return Fail(scope.error());
    Read(scope->tasks);
    std::vector<CheckResult> checked;
    for (const PlanTask& task : scope->tasks) checked.push_back(read_.at(task.job.target));
    return PlanOf(*scope, checked, guard);
  }

 private:
  Expected<PlanScope> ScopeOf(const std::vector<std::string>& names) const {
    const SystemClock clock;
    return PlanScopeOf(offline_.catalog, settings_.connections, names,
                       {clock.Mono(), clock.Wall()});
  }

  void Read(const std::vector<PlanTask>& tasks) {
    std::vector<PlanTask> unread;
    for (const PlanTask& task : tasks) {
      if (!read_.contains(task.job.target)) unread.push_back(task);
    }
    const auto told = [this, &unread](std::size_t done) {
      if (settings_.progress != nullptr) settings_.progress->Show(done, unread.size());
    };
    std::vector<CheckResult> checked = ReadTargets(unread, settings_.concurrency, told);
    for (std::size_t i = 0; i < unread.size(); ++i) {
      read_.insert_or_assign(unread[i].job.target, std::move(checked[i]));
    }
  }

  /// Of some manifests only what they need is read; of all, all.
  Expected<void> ReadNeeds(const std::vector<std::string>& names) {
    const std::vector<std::string> needs = names.empty() ? names : NeedsOf(names);
    if (needs.empty() && !names.empty()) return {};
    const Expected<PlanScope> scope = ScopeOf(needs);
    if (!scope) return Fail(scope.error());
    Read(scope->tasks);
    return {};
  }

  /// Those in force that these refer to or depend on, also by way of others.
  [[nodiscard]] std::vector<std::string> NeedsOf(const std::vector<std::string>& names) const {
    std::map<std::string, std::shared_ptr<const Manifest>> manifests;
    for (auto& manifest : offline_.scan.Manifests()) manifests[manifest->name] = manifest;
    const KnownName known = [&](const std::string& name) { return manifests.contains(name); };
    std::set<std::string> seen(names.begin(), names.end());
    std::vector<std::string> open = names;
    std::vector<std::string> needs;
    while (!open.empty()) {
      const auto manifest = manifests.find(open.back());
      open.pop_back();
      if (manifest == manifests.end()) continue;
      for (std::string& need : DependenciesOf(*manifest->second, known)) {
        if (!seen.insert(need).second) continue;
        const auto entry = offline_.catalog.claims().resources().find(need);
        const bool in_force =
            entry != offline_.catalog.claims().resources().end() && entry->second.accepted;
        if (in_force) needs.push_back(need);
        open.push_back(std::move(need));
      }
    }
    return needs;
  }

  /// Resolves references with what was read. False when nothing changes by that.
  bool ResolveAgain() {
    for (const auto& [name, checked] : read_) {
      TargetEntry* target = offline_.catalog.claims().FindTarget(name);
      const bool found = checked.observed && checked.observed->document.is_object();
      if (target == nullptr || !found) continue;
      target->SetEtag(checked.observed->etag);
      std::ignore = target->TakeOutputs(*checked.observed);
      for (ResourceEntry* entry : target->resources) {
        if (!entry->suspended()) entry->observed_generation = entry->generation;
      }
    }
    offline_.scan.again = true;
    const ScanOutcome outcome = offline_.catalog.ApplyScan(
        offline_.scan, {std::chrono::steady_clock::now(), std::chrono::system_clock::now()});
    offline_.problems = offline_.scan.problems;
    offline_.problems.insert(offline_.problems.end(), outcome.conflicts.begin(),
                             outcome.conflicts.end());
    for (const TargetKey& key : outcome.changed_targets) read_.erase(*key);
    return !outcome.changed_targets.empty();
  }

  OfflineCatalog& offline_;
  const OfflinePlanSettings& settings_;
  std::map<Target, CheckResult> read_;
};

}  // namespace

Expected<Json> MakeOfflinePlan(OfflineCatalog& offline, const Guard& guard,
                               const OfflinePlanSettings& settings,
                               const std::vector<std::string>& names) {
  return OfflinePlan(offline, settings).Make(guard, names);
}

}  // namespace bindery
