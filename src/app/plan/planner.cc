#include "app/plan/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "app/directory/expired_conditions.h"
#include "controller/catalog/kept_claims.h"
#include "controller/catalog/resource_not_found.h"
#include "controller/claims/former_claims.h"
#include "core/text/count.h"
#include "core/text/time_text.h"
#include "report/reports/known_targets.h"
#include "report/reports/plan_report.h"
#include "report/reports/problem_lines.h"

namespace bindery::app {
namespace {

void Note(report::PlannedChange& change, const std::string& text) {
  change.note += (change.note.empty() ? "" : "; ") + text;
}

/// The gates that let a change through in time.
constexpr std::array kGatesInTime = {reconcilers::Gate::kOperatorAnswer, reconcilers::Gate::kGuard,
                                     reconcilers::Gate::kEvidence};

/// Present writes, and writes that would follow in time.
reconcilers::TargetPlan ListChanges(const controller::ForeseenTarget& target) {
  reconcilers::TargetPlan all = target.written;
  for (const reconcilers::Gate gate : kGatesInTime) {
    std::ranges::copy_if(
        target.plan.changes, std::back_inserter(all.changes),
        [gate](const reconcilers::GrantChange& one) { return one.IsStoppedBy(gate); });
  }
  return all;
}

/// Changes stopped by gates that a plan does not count as future changes, except reported-only
/// changes.
reconcilers::TargetPlan MakeStopped(const controller::ForeseenTarget& target) {
  reconcilers::TargetPlan stopped;
  std::ranges::copy_if(
      target.plan.changes, std::back_inserter(stopped.changes),
      [](const reconcilers::GrantChange& change) {
        const reconcilers::DriftRecordKind kind = reconcilers::GetRecordKind(change);
        const bool told = kind == reconcilers::DriftRecordKind::kOpen ||
                          kind == reconcilers::DriftRecordKind::kAccepted;
        return told && change.verdict != reconcilers::Verdict::kApply &&
               change.decided_by != reconcilers::Gate::kManagementPolicy &&
               std::ranges::find(kGatesInTime, change.decided_by) == kGatesInTime.end();
      });
  return stopped;
}

report::PlanAction ChooseAction(const controller::ForeseenTarget& target,
                                const report::PlannedChange& change) {
  if (change.plan.changes.empty()) return report::PlanAction::kNone;
  const bool held = target.plan.IsStoppedBy(reconcilers::Gate::kGuard) ||
                    target.plan.IsStoppedBy(reconcilers::Gate::kOperatorAnswer);
  if (held && target.written.changes.empty()) return report::PlanAction::kHeld;
  if (!target.exists) return report::PlanAction::kCreate;
  return change.empties ? report::PlanAction::kDelete : report::PlanAction::kUpdate;
}

/// Resources that stay unchanged until their needs have had a turn, which does not come within the
/// pass: each with the reason.
using Waiting = std::map<std::string, std::string>;

Waiting WaitingOn(const controller::Catalog& catalog, const controller::TargetEntry& target) {
  Waiting waiting;
  for (const controller::ResourceEntry* entry : target.resources) {
    if (entry->suspended()) continue;
    if (entry->leaving()) {
      const bool kept =
          !entry->stays_when_gone() && catalog.links().DeletionBlockedBy(*entry) != nullptr;
      if (!kept) continue;
      waiting[entry->name] =
          controller::GetManifestName(entry->name) + ": " + entry->standing.status->message;
    } else if (const controller::ResourceEntry* need = catalog.links().BlockedBy(*entry);
               need != nullptr) {
      waiting[entry->name] =
          entry->name + " waits for " + need->name + ", which is not as declared";
    }
  }
  return waiting;
}

/// The differences that a pass only reports: in mode observe, and differences that no pass changes,
/// whatever the mode is.
void TellReported(const controller::ForeseenTarget& target, const Waiting& waiting,
                  report::PlannedChange& change) {
  for (const reconcilers::GrantChange& one : target.plan.changes) {
    const bool reported = one.verdict == reconcilers::Verdict::kReport;
    if (reported && reconcilers::GetRecordKind(one) == reconcilers::DriftRecordKind::kOpen) {
      change.reported.push_back(reconcilers::MakeDriftItem(one));
    }
  }
  std::map<DriftRest, std::size_t> unchanged;
  std::size_t count = 0;
  std::set<std::string> names;
  for (const DriftItem& item : change.reported) {
    if (item.rest != DriftRest::kNone) {
      ++unchanged[item.rest];
      continue;
    }
    // Undeclared grants are judged together with the declared grants of the target.
    if (item.resource.empty() ? !waiting.empty() : waiting.contains(item.resource)) continue;
    ++count;
    if (!item.resource.empty()) names.insert(item.resource);
  }
  for (const auto& [rest, number] : unchanged) {
    Note(change, Count(number, "open difference") + (number == 1 ? " is" : " are") +
                     " not changed by any pass (" + std::string(ToString(rest)) + ")");
  }
  if (count == 0) return;
  // Who is meant goes without saying where all of the target is observed.
  const bool mixed =
      std::any_of(target.claims.begin(), target.claims.end(), [](const reconcilers::Claim& claim) {
        return claim.treatment == reconcilers::ManagementPolicy::kEnforce;
      });
  Note(change, (mixed ? fmt::format("{}: ", fmt::join(names, ", ")) : "") +
                   Count(count, "difference") + (count == 1 ? " is" : " are") +
                   " only reported (mode observe)");
}

void TellHeld(const controller::ForeseenTarget& target, report::PlannedChange& change) {
  const std::size_t held = target.plan.CountStoppedBy(reconcilers::Gate::kGuard);
  const std::size_t denied = target.plan.CountStoppedBy(reconcilers::Gate::kOperatorAnswer);
  const bool removes =
      std::ranges::any_of(target.written.changes, &reconcilers::GrantChange::takes_access);
  if (held > 0) {
    Note(change, !removes && denied == 0
                     ? "the guard would hold its removals until they are approved"
                     : fmt::format("the guard would hold {} of its removals until {} approved",
                                   held, held == 1 ? "it is" : "they are"));
  }
  if (denied > 0) {
    Note(change, fmt::format("{} of its removals {} denied by an operator", denied,
                             denied == 1 ? "was" : "were"));
  }
}

/// The removals that wait for better evidence, with the cause.
void TellWithheld(report::PlannedChange& change) {
  std::map<std::string, std::size_t> reasons;
  std::size_t all = 0;
  for (const reconcilers::GrantChange& one : change.plan.changes) {
    if (!one.takes_access()) continue;
    ++all;
    if (const std::string why = report::WaitsFor(one); !why.empty()) ++reasons[why];
  }
  for (const auto& [why, count] : reasons) {
    const std::string which = count < all ? std::to_string(count) + " of its removals"
                              : all == 1  ? std::string("its removal")
                                          : std::string("its removals");
    Note(change, which + (count == 1 ? " waits: " : " wait: ") + why);
  }
}

/// Manifests that are in force although the directory has them no more, or in a different form; and
/// further causes of waiting removals, if no removal of the plan names the cause.
void TellKept(const controller::DryRun& run, const controller::TargetEntry& target,
              report::PlannedChange& change) {
  const bool told =
      std::ranges::any_of(change.plan.changes, &reconcilers::GrantChange::takes_access);
  for (const controller::ResourceEntry* entry : target.resources) {
    if (entry->suspended()) continue;
    const std::string why = told ? controller::WhyInForce(*entry)
                                 : controller::WhyKept(run.catalog(), *entry, run.now());
    if (!why.empty()) Note(change, controller::GetManifestName(entry->name) + ": " + why);
  }
}

/// Resources that stay unchanged although their declaration changed. True when such a resource
/// exists.
bool TellStalled(const controller::DryRun& run, const controller::TargetEntry& entry,
                 const controller::ForeseenTarget& target, const Waiting& waiting,
                 report::PlannedChange& change) {
  const std::string before = change.note;
  TellKept(run, entry, change);
  for (const auto& [name, why] : waiting) Note(change, why);
  if (target.unwritten) Note(change, "its write would fail: " + ToString(*target.unwritten));
  if (target.plan.IsStoppedBy(reconcilers::Gate::kOscillation))
    Note(change, run.WhyPaused(change.target));
  for (const auto& [resource, status] : target.refused) {
    Note(change, resource + ": " + status.reason + ": " + status.message);
  }
  for (const reconcilers::Claim& claim : target.claims) {
    if (!claim.fault.empty()) Note(change, claim.resource + ": " + claim.fault);
  }
  for (const std::string& role : *entry.contested) {
    Note(change, PartInWords(role) + " is left as it is: no manifest that declares it is in force");
  }
  return change.note != before;
}

void TellAccepted(std::size_t count, report::PlannedChange& change) {
  if (count == 0) return;
  Note(change, Count(count, "accepted difference") +
                   (count == 1 ? " is left as it is" : " are left as they are"));
}

/// "just-in-time: user:ana@example.com keeps roles/storage.admin until 2026-11-29T10:05:32.000Z", a
/// few of them.
void TellJustInTime(const reconcilers::TargetPlan& plan, report::PlannedChange& change) {
  constexpr std::size_t kShown = 3;
  std::size_t count = 0;
  for (const reconcilers::GrantChange& one : plan.changes) {
    if (reconcilers::GetRecordKind(one) != reconcilers::DriftRecordKind::kJustInTime ||
        ++count > kShown)
      continue;
    const bool unproven = one.reason.code == reconcilers::ReasonCode::kJustInTimeInDoubt;
    const auto until = one.acceptance ? one.acceptance->until : std::nullopt;
    Note(change, fmt::format("just-in-time{}: {} keeps {}{}", unproven ? ", unproven" : "",
                             one.grant.principal, one.grant.role,
                             until ? " until " + FormatRfc3339(*until) : ""));
  }
  if (count > kShown) Note(change, fmt::format("{} more just-in-time grants", count - kShown));
}

/// True when something is.
bool TellSuspended(const controller::TargetEntry& target, report::PlannedChange& change) {
  std::set<std::string> suspended;
  for (const controller::ResourceEntry* entry : target.resources) {
    if (entry->suspended()) suspended.insert(controller::GetManifestName(entry->name));
  }
  if (suspended.empty()) return false;
  const bool all = suspended.size() == change.resources.size();
  Note(change,
       (all ? "" : fmt::format("{}: ", fmt::join(suspended, ", "))) + "suspended: not checked");
  return true;
}

report::PlannedChange FindChange(const controller::DryRun& run, const Target& name,
                                 const controller::ForeseenTarget& target) {
  report::PlannedChange change;
  change.target = name;
  change.plan = ListChanges(target);
  change.stopped = MakeStopped(target);
  const bool only_removes =
      std::ranges::all_of(change.plan.changes, [](const reconcilers::GrantChange& one) {
        return one.action == reconcilers::ChangeAction::kRemove;
      });
  change.empties = target.grants > 0 && only_removes && change.plan.changes.size() >= target.grants;
  change.action = ChooseAction(target, change);
  change.resources = target.names;
  change.severity = target.severity;
  static const controller::TargetEntry kGone{};
  const controller::TargetEntry* found = run.catalog().claims().FindTarget(name);
  const controller::TargetEntry& entry = found == nullptr ? kGone : *found;
  const Waiting waiting = WaitingOn(run.catalog(), entry);
  TellHeld(target, change);
  TellWithheld(change);
  const bool stalled = TellStalled(run, entry, target, waiting, change);
  TellReported(target, waiting, change);
  TellAccepted(target.plan.accepted().size(), change);
  TellJustInTime(target.plan, change);
  const bool suspended = TellSuspended(entry, change);
  if (stalled) {
    change.standing = report::PlanStanding::kStalled;
  } else if (!change.reported.empty()) {
    const bool observed = std::ranges::any_of(
        change.reported, [](const DriftItem& item) { return item.rest == DriftRest::kNone; });
    change.standing = observed ? report::PlanStanding::kObserved : report::PlanStanding::kReported;
  } else if (suspended) {
    change.standing = report::PlanStanding::kSuspended;
  }
  return change;
}

std::vector<report::WaitingManifest> WaitingManifests(const controller::DryRun& run,
                                                      const std::vector<std::string>& names) {
  std::vector<report::WaitingManifest> waiting;
  for (const std::string& name : run.AwaitingValues()) {
    if (!names.empty() && std::ranges::find(names, name) == names.end()) continue;
    const controller::ResourceEntry& entry = *run.catalog().claims().FindResource(name);
    waiting.push_back({name, entry.standing.status->message});
  }
  return waiting;
}

void AddTargets(const controller::Catalog& catalog, const std::vector<std::string>& names,
                std::set<Target>& targets) {
  for (const std::string& name : names) {
    const controller::ResourceEntry* entry = catalog.claims().FindResource(name);
    if (entry != nullptr && entry->accepted) targets.insert(*entry->place.target);
  }
}

/// The reasons of the guard's holds on these targets; each once.
std::string ListReasons(const controller::Guard& guard,
                        const std::vector<report::PlannedChange>& changes) {
  std::set<std::string> reasons;
  for (const report::PlannedChange& change : changes) {
    const bool removes =
        std::ranges::any_of(change.plan.changes, &reconcilers::GrantChange::takes_access);
    const std::string why = removes ? guard.held().GetReason(change.target) : "";
    if (!why.empty()) reasons.insert(why);
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace

Expected<void> CheckPlanned(const controller::Catalog& catalog,
                            const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const controller::ResourceEntry* entry = catalog.claims().FindResource(name);
    if (entry == nullptr) return Fail(controller::ResourceNotFound(catalog, name));
    // A declaration may depend on outputs that are not known yet.
    const controller::SharedStatus& status = entry->standing.status;
    if (entry->accepted || status->reason == reason::kDependencyNotReady) continue;
    return Fail(Code::kFailedPrecondition, "\"" + name + "\" is not in force: " + status->message);
  }
  return {};
}

Expected<report::PassPlan> MakePlan(controller::DryRun& run, const std::vector<std::string>& names,
                                    const controller::DryRun::Reads& reads) {
  if (auto checked = CheckPlanned(run.catalog(), names); !checked) return Fail(checked.error());
  std::set<Target> asked;
  AddTargets(run.catalog(), names, asked);
  run.Work(names, reads);
  AddTargets(run.catalog(), names, asked);
  std::vector<report::PlannedChange> changes;
  std::vector<report::UnreadTarget> errors;
  for (const auto& [target, foreseen] : run.foreseen()) {
    if ((!names.empty() && !asked.contains(target)) || !report::CountsAsTarget(target)) continue;
    if (foreseen.unread) {
      errors.push_back(
          {target.name, std::string(ToString(foreseen.unread->code)), foreseen.unread->message});
    } else {
      changes.push_back(FindChange(run, target, foreseen));
    }
  }
  report::PassPlan plan = report::PlanReport(changes, run.now().wall);
  if (std::string reason = ListReasons(run.guard(), changes); !reason.empty()) {
    plan.guard = report::PlanGuard{true, std::move(reason)};
  }
  plan.waiting = WaitingManifests(run, names);
  plan.errors = std::move(errors);
  return plan;
}

std::vector<report::ProblemLine> ListProblems(const controller::DryRun& run) {
  std::vector<report::ProblemLine> found;
  for (const store::ManifestProblemRecord& problem : run.problems()) {
    found.push_back(report::LineOfProblem(problem));
  }
  return found;
}

void AddProblemsFor(const controller::DryRun& run, const std::vector<std::string>& names,
                    report::PassPlan& plan) {
  report::AddProblems(plan, ListProblems(run), names, [&run](const std::string& name) {
    const controller::ResourceEntry* entry = run.catalog().claims().FindResource(name);
    return entry != nullptr && entry->accepted;
  });
  plan.expired = ExpiredIn(run, names);
}

}  // namespace bindery::app
