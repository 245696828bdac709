// What people are told of the work on a target: the status of its resources, and the report.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "controller/engine.h"
#include "core/time_text.h"

namespace bindery {
namespace {

ResourceStatus Stalled(std::string_view why, std::string message) {
  return {ResourceState::kStalled, std::string(why), std::move(message)};
}

Treatment TreatmentIn(const Desired& desired, const std::string& resource) {
  for (const Claim& claim : desired.claims) {
    if (claim.resource == resource) return claim.treatment;
  }
  return Treatment::kFreeze;
}

ResourceStatus StatusOfSuspended(const ResourceEntry& entry) {
  return {ResourceState::kSuspended, std::string(reason::kSuspended),
          entry.suspended_by_operator ? "suspended by an operator: bindery resume " + entry.name
                                      : std::string("suspended by its manifest (options.suspend)")};
}

/// Names of the manifests that declare a principal the service speaks of: who wrote it is whom the
/// message is for. Only for people; nothing is decided by it.
std::string DeclaredBy(const Desired& desired, const std::string& message) {
  std::string names;
  for (const Claim& claim : desired.claims) {
    const auto& grants = claim.declaration.grants;
    const bool named = std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
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
  const auto letter = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  };
  constexpr std::string_view kEtag = "etag";
  const bool etag = error.code == Code::kInvalidArgument &&
                    std::search(error.message.begin(), error.message.end(), kEtag.begin(),
                                kEtag.end(), letter) != error.message.end();
  if (!etag) return RemedyOf(error.code);
  return "no manifest is the cause: the service refuses the etag that came with the policy; look "
         "at what stands between bindery and the service and may change answers";
}

ResourceStatus StatusOfFailure(const Error& error, const Desired& desired) {
  std::string message = ToString(error);
  if (const std::string names = DeclaredBy(desired, error.message); !names.empty()) {
    message += "; declared by " + names;
  }
  const std::string_view remedy = RemedyFor(error);
  if (!remedy.empty()) message += fmt::format("; {}", remedy);
  if (IsTerminal(error.code)) {
    return {ResourceState::kStalled, std::string(ToString(error.code)), std::move(message)};
  }
  return {ResourceState::kReconciling, std::string(reason::kProgressingWithRetry),
          std::move(message)};
}

/// The manifest is gone, and mode observe keeps us from taking its grants away.
ResourceStatus LeftBehind(std::ptrdiff_t grants) {
  return {ResourceState::kStalled, std::string(reason::kDriftObserved),
          fmt::format("its manifest is gone, and {} grant{} of it left; nothing is removed "
                      "in mode observe",
                      grants, grants == 1 ? " is" : "s are")};
}

/// Its manifest is gone, and whether what it granted is gone as well nobody can tell.
ResourceStatus LeftWithoutTarget(const std::string& name, std::chrono::milliseconds patience) {
  return {ResourceState::kReconciling, std::string(reason::kTargetNotFound),
          "its manifest is gone, but its target is not found, so that what it granted cannot be "
          "seen to be gone: it is looked for each interval, and released after " +
              FormatDuration(patience) + " without it (at once: bindery forget \"" + name + "\")"};
}

/// Of one that a service refuses, or whose grants cannot be made.
std::optional<ResourceStatus> StatusOfRefused(const TargetUnderWork& work,
                                              const std::string& name) {
  for (const auto* reasons : {&work.desired.refused, &work.plan.impossible}) {
    for (const auto& [resource, status] : *reasons) {
      if (resource == name) return status;
    }
  }
  return std::nullopt;
}

std::ptrdiff_t DifferencesOf(const TargetUnderWork& work, const std::string& name) {
  return std::count_if(work.plan.drift.begin(), work.plan.drift.end(),
                       [&](const DriftItem& item) { return item.resource == name; });
}

ResourceStatus StatusOfDifferences(std::ptrdiff_t differences) {
  return Stalled(reason::kDriftObserved,
                 fmt::format("{} difference{} from what it declares; see bindery drift",
                             differences, differences == 1 ? "" : "s"));
}

/// Of the event that tells of a resource's new status; nothing: none does.
std::optional<EventType> EventTypeOf(const ResourceEntry& entry) {
  const ResourceStatus& status = *entry.status;
  if (status.state == ResourceState::kStalled || status.reason == reason::kTargetNotFound) {
    return EventType::kWarning;
  }
  // An operator's order has an event of its own.
  const bool ordered = entry.suspended_by_operator;
  if (status.state == ResourceState::kSuspended && !ordered) return EventType::kNormal;
  return std::nullopt;
}

/// Tells of resources, asked for in the order of their names, whether the work was done with the
/// manifests they have now: one that came meanwhile has its own check to come.
class SeenManifests {
 public:
  explicit SeenManifests(const CheckJob& job) : declared_(job.declared) {}

