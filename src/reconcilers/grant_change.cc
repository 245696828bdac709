#include "reconcilers/grant_change.h"

#include <algorithm>

#include "reconcilers/change_words.h"

namespace bindery::reconcilers {

DriftRecordKind GetRecordKind(const GrantChange& change) {
  if (!change.is_difference) return DriftRecordKind::kNone;
  if (change.drift_class == DriftClass::kJustInTime) return DriftRecordKind::kJustInTime;
  if (change.state == DriftState::kAccepted) return DriftRecordKind::kAccepted;
  const bool keeps = change.verdict == Verdict::kKeep;
  if (keeps && change.decided_by == Gate::kProtectedPrincipals) return DriftRecordKind::kNone;
  const bool unjudged =
      change.acceptance || (keeps && change.decided_by == Gate::kManagementPolicy);
  return unjudged ? DriftRecordKind::kUnjudged : DriftRecordKind::kOpen;
}

namespace {

DriftRest GetRest(const GrantChange& change) {
  // In mode observe the mode alone may be the reason.
  const bool observed = change.decided_by == Gate::kManagementPolicy;
  if (change.verdict != Verdict::kReport || observed) return DriftRest::kNone;
  switch (change.reason.code) {
    case ReasonCode::kUndeclaredReported:
      return DriftRest::kUndeclaredRoles;
    case ReasonCode::kImitation:
      return DriftRest::kImitation;
    case ReasonCode::kUnknownAgent:
      return DriftRest::kUnknownAgent;
    default:
      return DriftRest::kGate;
  }
}

}  // namespace

DriftItem MakeDriftItem(const GrantChange& change) {
  DriftItem item;
  item.drift_class = change.drift_class;
  item.severity = change.severity;
  item.state = change.state;
  item.cause = change.cause;
  item.resource = change.resource;
  item.grant = change.grant;
  item.before = change.before;
  SidesInWords sides = DescribeSides(change);
  item.desired = std::move(sides.desired);
  item.observed = std::move(sides.observed);
  item.acceptance = change.acceptance;
  item.rest = GetRest(change);
  return item;
}

bool TargetPlan::writes() const {
  return std::any_of(changes.begin(), changes.end(),
                     [](const GrantChange& change) { return change.is_written(); });
}

std::size_t TargetPlan::CountStoppedBy(Gate gate) const {
  return static_cast<std::size_t>(
      std::count_if(changes.begin(), changes.end(),
                    [gate](const GrantChange& change) { return change.IsStoppedBy(gate); }));
}

bool TargetPlan::takes_access() const {
  return std::any_of(changes.begin(), changes.end(), [](const GrantChange& change) {
    return change.is_written() && change.takes_access();
  });
}

std::vector<Grant> TargetPlan::adds() const {
  std::vector<Grant> grants;
  for (const GrantChange& change : changes) {
    if (change.is_written() && change.added() != nullptr) grants.push_back(*change.added());
  }
  return grants;
}

std::vector<Grant> TargetPlan::removes() const {
  std::vector<Grant> grants;
  for (const GrantChange& change : changes) {
    if (change.is_written() && change.removed() != nullptr) grants.push_back(*change.removed());
  }
  return grants;
}

std::vector<DriftItem> TargetPlan::Items(DriftRecordKind kind) const {
  std::vector<DriftItem> items;
  for (const GrantChange& change : changes) {
    if (GetRecordKind(change) == kind) items.push_back(MakeDriftItem(change));
  }
  return items;
}

TargetPlan TargetPlan::Writes() const {
  TargetPlan written;
  for (const GrantChange& change : changes) {
    if (change.is_written()) written.changes.push_back(change);
  }
  return written;
}

TargetPlan ComposePlan(const std::vector<Grant>& adds, const std::vector<Grant>& removes) {
  TargetPlan plan;
  const auto append = [&plan](ChangeAction action, const Grant& grant) {
    GrantChange change;
    change.action = action;
    change.grant = grant;
    change.is_difference = false;
    plan.changes.push_back(std::move(change));
  };
  for (const Grant& grant : adds) append(ChangeAction::kAdd, grant);
  for (const Grant& grant : removes) append(ChangeAction::kRemove, grant);
  return plan;
}

std::size_t CountUndeclared(const TargetPlan& plan) {
  const auto counts = [](const GrantChange& change) {
    const bool kept =
        change.verdict == Verdict::kKeep && change.decided_by == Gate::kProtectedPrincipals;
    return change.is_difference && change.drift_class == DriftClass::kUndeclared && !kept;
  };
  return plan.left_undeclared +
         static_cast<std::size_t>(std::ranges::count_if(plan.changes, counts));
}

std::size_t CountOnlyReported(const TargetPlan& plan) {
  return static_cast<std::size_t>(
      std::ranges::count_if(plan.changes, [](const GrantChange& change) {
        return change.resource.empty() && GetRest(change) != DriftRest::kNone &&
               GetRecordKind(change) == DriftRecordKind::kOpen;
      }));
}

ChangeCounts CountChanges(const TargetPlan& plan) {
  ChangeCounts counts;
  for (const GrantChange& change : plan.changes) {
    if (!change.is_written()) continue;
    counts.adds += change.action == ChangeAction::kAdd ? 1 : 0;
    counts.removes += change.action == ChangeAction::kRemove ? 1 : 0;
    counts.replaces += change.action == ChangeAction::kReplace ? 1 : 0;
  }
  return counts;
}

}  // namespace bindery::reconcilers
