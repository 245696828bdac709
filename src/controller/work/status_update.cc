#include "controller/work/status_update.h"

#include "controller/claims/claim_status.h"
#include "controller/claims/resource_record.h"
#include "controller/claims/status_code.h"

namespace bindery::controller {
namespace {

/// Tells for resources, asked in the order of their names, whether the work used their present
/// manifests: a newer manifest has its own check to come.
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

/// As the work has shown. True when state or reason changed.
bool SetJudged(const StatusContext& context, ResourceEntry& entry, const WorkOutcome& outcome,
               store::StoreChange& change, const Now& now) {
  const TargetUnderWork& work = outcome.work;
  const bool observed =
      entry.progress.untouched &&
      work.GetManagementPolicy(entry.name) == reconcilers::ManagementPolicy::kObserve &&
      context.catalog.links().BlockedBy(entry) == nullptr;
  // An accepted difference was not taken away when the manifest came: a foreign writer may have
  // made it before.
  const bool settles = work.plan.accepted().empty();
  return SetStatus(context.catalog.claims(), entry,
                   {MakeStatus(context, entry, work, outcome.error), observed, settles}, now,
                   change);
}

/// For a resource without a judgement, only the unconditional status.
bool SetUnjudged(const Catalog& catalog, ResourceEntry& entry, store::StoreChange& change,
                 const Now& now) {
  const std::optional<SharedStatus> status = StatusAnyway(catalog, entry);
  if (!status || *status == entry.standing.status) return false;
  return SetStatus(catalog.claims(), entry, {*status}, now, change);
}

}  // namespace

bool UpdateStatuses(const StatusContext& context, Catalog& catalog, const WorkOutcome& outcome,
                    store::StoreChange& change, const Now& now) {
  const TargetUnderWork& work = outcome.work;
  TargetEntry& target = *catalog.claims().FindTarget(work.taken.key);
  bool resolve = false;
  const bool outputs_moved = outcome.error == nullptr && target.kind != nullptr &&
                             work.reading.seen.document.is_object() &&
                             target.TakeOutputs(work.reading.seen);
  SeenManifests seen(*work.job);
  for (ResourceEntry* entry : target.resources) {
    const bool news =
        outputs_moved || entry->progress.observed_generation != entry->progress.generation;
    if (news && catalog.links().FeedsTemplates(entry->name)) resolve = true;
    const std::size_t changes = change.standings.size();
    const bool moved = seen.Has(*entry) ? SetJudged(context, *entry, outcome, change, now)
                                        : SetUnjudged(catalog, *entry, change, now);
    if (outputs_moved && change.standings.size() == changes) {
      change.standings.push_back(MakeStanding(catalog.claims(), *entry));
    }
    if (moved && GetCode(*entry->standing.status) == StatusCode::kTargetNotFound)
      catalog.links().NoteFreed(entry->name);
    const auto type = moved ? ChooseEventType(*entry) : std::nullopt;
    if (!type) continue;
    const SharedStatus& status = entry->standing.status;
    Event event{now.wall,        *type,    status->reason, entry->name, work.job->target.name,
                status->message, "bindery"};
    if (GetCode(event.reason) == StatusCode::kConditionDropped)
      event.severity = Severity::kCritical;
    change.events.push_back(std::move(event));
  }
  return resolve;
}

}  // namespace bindery::controller
