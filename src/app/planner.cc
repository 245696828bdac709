#include "app/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <set>
#include <utility>

#include "app/plan_waiting.h"
#include "controller/no_resource.h"
#include "controller/removals_of.h"
#include "core/work_pool.h"
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

void Note(PlannedChange& change, const std::string& text) {
  change.note += (change.note.empty() ? "" : "; ") + text;
}

/// What a manifest claimed before goes under a name that nobody gave it.
std::string OwnName(const std::string& name) { return name.substr(0, name.find(kFormerClaim)); }

/// Each once.
std::vector<std::string> NamesOf(const CheckJob& job) {
  std::vector<std::string> names;
  for (const DeclaredClaim& claim : job.declared) {
    if (claim.manifest == nullptr) continue;
    std::string name = OwnName(claim.manifest->name);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

/// The differences that a pass only reports: of claims in mode observe, and what nobody claims
/// where all is observed. A deleted principal is told of as what cannot be brought about.
std::vector<DriftItem> OnlyReported(const CheckResult& checked) {
  std::set<std::string> repaired;
  for (const Claim& claim : checked.desired.claims) {
    const bool enforced = claim.treatment == Treatment::kEnforce;
    if (enforced) repaired.insert("");
    if (enforced || claim.treatment == Treatment::kRemove) repaired.insert(claim.resource);
  }
  std::vector<DriftItem> items;
  for (const DriftItem& item : checked.plan.drift) {
    if (item.drift_class == DriftClass::kPrincipalDeleted) continue;
    if (!repaired.contains(item.resource)) items.push_back(item);
  }
  return items;
}

void TellReported(const CheckResult& checked, const VainWaits& waits, PlannedChange& change) {
  change.reported = OnlyReported(checked);
  std::size_t count = 0;
  std::set<std::string> names;
  const auto waits_for_others = [&](const Claim& claim) { return waits.contains(claim.resource); };
  const bool some_wait =
      std::any_of(checked.desired.claims.begin(), checked.desired.claims.end(), waits_for_others);
  for (const DriftItem& item : change.reported) {
    // What nobody declares is judged with what is declared beside it.
    if (item.resource.empty() ? some_wait : waits.contains(item.resource)) continue;
    ++count;
    if (!item.resource.empty()) names.insert(item.resource);
  }
  if (count == 0) return;
  // Who is meant goes without saying where all of the target is observed.
  const bool mixed =
      std::any_of(checked.desired.claims.begin(), checked.desired.claims.end(),
                  [](const Claim& claim) { return claim.treatment == Treatment::kEnforce; });
  Note(change, (mixed ? fmt::format("{}: ", fmt::join(names, ", ")) : "") + std::to_string(count) +
                   (count == 1 ? " difference is" : " differences are") +
                   " only reported (mode observe)");
}

/// What stays as it is although it is declared otherwise. True when there is such a thing.
bool TellStalled(const PlanTask& task, const CheckResult& checked, const VainWaits& waits,
                 PlannedChange& change) {
  const std::string before = change.note;
  for (const Claim& claim : checked.desired.claims) {
    const auto wait = waits.find(claim.resource);
    if (wait == waits.end()) continue;
    Note(change, claim.resource + " waits for " + wait->second + ", which is not as declared");
  }
  for (const auto* left_out : {&checked.desired.refused, &checked.plan.impossible}) {
    for (const auto& [resource, status] : *left_out) {
      Note(change, resource + ": " + status.reason + ": " + status.message);
    }
  }
  for (const Claim& claim : checked.desired.claims) {
    if (!claim.fault.empty()) Note(change, claim.resource + ": " + claim.fault);
  }
  for (const std::string& role : task.contested) {
    Note(change, PartInWords(role) + " is declared by several manifests and left as it is");
  }
  return change.note != before;
}

void TellAccepted(const CheckResult& checked, PlannedChange& change) {
  const std::size_t count = checked.plan.accepted.size();
  if (count == 0) return;
  Note(change, fmt::format("{} accepted difference{} left as {} (drift.accept)", count,
                           count == 1 ? " is" : "s are", count == 1 ? "it is" : "they are"));
}

void TellSuspended(const PlanTask& task, PlannedChange& change) {
  if (task.suspended.empty()) return;
  const bool all = task.suspended.size() == change.resources.size();
  Note(change, (all ? "" : fmt::format("{}: ", fmt::join(task.suspended, ", "))) +
                   "suspended: not checked");
}

/// What the guard would hold of each target, as it would judge the plan as a whole.
std::map<Target, Guard::Decision> HeldBy(const Guard& guard, const PlanScope& scope,
                                         const std::vector<CheckResult>& checked) {
  std::vector<Removals> together;
  for (std::size_t i = 0; i < checked.size(); ++i) {
    if (!checked[i].observed || checked[i].plan.removes.empty()) continue;
    together.push_back(RemovalsOf(scope.tasks[i].job, *checked[i].observed, checked[i].plan));
  }
  const Guard::Context context{0, [&scope](const std::string& provider) {
                                 const auto declared = scope.declared_on.find(provider);
                                 return declared == scope.declared_on.end() ? 0 : declared->second;
                               }};
  std::map<Target, Guard::Decision> held;
  for (Guard::Decision& decision : guard.Judge(together, context, Guard::Waiting::kStays)) {
    if (decision.allowed()) continue;
    Target target = decision.wait.target;
    held.emplace(std::move(target), std::move(decision));
  }
  return held;
}

/// Each reason once.
std::string ReasonOf(const std::map<Target, Guard::Decision>& held) {
  std::set<std::string> reasons;
  for (const auto& [target, decision] : held) {
    if (!decision.reason.empty()) reasons.insert(decision.reason);
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

void TellHeld(const Guard::Decision& held, PlannedChange& change) {
  const bool all = held.go.grants.empty();
  if (!held.wait.grants.empty()) {
    Note(change, all && held.denied.empty()
                     ? "the guard would hold its removals until they are approved"
                     : fmt::format("the guard would hold {} of its removals until {} approved",
                                   held.wait.grants.size(),
                                   held.wait.grants.size() == 1 ? "it is" : "they are"));
  }
  if (!held.denied.empty()) {
    Note(change, fmt::format("{} of its removals {} denied by an operator", held.denied.size(),
                             held.denied.size() == 1 ? "was" : "were"));
  }
}

const std::string& WhyWaits(const PlanTask& task, const Grant& grant) {
  const RemovalWaits& waits = task.removal_waits;
  const auto claimed =
      std::find_if(waits.by_role.begin(), waits.by_role.end(),
                   [&](const auto& part) { return CoversOn(task.job.kind, part.first, grant); });
  return claimed == waits.by_role.end() ? waits.of_others : claimed->second;
}

/// Which of the removals wait for better evidence, and for what.
void TellWaiting(const PlanTask& task, PlannedChange& change) {
  std::map<std::string, std::size_t> reasons;
  for (const Grant& grant : change.removes) {
    const std::string& why = WhyWaits(task, grant);
    change.waits.push_back(why);
    if (!why.empty()) ++reasons[why];
  }
  const std::size_t all = change.removes.size();
  for (const auto& [why, count] : reasons) {
    const std::string which = count < all ? std::to_string(count) + " of its removals"
                              : all == 1  ? std::string("its removal")
                                          : std::string("its removals");
    Note(change, which + (count == 1 ? " waits: " : " wait: ") + why);
  }
}

PlannedChange ChangeOf(const PlanTask& task, const CheckResult& checked, const VainWaits& waits,
                       const Guard::Decision* held) {
  PlannedChange change;
  change.target = task.job.target;
  change.action = ActionOf(checked, held != nullptr && held->go.grants.empty());
  change.adds = checked.plan.adds;
  change.removes = checked.plan.removes;
  change.empties = Empties(checked);
  change.resources = NamesOf(task.job);
  for (const DriftItem& item : checked.plan.drift) {
    change.severity = std::max(change.severity.value_or(item.severity), item.severity);
  }
  if (held != nullptr) TellHeld(*held, change);
  TellWaiting(task, change);
  const bool stalled = TellStalled(task, checked, waits, change);
  TellReported(checked, waits, change);
  TellAccepted(checked, change);
  TellSuspended(task, change);
  if (stalled) {
    change.standing = PlanStanding::kStalled;
  } else if (!change.reported.empty()) {
    change.standing = PlanStanding::kObserved;
  } else if (!task.suspended.empty()) {
    change.standing = PlanStanding::kSuspended;
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
  for (const auto& [key, target] : catalog.claims().targets()) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

CallLane LaneOf(const PlanTask& task, std::string provider) {
  const Connection& connection = *task.job.connection;
  CallLane lane{std::move(provider), connection.quota_project,
                connection.BaseUrl(task.job.kind->traits().service)};
  if (lane.quota_project.empty()) {
    lane.quota_project = task.job.kind->QuotaProject(task.job.target.name);
  }
  return lane;
}

/// By the rule that a pass keeps to.
RemovalWaits WaitsOn(const Catalog& catalog, const TargetEntry& target, const Now& now) {
  RemovalWaits waits;
  for (const ResourceEntry* entry : target.resources) {
    waits.by_role.try_emplace(entry->role.str(), catalog.evidence().Judge(entry->age, now).why);
  }
  RemovalEvidence::Verdict worst;
  for (RemovalEvidence::Verdict& verdict : catalog.ages().Judge(target, now)) {
    if (verdict.answer > worst.answer) worst = std::move(verdict);
  }
  waits.of_others = std::move(worst.why);
  return waits;
}

PlanTask TaskOf(const Catalog& catalog, const TargetEntry& target,
                std::shared_ptr<const Connection> connection) {
  PlanTask task;
  // What waits for others has its turn within the same pass, unless they stay as they are.
  task.job = catalog.treatments().JobOf(target, /*in_order=*/false);
  task.job.connection = std::move(connection);
  task.lane = LaneOf(task, target.provider.str());
  task.contested = *target.contested;
  for (const ResourceEntry* entry : target.resources) {
    if (entry->suspended()) task.suspended.insert(OwnName(entry->name));
    for (const ResourceEntry* need : catalog.links().NeedsInForce(*entry)) {
      task.needs[entry->name].push_back(need->name);
    }
  }
  return task;
}

/// Needed by somebody who is looked at.
std::set<std::string> AllNeeds(const PlanScope& scope) {
  std::set<std::string> all;
  for (const PlanTask& task : scope.tasks) {
    for (const auto& [name, needs] : task.needs) all.insert(needs.begin(), needs.end());
  }
  return all;
}

/// Whoever is needed and stands on no target that is looked at is taken to stay as it is.
void NoteUnsettled(const Catalog& catalog, PlanScope& scope) {
  scope.unsettled = AllNeeds(scope);
  for (const PlanTask& task : scope.tasks) {
    for (const DeclaredClaim& claim : task.job.declared) {
      if (claim.manifest != nullptr) scope.unsettled.erase(claim.manifest->name);
    }
  }
  std::erase_if(scope.unsettled, [&catalog](const std::string& name) {
    const auto found = catalog.claims().resources().find(name);
    if (found == catalog.claims().resources().end()) return true;
    const ResourceState state = found->second.status->state;
    return found->second.accepted && state != ResourceState::kStalled &&
           state != ResourceState::kSuspended;
  });
}

/// The target of a resource that is asked for; empty while it waits for others.
Expected<TargetKey> TargetOf(const Catalog& catalog, const std::string& name) {
  const auto found = catalog.claims().resources().find(name);
  if (found == catalog.claims().resources().end()) return Fail(NoResource(catalog, name));
  const ResourceEntry& entry = found->second;
  if (entry.accepted) return entry.target;
  if (IsWaiting(entry)) return TargetKey();
  return Fail(Code::kFailedPrecondition,
              "\"" + name + "\" is not in force: " + entry.status->message);
}

}  // namespace

Expected<PlanScope> PlanScopeOf(const Catalog& catalog, const Engine::Connections& connections,
                                const std::vector<std::string>& names, const Now& now) {
  PlanScope scope;
  const std::set<std::string> asked(names.begin(), names.end());
  std::set<TargetKey> wanted;
  for (const std::string& name : asked) {
    const Expected<TargetKey> target = TargetOf(catalog, name);
    if (!target) return Fail(target.error());
    if (!target->empty()) wanted.insert(*target);
  }
  for (const auto& [name, entry] : catalog.claims().resources()) {
    if (!IsWaiting(entry) || (!asked.empty() && !asked.contains(name))) continue;
    scope.waiting.push_back({{"resource", name}, {"message", entry.status->message}});
  }
  for (const TargetKey& key : SortedKeys(catalog)) {
    const TargetEntry& target = catalog.claims().targets().at(key);
    if (!asked.empty() && !wanted.contains(key)) continue;
    const auto connection = connections.find(target.provider.str());
    if (connection == connections.end() || target.kind == nullptr) continue;
    scope.tasks.push_back(TaskOf(catalog, target, connection->second));
    scope.tasks.back().job.now = {now.wall, now.wall};
    scope.tasks.back().removal_waits = WaitsOn(catalog, target, now);
  }
  NoteUnsettled(catalog, scope);
  for (const auto& [name, entry] : catalog.claims().resources()) {
    if (entry.accepted) scope.declared_on[entry.provider.str()] += entry.grants;
  }
  return scope;
}

std::vector<CheckResult> ReadTargets(const std::vector<PlanTask>& tasks, std::size_t concurrency,
                                     const std::function<void(std::size_t)>& told) {
  std::vector<CheckResult> checked(tasks.size());
  std::atomic<std::size_t> done = 0;
  WorkPool pool(std::max<std::size_t>(1, std::min(concurrency, tasks.size())));
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

Json PlanOf(const PlanScope& scope, std::vector<CheckResult> checked, const Guard& guard) {
  const std::vector<PlanTask>& tasks = scope.tasks;
  const VainWaits waits = HoldBackWaiting(scope, checked);
  const std::map<Target, Guard::Decision> held = HeldBy(guard, scope, checked);
  std::vector<PlannedChange> changes;
  Json errors = Json::array();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!checked[i].observed) {
      errors.push_back({{"target", tasks[i].job.target.name},
                        {"code", ToString(checked[i].observed.error().code)},
                        {"message", checked[i].observed.error().message}});
      continue;
    }
    const auto decision = held.find(tasks[i].job.target);
    changes.push_back(ChangeOf(tasks[i], checked[i], waits,
                               decision == held.end() ? nullptr : &decision->second));
  }
  Json report = PlanReport(changes, std::chrono::system_clock::now());
  if (const std::string reason = ReasonOf(held); !reason.empty()) {
    report["guard"] = {{"held", true}, {"reason", reason}};
  }
  if (!scope.waiting.empty()) report["waiting"] = scope.waiting;
  if (!errors.empty()) report["errors"] = std::move(errors);
  return report;
}

}  // namespace bindery
