#include "report/reports/plan_report.h"

#include <algorithm>
#include <set>
#include <utility>

#include "providers/registry/kinds.h"
#include "reconcilers/change_words.h"
#include "report/access/condition_judge.h"
#include "report/reports/problem_lines.h"

namespace bindery::report {
namespace {

/// The warning about a change; empty without one. Of some kinds a policy without a grant restricts
/// nobody.
std::string MakeWarning(const PlannedChange& change) {
  const bool removes =
      std::ranges::any_of(change.plan.changes, &reconcilers::GrantChange::takes_access);
  const bool empties = change.empties || change.action == PlanAction::kDelete;
  const char* const opens_to = providers::GetTraits(change.target).opens_to;
  if (opens_to == nullptr || !removes || !empties) return "";
  return "this opens " + change.target.name + " to " + opens_to;
}

PlanCounts CountChanges(const std::vector<PlanLine>& changes) {
  PlanCounts counts;
  for (const PlanLine& change : changes) {
    counts.adds += change.adds.size();
    counts.removes += change.removes.size();
    counts.replaces += change.replaces.size();
    counts.targets += change.action == PlanAction::kNone ? 0U : 1U;
    if (change.action == PlanAction::kHeld) {
      counts.held += change.removes.size() + change.replaces.size();
    }
    counts.observed += change.standing == PlanStanding::kObserved ? 1U : 0U;
    const auto unchanged = [](const PlannedReport& item) { return !item.why.empty(); };
    counts.reported += static_cast<std::size_t>(std::ranges::count_if(change.reported, unchanged));
    counts.suspended += change.standing == PlanStanding::kSuspended ? 1U : 0U;
    counts.stalled += change.standing == PlanStanding::kStalled ? 1U : 0U;
    const auto waits = [](const PlannedGrant& grant) { return !grant.waits.empty(); };
    counts.waits += static_cast<std::size_t>(std::ranges::count_if(change.removes, waits) +
                                             std::ranges::count_if(change.replaces, waits));
  }
  return counts;
}

/// Takes these lines out of the plan, and makes the summary anew.
template <typename Wanted>
void LeaveOut(PassPlan& plan, const Wanted& wanted) {
  std::erase_if(plan.changes, wanted);
  plan.summary = CountChanges(plan.changes);
}

/// The grant, with how its condition stands to the moment of the judge.
PlannedGrant MakeLine(const Grant& grant, const GrantWords& words, ConditionJudge& judge) {
  return {{grant, words}, judge.Judge(grant.condition).bounds, ""};
}

PlannedGrant MakeLine(const reconcilers::GrantChange& change, const GrantWords& words,
                      ConditionJudge& judge) {
  const bool removes = change.action == reconcilers::ChangeAction::kRemove;
  PlannedGrant planned = MakeLine(removes ? *change.removed() : change.grant, words, judge);
  planned.waits = WaitsFor(change);
  planned.gate = reconcilers::ToString(change.decided_by);
  if (change.action == reconcilers::ChangeAction::kReplace) {
    planned.before = GrantLine{*change.before, words};
  }
  return planned;
}

PlanLine MakeLine(const PlannedChange& change, ConditionJudge& judge) {
  const GrantWords& words = providers::GetTraits(change.target).words;
  PlanLine line;
  line.target = change.target.name;
  line.kind = change.target.kind.str();
  line.action = change.action;
  for (const reconcilers::GrantChange& one : change.plan.changes) {
    (one.action == reconcilers::ChangeAction::kAdd      ? line.adds
     : one.action == reconcilers::ChangeAction::kRemove ? line.removes
                                                        : line.replaces)
        .push_back(MakeLine(one, words, judge));
  }
  for (const reconcilers::GrantChange& one : change.stopped.changes) {
    line.stopped.push_back(MakeLine(one, words, judge));
  }
  line.resources = change.resources;
  line.severity = change.severity;
  line.warning = MakeWarning(change);
  line.note =
      line.warning + (line.warning.empty() || change.note.empty() ? "" : "; ") + change.note;
  if (change.action == PlanAction::kNone) line.standing = change.standing;
  for (const DriftItem& item : change.reported) {
    line.reported.push_back({item.drift_class, item.severity, item.resource,
                             MakeLine(item.grant, words, judge), item.desired, item.observed,
                             std::string(ToString(item.rest))});
  }
  return line;
}

}  // namespace

std::string WaitsFor(const reconcilers::GrantChange& change) {
  const bool asked = change.reason.code == reconcilers::ReasonCode::kAsked;
  return asked || change.IsStoppedBy(reconcilers::Gate::kEvidence) ? change.reason.subject : "";
}

PassPlan PlanReport(const std::vector<PlannedChange>& changes, WallTime now) {
  auto judge = ConditionJudge::At(now);
  PassPlan plan;
  for (const PlannedChange& change : changes) plan.changes.push_back(MakeLine(change, judge));
  plan.summary = CountChanges(plan.changes);
  return plan;
}

PassPlan PlanAtLeast(PassPlan plan, Severity least) {
  LeaveOut(plan, [least](const PlanLine& change) {
    return !change.severity || *change.severity < least;
  });
  plan.least = least;
  return plan;
}

PassPlan PlanWithout(PassPlan plan, const std::set<std::string>& resources) {
  LeaveOut(plan, [&](const PlanLine& change) {
    return std::ranges::any_of(change.resources,
                               [&](const std::string& name) { return resources.contains(name); });
  });
  return plan;
}

PassPlan PlanOfTargets(PassPlan plan, const std::set<Target>& targets) {
  std::set<std::pair<std::string, std::string>> named;
  for (const Target& target : targets) named.emplace(target.kind.str(), target.name);
  LeaveOut(plan, [&](const PlanLine& change) {
    return !named.contains({change.kind, change.target});
  });
  return plan;
}

void AddProblems(PassPlan& plan, const std::vector<ProblemLine>& problems,
                 const std::vector<std::string>& names,
                 const std::function<bool(const std::string& resource)>& in_force) {
  auto chosen = ProblemsWith(problems, names);
  for (ProblemLine& problem : chosen) {
    const bool refused = problem.severity == manifests::ProblemSeverity::kError;
    if (!refused || problem.resource.empty() || !in_force) continue;
    problem.in_force = in_force(problem.resource);
  }
  if (!chosen.empty()) plan.problems = std::move(chosen);
}

std::size_t RefusedManifests(const PassPlan& plan) {
  std::set<std::pair<std::string, std::string>> refused;
  for (const ProblemLine& problem : plan.problems) {
    if (problem.severity != manifests::ProblemSeverity::kError) continue;
    refused.emplace(problem.file, problem.resource);
  }
  return refused.size();
}

bool PlanDiffers(const PassPlan& plan) {
  const PlanCounts& counts = plan.summary;
  const std::size_t differing = counts.adds + counts.removes + counts.replaces + counts.observed +
                                counts.reported + counts.stalled;
  // What waits for outputs will most likely change something.
  return differing > 0 || !plan.waiting.empty() || !plan.deletions_unknown.empty();
}

}  // namespace bindery::report