  [[nodiscard]] bool Has(const ResourceEntry& entry) {
    for (; at_ < declared_.size(); ++at_) {
      const auto& manifest = declared_[at_].manifest;
      if (manifest == nullptr || manifest->name < entry.name) continue;
      return manifest->name == entry.name && manifest->digest == entry.manifest->digest;
    }
    return false;
  }

 private:
  const std::vector<DeclaredClaim>& declared_;
  std::size_t at_ = 0;
};

}  // namespace

void Engine::SetStatuses(const TargetKey& key, const Work& work, const Error* error,
                         StoreChange& change, const Now& now) {
  TargetEntry& target = *catalog_.FindTarget(key);
  const bool outputs_moved = error == nullptr && target.kind != nullptr &&
                             work.seen.document.is_object() && target.TakeOutputs(work.seen);
  SeenManifests seen(*work.job);
  for (ResourceEntry* entry : target.resources) {
    const bool news = outputs_moved || entry->observed_generation != entry->generation;
    if (news && catalog_.FeedsTemplates(entry->name)) resolve_due_ = true;
    const std::size_t changes = change.upsert_resources.size();
    const bool moved = seen.Has(*entry) ? SetJudged(*entry, work, error, change, now)
                                        : SetUnjudged(*entry, change, now);
    if (outputs_moved && change.upsert_resources.size() == changes) {
      change.upsert_resources.push_back(catalog_.RecordOf(*entry));
    }
    if (moved && entry->status->reason == reason::kTargetNotFound) catalog_.NoteFreed(entry->name);
    const auto type = moved ? EventTypeOf(*entry) : std::nullopt;
    if (!type) continue;
    Emit(change, {now.wall, *type, entry->status->reason, entry->name, work.job->target.name,
                  entry->status->message, "bindery"});
  }
}

/// As the work has shown. True when state or reason changed.
bool Engine::SetJudged(ResourceEntry& entry, const Work& work, const Error* error,
                       StoreChange& change, const Now& now) {
  const SharedStatus status = StatusOf(entry, work, error);
  const bool observed = entry.untouched &&
                        TreatmentIn(work.desired, entry.name) == Treatment::kObserve &&
                        catalog_.BlockedBy(entry) == nullptr;
  return catalog_.SetStatus(entry, status, now, change, observed);
}

/// Of one that was not looked at, only what holds in any case.
bool Engine::SetUnjudged(ResourceEntry& entry, StoreChange& change, const Now& now) {
  const std::optional<SharedStatus> status = StatusAnyway(entry);
  if (!status || *status == entry.status) return false;
  return catalog_.SetStatus(entry, *status, now, change);
}

/// What holds whatever is found in the cloud.
std::optional<SharedStatus> Engine::StatusAnyway(const ResourceEntry& entry) const {
  if (entry.rejected) return *entry.rejected;
  // Nothing is judged in its name until the next scan tells whether its manifest is gone.
  if (entry.missing_scans == 1) return entry.status;
  if (entry.leaving() && (entry.options().protect || entry.options().retain_on_delete)) {
    return Catalog::LeavingStatus(entry);
  }
  const ResourceEntry* keeper = entry.leaving() ? catalog_.KeptFor(entry) : nullptr;
  if (keeper != nullptr) return Catalog::KeptStatus(entry, *keeper);
  if (entry.suspended()) return StatusOfSuspended(entry);
  return std::nullopt;
}

/// Something on its target is otherwise in its name, or in nobody's.
bool Engine::HasDrift(const Work& work, const std::string& resource) {
  return std::any_of(work.plan.drift.begin(), work.plan.drift.end(), [&](const DriftItem& item) {
    return item.resource == resource || item.resource.empty();
  });
}

/// Of one whose removals the guard holds, by its limits or because the evidence asks.
std::optional<ResourceStatus> Engine::StatusOfHeld(const ResourceEntry& entry,
                                                   const Work& work) const {
  if (!work.held || !HasDrift(work, entry.name)) return std::nullopt;
  const std::string why = guard_.ReasonOf(work.job->target);
  if (!why.empty() && !work.ask.empty()) {
    return Stalled(reason::kRemovalBlocked,
                   work.ask + ": look at it, then bindery guard approve " + guard_.Digest());
  }
  if (!why.empty()) {
    return Stalled(reason::kGuardHeld, GuardHeldText(why));
  }
  const HoldRecord* denial = DenialOf(work.job->target);
  const std::string by = denial == nullptr ? "an operator" : denial->actor;
  const std::string digest = denial == nullptr ? "DIGEST" : denial->digest;
  return Stalled(reason::kRemovalDenied,
                 "removals on its target were denied by " + by +
                     ": what is there stays (bindery guard; bindery guard approve " + digest +
                     " lets them through)");
}

SharedStatus Engine::StatusOf(const ResourceEntry& entry, const Work& work,
                              const Error* error) const {
  const std::string& name = entry.name;
  if (auto anyway = StatusAnyway(entry)) return *std::move(anyway);
  if (error != nullptr && error->code == Code::kNotFound && entry.leaving()) {
    return LeftWithoutTarget(name, settings_.release_missing);
  }
  if (error != nullptr) return StatusOfFailure(*error, work.desired);
  if (const ResourceEntry* need = catalog_.BlockedBy(entry); need != nullptr) {
    return Catalog::WaitingStatus(*need);
  }
  if (!entry.leaving() && catalog_.AwaitsTime(entry)) return StatusWithoutTime(entry);
  if (auto refused = StatusOfRefused(work, name)) return *std::move(refused);
  if (auto held = StatusOfHeld(entry, work)) return *std::move(held);
  if (work.paused && HasDrift(work, name)) {
    return Stalled(reason::kOscillating, WhyPaused(entry.target));
  }
  if (auto withheld = StatusOfWithheld(entry, work)) return *std::move(withheld);
  const auto differences = DifferencesOf(work, name);
  if (entry.leaving()) {
    const bool removing = TreatmentIn(work.desired, name) == Treatment::kRemove;
    return differences == 0 || removing ? Catalog::LeavingStatus(entry) : LeftBehind(differences);
  }
  if (differences > 0) return StatusOfDifferences(differences);
  if (auto doubt = StatusOfDoubt(work)) return *std::move(doubt);
  return StatusWithoutDifference(entry, work);
}

/// Its condition may have ended, and that cannot be told.
SharedStatus Engine::StatusWithoutTime(const ResourceEntry& entry) const {
  const std::string why = "whether its condition has ended cannot be told: " + clock_.Why() +
                          "; its role is left alone";
  if (clock_.verdict == ClockJudgement::Verdict::kDisputed) {
    return ResourceStatus{ResourceState::kStalled, "RemovalBlocked", why};
  }
  // At each start, until the first answer.
  if (entry.status->reason == reason::kExpired) return entry.status;
  return ResourceStatus{ResourceState::kReconciling, "RemovalPending", why};
}

SharedStatus Engine::StatusWithoutDifference(const ResourceEntry& entry, const Work& work) const {
  if (catalog_.IsTakenOut(entry)) {
    return ResourceStatus{ResourceState::kReady, std::string(reason::kExpired),
                          "its condition has ended, and what it granted is not in the policy "
                          "(options.expired: remove)"};
  }
  if (entry.is_lookup()) return StatusOfResult(work.seen);
  return SharedStatus::AsDeclared();
}

void Engine::Report(const Work& work, std::string_view action, const Error* error,
                    std::string message) {
  constexpr std::size_t kNamesShown = 3;
  TargetReport report;
  report.target = work.job->target;
  std::size_t shown = 0;
  for (const DeclaredClaim& claim : work.job->declared) {
    if (claim.manifest == nullptr) continue;
    if (++shown > kNamesShown) {
      report.resources += ",…";
      break;
    }
    report.resources += (report.resources.empty() ? "" : ",") + claim.manifest->name;
  }
  report.action = action;
  report.message = std::move(message);
  report.duration = work.spent;
  report.queued = std::max<MonoTime::duration>(work.started - work.taken.due, {});
  if (work.taken.priority == Priority::kPeriodic) report.lateness = report.queued;
  report.terminal = error != nullptr && IsTerminal(error->code);
  report.result = error == nullptr                ? "requeue_after"
                  : error->code == Code::kAborted ? "requeue"
                                                  : "error";
  if (action == "written") {
    report.adds = work.permitted.adds.size();
    report.removes = work.permitted.removes.size();
  }
  if (error != nullptr) report.error_type = ToString(error->code);
  DescribeTrace(work, report);
  observer_.Worked(report);
}

}  // namespace bindery
