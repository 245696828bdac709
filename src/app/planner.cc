#include "app/planner.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <set>
#include <utility>

#include "report/plan_report.h"

namespace bindery {
namespace {

bool Empties(const CheckResult& checked) {
  const std::size_t before = checked.observed->grants.size();
  return before > 0 && checked.plan.adds.empty() && checked.plan.removes.size() >= before;
}

PlanAction ActionOf(const CheckResult& checked, bool held) {
  if (!checked.plan.writes()) return PlanAction::kNone;
  if (held && checked.plan.adds.empty()) return PlanAction::kHeld;
  if (!checked.observed->exists) return PlanAction::kCreate;
  return Empties(checked) ? PlanAction::kDelete : PlanAction::kUpdate;
}

PlannedChange ChangeOf(const PlanTask& task, const CheckResult& checked, bool held) {
  PlannedChange change;
  change.target = task.job.target;
  change.action = ActionOf(checked, held);
  change.adds = checked.plan.adds;
  change.removes = checked.plan.removes;
  change.empties = Empties(checked);
  for (const DriftItem& item : checked.plan.drift) {
    change.severity = std::max(change.severity.value_or(item.severity), item.severity);
  }
  for (const DeclaredClaim& claim : task.job.declared) {
    if (claim.manifest != nullptr) change.resources.push_back(claim.manifest->name);
  }
  const auto note = [&change](const std::string& text) {
    change.note += (change.note.empty() ? "" : "; ") + text;
  };
  if (held && !checked.plan.removes.empty()) {
    note("the guard would hold its removals until they are approved");
  }
  for (const auto* left_out : {&checked.desired.refused, &checked.plan.impossible}) {
    for (const auto& [resource, status] : *left_out) {
      note(resource + ": " + status.reason + ": " + status.message);
    }
  }
  return change;
}

/// What it declares depends on outputs that are not known yet.
bool IsWaiting(const ResourceEntry& entry) {
  return !entry.accepted && entry.status->reason == reason::kDependencyNotReady;
}

/// A plan reads the same each time.
std::vector<TargetKey> SortedKeys(const Catalog& catalog) {
  std::vector<TargetKey> keys;
  for (const auto& [key, target] : catalog.targets()) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

Expected<PlanScope> PlanScopeOf(const Catalog& catalog, const Engine::Connections& connections,
                                const std::vector<std::string>& names) {
  PlanScope scope;
  const std::set<std::string> asked(names.begin(), names.end());
  std::set<TargetKey> wanted;
  for (const std::string& name : asked) {
    const auto found = catalog.resources().find(name);
    if (found == catalog.resources().end()) {
      return Fail(Code::kNotFound, "no resource \"" + name + "\"");
    }
    const ResourceEntry& entry = found->second;
    if (entry.accepted) {
      wanted.insert(entry.target);
    } else if (!IsWaiting(entry)) {
      return Fail(Code::kFailedPrecondition,
                  "\"" + name + "\" is not in force: " + entry.status->message);
    }
  }
  for (const auto& [name, entry] : catalog.resources()) {
    if (!IsWaiting(entry) || (!asked.empty() && !asked.contains(name))) continue;
    scope.waiting.push_back({{"resource", name}, {"message", entry.status->message}});
  }
  for (const TargetKey& key : SortedKeys(catalog)) {
    const TargetEntry& target = catalog.targets().at(key);
    if (!asked.empty() && !wanted.contains(key)) continue;
    const auto connection = connections.find(target.provider.str());
    if (connection == connections.end() || target.kind == nullptr) continue;
    PlanTask task;
    // What waits for others has its turn within the same pass.
    task.job = catalog.JobOf(target, /*in_order=*/false);
    task.job.connection = connection->second;
    scope.tasks.push_back(std::move(task));
  }
  return scope;
}

std::vector<CheckResult> ReadTargets(const std::vector<PlanTask>& tasks, std::size_t concurrency,
                                     const std::function<void(std::size_t)>& told) {
  std::vector<CheckResult> checked(tasks.size());
  std::atomic<std::size_t> done = 0;
  boost::asio::thread_pool pool(std::max<std::size_t>(1, std::min(concurrency, tasks.size())));
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    boost::asio::post(pool, [&tasks, &checked, &done, &told, i] {
      checked[i] = RunCheck(tasks[i].job);
      const std::size_t so_far = ++done;
      if (told) told(so_far);
    });
  }
  pool.join();
  return checked;
}

Json MakePlan(const PlanScope& scope, const Guard& guard, std::size_t concurrency) {
  return PlanOf(scope, ReadTargets(scope.tasks, concurrency), guard);
}

Json PlanOf(const PlanScope& scope, const std::vector<CheckResult>& checked, const Guard& guard) {
  const std::vector<PlanTask>& tasks = scope.tasks;
  std::vector<Removals> removals;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (checked[i].plan.removes.empty()) continue;
    removals.push_back({tasks[i].job.target, checked[i].plan.removes, {}});
  }
  const Guard::Verdict verdict = guard.Judge(removals);
  std::vector<PlannedChange> changes;
  Json errors = Json::array();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!checked[i].observed) {
      errors.push_back({{"target", tasks[i].job.target.name},
                        {"code", ToString(checked[i].observed.error().code)},
                        {"message", checked[i].observed.error().message}});
      continue;
    }
    const bool held = !verdict.allowed || guard.IsHeld(tasks[i].job.target);
    changes.push_back(ChangeOf(tasks[i], checked[i], held));
  }
  Json report = PlanReport(changes, std::chrono::system_clock::now());
  if (!verdict.allowed) report["guard"] = {{"held", true}, {"reason", verdict.reason}};
  if (!scope.waiting.empty()) report["waiting"] = scope.waiting;
  if (!errors.empty()) report["errors"] = std::move(errors);
  return report;
}

}  // namespace bindery
