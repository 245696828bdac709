#include "app/planner.h"

#include <algorithm>
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
  for (const DeclaredClaim& claim : task.job.declared) {
    if (claim.manifest != nullptr) change.resources.push_back(claim.manifest->name);
  }
  if (held && !checked.plan.removes.empty()) {
    change.note = "the guard would hold its removals until they are approved";
  }
  return change;
}

/// A plan reads the same each time.
std::vector<std::string> SortedKeys(const Catalog& catalog) {
  std::vector<std::string> keys;
  for (const auto& [key, target] : catalog.targets()) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

Expected<std::vector<PlanTask>> PlanTasks(const Catalog& catalog,
                                          const Engine::Connections& connections,
                                          const std::vector<std::string>& names) {
  std::set<std::string> wanted;
  for (const std::string& name : names) {
    const auto found = catalog.resources().find(name);
    if (found == catalog.resources().end()) {
      return Fail(Code::kNotFound, "no resource \"" + name + "\"");
    }
    if (!found->second.accepted) {
      return Fail(Code::kFailedPrecondition,
                  "\"" + name + "\" is not in force: " + found->second.status->message);
    }
    wanted.insert(found->second.target->Key());
  }
  std::vector<PlanTask> tasks;
  for (const std::string& key : SortedKeys(catalog)) {
    const TargetEntry& target = catalog.targets().at(key);
    if (!wanted.empty() && !wanted.contains(key)) continue;
    const auto connection = connections.find(target.provider.str());
    if (connection == connections.end() || target.kind == nullptr) continue;
    PlanTask task;
    task.job = catalog.JobOf(target);
    task.job.connection = connection->second;
    tasks.push_back(std::move(task));
  }
  return tasks;
}

Json MakePlan(const std::vector<PlanTask>& tasks, const Guard& guard, std::size_t concurrency) {
  std::vector<CheckResult> checked(tasks.size());
  boost::asio::thread_pool pool(std::max<std::size_t>(1, std::min(concurrency, tasks.size())));
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    boost::asio::post(pool, [&tasks, &checked, i] { checked[i] = RunCheck(tasks[i].job); });
  }
  pool.join();

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
  Json report = PlanReport(changes);
  if (!verdict.allowed) report["guard"] = {{"held", true}, {"reason", verdict.reason}};
  if (!errors.empty()) report["errors"] = std::move(errors);
  return report;
}

}  // namespace bindery
