#include "controller/work/status_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "controller/claims/claim_status.h"
#include "controller/claims/status_code.h"
#include "controller/gates/gate.h"
#include "controller/gates/stored_forms.h"
#include "core/text/count.h"
#include "core/text/text_search.h"
#include "core/text/time_text.h"

namespace bindery::controller {
namespace {

ResourceStatus Stalled(std::string_view why, std::string message) {
  return {ResourceState::kStalled, std::string(why), std::move(message)};
}

ResourceStatus Reconciling(std::string_view why, std::string message) {
  return {ResourceState::kReconciling, std::string(why), std::move(message)};
}

ResourceStatus Ready(std::string message) {
  return {ResourceState::kReady, std::string(reason::kReconciled), std::move(message)};
}

ResourceStatus StatusOfSuspended(const ResourceEntry& entry) {
  return {ResourceState::kSuspended, std::string(reason::kSuspended),
          entry.suspended_by_operator ? "suspended by an operator: bindery resume " + entry.name
                                      : std::string("suspended by its manifest (options.suspend)")};
}

/// Names of the manifests that declare a principal the service speaks of: the writer is whom the
/// message is for. Only for people; nothing is decided by it.
std::string DeclaredBy(const reconcilers::Desired& desired, const std::string& message) {
  std::string names;
  for (const reconcilers::Claim& claim : desired.claims) {
    const bool named = std::ranges::any_of(claim.declaration.grants, [&](const Grant& grant) {
      const auto colon = grant.principal.find(':');
      return colon != std::string::npos &&
             message.find(grant.principal.substr(colon + 1)) != std::string::npos;
    });
    if (named && !claim.resource.empty()) names += (names.empty() ? "" : ", ") + claim.resource;
  }
  return names;
}

/// What helps. The etag of a write is the service's own word: no manifest is at fault where it is
/// refused.
std::string_view RemedyFor(const Error& error) {
  if (error.code != Code::kInvalidArgument || !ContainsInAnyCase(error.message, "etag")) {
    return GetRemedy(error.code);
  }
  return "no manifest is the cause: the service refuses the etag that came with the policy; look "
         "for a proxy between bindery and the service that changes answers";
}

ResourceStatus StatusOfFailure(const Error& error, const TargetUnderWork& work) {
  std::string message = ToString(error);
  const std::string& known = work.decision.remedy;
  const std::string names = known.empty() ? DeclaredBy(work.reading.desired, error.message) : "";
  if (!names.empty()) message += "; declared by " + names;
  const std::string_view remedy = known.empty() ? RemedyFor(error) : known;
  if (!remedy.empty()) message += fmt::format("; {}", remedy);
  if (IsTerminal(error.code)) return Stalled(ToString(error.code), std::move(message));
  return Reconciling(reason::kProgressingWithRetry, std::move(message));
}

/// The manifest is gone, and mode observe keeps us from taking its grants away.
ResourceStatus LeftBehind(std::size_t grants) {
  return Stalled(reason::kDriftObserved,
                 fmt::format("its manifest is gone, and {} {} of it left; nothing is removed in "
                             "mode observe",
                             Count(grants, "grant"), grants == 1 ? "is" : "are"));
}

/// The manifest is gone, and the state of its grants is unknown.
ResourceStatus LeftWithoutTarget(const std::string& name, std::chrono::milliseconds patience) {
  return Reconciling(
      reason::kTargetNotFound,
      "its manifest is gone, but its target is not found, so that what it granted cannot be "
      "seen to be gone: it is looked for each interval, and released after " +
          FormatDuration(patience) + " without it (now: bindery forget \"" + name + "\")");
}

/// For a resource that a service refuses, or whose grants cannot be made.
std::optional<ResourceStatus> StatusOfRefused(const TargetUnderWork& work,
                                              const std::string& name) {
  const reconcilers::Desired& desired = work.reading.desired;
  for (const auto& refused : {desired.refused, ListRefusals(*work.job, work.plan, desired)}) {
    for (const auto& [resource, status] : refused) {
      if (resource == name) return status;
    }
  }
  return std::nullopt;
}

std::optional<ResourceStatus> StatusOfWithheld(const ResourceEntry& entry,
                                               const TargetUnderWork& work) {
  const auto& by_resource = work.awaits_evidence;
  auto told = by_resource.find(entry.name);
  if (told == by_resource.end()) told = by_resource.find("");
  if (told == by_resource.end()) return std::nullopt;
  const std::string& why = told->second.why;
  const std::size_t waiting = work.plan.CountStoppedBy(reconcilers::Gate::kEvidence);
  const std::string what =
      waiting == 0
          ? "its manifest is gone, and nothing is removed in its name now; it is not forgotten "
            "yet (now: bindery forget \"" +
                entry.name + "\"): " + why
          : Count(waiting, "grant") + " on its target " + (waiting == 1 ? "waits" : "wait") +
                " to be removed: " + why;
  return told->second.answer == EvidenceAnswer::kPending
             ? Reconciling(reason::kRemovalPending, what)
             : Stalled(reason::kRemovalBlocked, what);
}

/// For a resource whose target has undeclared grants left alone, as far as the directory could be
/// read.
std::optional<ResourceStatus> StatusOfDoubt(const Catalog& catalog, const TargetUnderWork& work) {
  const reconcilers::Desired& desired = work.reading.desired;
  // What is only reported is not kept by the doubt.
  if (!desired.undeclared_in_doubt || desired.report_undeclared) return std::nullopt;
  const auto left =
      std::ranges::count_if(work.plan.changes, [](const reconcilers::GrantChange& change) {
        return reconcilers::GetRecordKind(change) == reconcilers::DriftRecordKind::kUnjudged &&
               change.resource.empty() && change.drift_class == DriftClass::kUndeclared;
      });
  const std::string why = catalog.evidence().unread().Text();
  if (left == 0 || why.empty()) return std::nullopt;
  return Stalled(
      reason::kRemovalBlocked,
      fmt::format("{} on its target that no manifest declares {} left alone: {} and may "
                  "declare {}",
                  Count(left, "grant"), left == 1 ? "is" : "are", why, left == 1 ? "it" : "them"));
}

/// The removals wait for better evidence, and were not held before.
bool OnlyWithheld(const RemovalHolds& holds, const ResourceEntry& entry,
                  const TargetUnderWork& work) {
  if (!work.awaits_evidence.contains(entry.name)) return false;
  const std::vector<Grant> known = holds.guard().Known(work.job->target);
  const auto concerns = [&entry](const Grant& grant) {
    return reconcilers::CoversOn(entry.kind, entry.place.role.str(), grant);
  };
  return !known.empty() && std::none_of(known.begin(), known.end(), concerns);
}

/// For a resource whose removals the guard holds, by its limits or because the evidence asks: also
/// while the removals wait for better evidence again.
std::optional<ResourceStatus> StatusOfHeld(const RemovalHolds& holds, const ResourceEntry& entry,
                                           const TargetUnderWork& work) {
  const bool held = work.IsHeld() || holds.guard().held().Has(work.job->target);
  if (!held || !work.Concerns(entry.name) || OnlyWithheld(holds, entry, work)) return std::nullopt;
  const std::string why = holds.guard().held().GetReason(work.job->target);
  if (!why.empty() && !work.ask.empty()) {
    return Stalled(reason::kRemovalBlocked, work.ask + ": look at it, then bindery guard approve " +
                                                holds.guard().held().Digest());
  }
  if (!why.empty()) return Stalled(reason::kGuardHeld, GuardHeldText(why));
  const store::HoldRecord* denial = holds.FindDenial(work.job->target);
  return Stalled(reason::kRemovalDenied,
                 fmt::format("removals on its target were denied by {}: what is there stays "
                             "(bindery guard; bindery guard approve {} lets them through)",
                             denial == nullptr ? "an operator" : denial->actor,
                             denial == nullptr ? "DIGEST" : denial->digest));
}

/// Its condition may have ended, and that cannot be told.
SharedStatus StatusWithoutTime(const ClockJudgement& clock, const ResourceEntry& entry) {
  const std::string why =
      "whether its condition has ended cannot be told: " + clock.Why() + "; its role is left alone";
  if (clock.verdict == ClockJudgement::Verdict::kDisputed) {
    return Stalled(reason::kRemovalBlocked, why);
  }
  // At each start, until the first answer.
  if (GetCode(*entry.standing.status) == StatusCode::kExpired) return entry.standing.status;
  return Reconciling(reason::kRemovalPending, why);
}

ResourceStatus StatusOfResult(const ResourceEntry& entry, const reconcilers::Observation& seen) {
  const std::string found = entry.leaves_at_once() ? "found" : "in force";
  return Ready(seen.note.empty() ? found : found + "; " + seen.note);
}

/// The undeclared holders of the resource's role of the sort that stay.
std::size_t CountKept(const ResourceEntry& entry, const reconcilers::TargetPlan& plan,
                      reconcilers::ReasonCode as) {
  return static_cast<std::size_t>(
      std::ranges::count_if(plan.changes, [&](const reconcilers::GrantChange& change) {
        return change.reason.code == as &&
               reconcilers::CoversOn(entry.kind, entry.place.role.str(), change.grant);
      }));
}

/// The same, in words: "1 default account".
std::string KeptBeside(const ResourceEntry& entry, const reconcilers::TargetPlan& plan) {
  constexpr std::pair<reconcilers::ReasonCode, std::string_view> kSorts[] = {
      {reconcilers::ReasonCode::kServiceAgent, "service agent"},
      {reconcilers::ReasonCode::kDefaultAccount, "default account"},
      {reconcilers::ReasonCode::kProtected, "protected principal"},
      {reconcilers::ReasonCode::kJustInTime, "just-in-time grant"},
      {reconcilers::ReasonCode::kJustInTimeInDoubt, "unproven just-in-time grant"},
  };
  std::string text;
  for (const auto& [as, noun] : kSorts) {
    const std::size_t count = CountKept(entry, plan, as);
    if (count > 0) text += (text.empty() ? "" : ", ") + Count(count, noun);
  }
  return text;
}

ResourceStatus StatusOfDifferences(const ResourceEntry& entry, const TargetUnderWork& work,
                                   std::size_t differences) {
  // Holders that no write removes.
  const std::size_t unknown = CountKept(entry, work.plan, reconcilers::ReasonCode::kUnknownAgent);
  if (unknown < differences) {
    return Stalled(reason::kDriftObserved,
                   Count(differences, "difference") + " from what it declares; see bindery drift");
  }
  return Stalled(
      reason::kDriftObserved,
      fmt::format("{} may be a service's own account and {} not removed: declare it, accept it "
                  "(bindery drift accept), or name it in protectedPrincipals.add or .remove",
                  Count(unknown, "holder"), unknown == 1 ? "is" : "are"));
}

/// Why accounts of other projects may be among the kept data; empty: none are.
std::string WhyUnchecked(const Catalog& catalog, const TargetUnderWork& work) {
  if (!KeepsUnchecked(work)) return "";
  return catalog.project_names().RefusesNumber(work.job->target.name)
             ? "; whose they are is not known, because the service does not tell the number of the "
               "project (needs resourcemanager.projects.get)"
             : "; whose they are is not known until the service has told the number of the project";
}

/// "; the service stores "user:a" as "user:b": write "user:b"" of each such grant of the resource.
std::string FormRemarks(const ResourceEntry& entry, const reconcilers::TargetPlan& plan) {
  std::string remarks;
  for (const reconcilers::StoredForm& form : plan.forms) {
    const auto& names = form.resources;
    if (std::ranges::find(names, entry.name) != names.end()) remarks += "; " + FormText(form);
  }
  return remarks;
}

/// "; 2 deleted principals are left in it and hold nothing"
std::string TombstoneRemark(const ResourceEntry& entry, const reconcilers::TargetPlan& plan) {
  const auto count = std::ranges::count_if(plan.notes, [&](const DriftItem& note) {
    return note.drift_class == DriftClass::kTombstone &&
           reconcilers::CoversOn(entry.kind, entry.place.role.str(), note.grant);
  });
  if (count == 0) return "";
  return "; " + Count(count, "deleted principal") +
         (count == 1 ? " is left in it and holds nothing" : " are left in it and hold nothing");
}

/// Of what no pass repairs and no manifest declares.
std::string ReportedRemark(const reconcilers::TargetPlan& plan) {
  const std::size_t count = reconcilers::CountOnlyReported(plan);
  if (count == 0) return "";
  return fmt::format(
      "; {} on its target that no manifest declares {} only reported (bindery drift)",
      Count(count, "grant"), count == 1 ? "is" : "are");
}

SharedStatus StatusWithoutDifference(const Catalog& catalog, const ResourceEntry& entry,
                                     const TargetUnderWork& work) {
  if (catalog.treatments().IsExpired(entry)) {
    return ResourceStatus{ResourceState::kReady, std::string(reason::kExpired),
                          "its condition has ended, and what it granted is not in the policy "
                          "(options.expired: remove)"};
  }
  if (entry.is_lookup()) return StatusOfResult(entry, work.reading.seen);
  const auto accepted =
      std::ranges::count_if(work.plan.changes, [&](const reconcilers::GrantChange& change) {
        return reconcilers::GetRecordKind(change) == reconcilers::DriftRecordKind::kAccepted &&
               change.resource == entry.name;
      });
  if (accepted > 0) {
    return Ready("the policy is as declared, but for " + Count(accepted, "accepted difference") +
                 " (bindery drift --accepted)");
  }
  std::string remarks =
      FormRemarks(entry, work.plan) + TombstoneRemark(entry, work.plan) + ReportedRemark(work.plan);
  if (const std::string kept = KeptBeside(entry, work.plan); !kept.empty()) {
    remarks += std::string("; ") +
               (IsWholePolicy(entry.place.role.str()) ? "roles are" : "the role is") +
               " kept, too, by " + kept + WhyUnchecked(catalog, work);
  }
  if (remarks.empty()) return SharedStatus::AsDeclared();
  return Ready("the policy is as declared" + remarks);
}

}  // namespace

bool KeepsUnchecked(const TargetUnderWork& work) {
  if (work.job == nullptr || !work.reading.desired.project_number.empty()) return false;
  return work.job->target.name.starts_with("projects/") &&
         std::ranges::any_of(work.plan.changes, [](const reconcilers::GrantChange& change) {
           return change.IsStoppedBy(reconcilers::Gate::kProtectedPrincipals) &&
                  change.reason.code != reconcilers::ReasonCode::kProtected;
         });
}

std::optional<SharedStatus> StatusAnyway(const Catalog& catalog, const ResourceEntry& entry) {
  if (entry.standing.rejected) return *entry.standing.rejected;
  // Nothing is judged in its name until the next scan tells whether its manifest is gone.
  if (entry.evidence.missing_scans == 1) return entry.standing.status;
  if (entry.leaving() && entry.stays_when_gone()) return LeavingStatus(entry);
  const ResourceEntry* keeper =
      entry.leaving() ? catalog.links().DeletionBlockedBy(entry) : nullptr;
  if (keeper != nullptr) return KeptStatus(entry, *keeper);
  if (entry.suspended()) return StatusOfSuspended(entry);
  return std::nullopt;
}

SharedStatus MakeStatus(const StatusContext& context, const ResourceEntry& entry,
                        const TargetUnderWork& work, const Error* error) {
  const Catalog& catalog = context.catalog;
  const std::string& name = entry.name;
  if (auto anyway = StatusAnyway(catalog, entry)) return *std::move(anyway);
  if (error != nullptr && error->code == Code::kNotFound && entry.leaving()) {
    return LeftWithoutTarget(name, context.release_missing);
  }
  if (error != nullptr) return StatusOfFailure(*error, work);
  if (const ResourceEntry* need = catalog.links().BlockedBy(entry); need != nullptr) {
    return WaitingStatus(*need);
  }
  if (!entry.leaving() && catalog.treatments().AwaitsTime(entry))
    return StatusWithoutTime(context.clock, entry);
  if (auto refused = StatusOfRefused(work, name)) return *std::move(refused);
  if (auto held = StatusOfHeld(context.holds, entry, work)) return *std::move(held);
  if (work.IsPaused() && work.Concerns(name)) {
    return Stalled(reason::kOscillating, context.oscillation.WhyPaused(entry.place.target));
  }
  if (auto withheld = StatusOfWithheld(entry, work)) return *std::move(withheld);
  const auto differences = work.ListDifferences(name);
  if (entry.leaving()) {
    const bool removing = work.GetManagementPolicy(name) == reconcilers::ManagementPolicy::kRemove;
    return differences == 0 || removing ? LeavingStatus(entry) : LeftBehind(differences);
  }
  if (differences > 0) return StatusOfDifferences(entry, work, differences);
  if (auto doubt = StatusOfDoubt(catalog, work)) return *std::move(doubt);
  return StatusWithoutDifference(catalog, entry, work);
}

std::optional<EventType> ChooseEventType(const ResourceEntry& entry) {
  const ResourceStatus& status = *entry.standing.status;
  if (status.state == ResourceState::kStalled ||
      GetCode(status.reason) == StatusCode::kTargetNotFound) {
    return EventType::kWarning;
  }
  // An operator's order has a separate event.
  if (status.state == ResourceState::kSuspended && !entry.suspended_by_operator) {
    return EventType::kNormal;
  }
  return std::nullopt;
}

}  // namespace bindery::controller
