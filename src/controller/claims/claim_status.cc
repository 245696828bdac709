#include "controller/claims/claim_status.h"

#include <utility>

#include "admission/conflict_text.h"
#include "controller/claims/resource_record.h"

namespace bindery::controller {

ResourceStatus LeavingStatus(const ResourceEntry& entry) {
  const bool moved = entry.name.find(kFormerClaim) != std::string::npos;
  if (entry.is_lookup()) {
    return {ResourceState::kReconciling, std::string(reason::kDeleting),
            entry.leaves_at_once() ? "its manifest is gone: it is looked up no more"
                                   : "its manifest is gone, and what it says ends with it"};
  }
  const std::string why =
      moved ? "its manifest now names another target or role" : "its manifest is gone";
  if (entry.options().protect) {
    return {ResourceState::kStalled, std::string(reason::kProtected),
            why + ", but it is protected (options.protect): nothing is removed"};
  }
  if (entry.retained()) {
    return {
        ResourceState::kReady, "Retained",
        why + "; what it granted stays (options.retainOnDelete" +
            (entry.options().retain_on_delete ? ")" : ": true unless the manifest says false)")};
  }
  if (entry.progress.untouched) {
    return {ResourceState::kReconciling, std::string(reason::kDeleting),
            why + "; nothing was done in its name, so nothing is removed"};
  }
  return {ResourceState::kReconciling, std::string(reason::kDeleting),
          why + ": what it granted is to be removed"};
}

ResourceStatus WaitingStatus(const ResourceEntry& need) {
  std::string why = need.standing.status->message;
  if (need.standing.status->state == ResourceState::kReady)
    why = "its last change is still to be checked";
  return {ResourceState::kReconciling, std::string(reason::kDependencyNotReady),
          "waits for " + admission::NameAndSource(need.name, need.source()) + ": " + why};
}

ResourceStatus KeptStatus(const ResourceEntry& entry, const ResourceEntry& keeper) {
  const bool replaced = GetSuccessor(entry.name) == keeper.name;
  return {ResourceState::kReconciling, std::string(reason::kDeleting),
          "what it granted is removed once " +
              admission::NameAndSource(keeper.name, keeper.source()) +
              (replaced ? " grants in its place" : ", which depends on it, is gone")};
}

ResourceStatus FrozenStatus(const ResourceEntry& entry, const admission::AdmissionResult& result) {
  if (const auto held = result.held.find(entry.name); held != result.held.end()) {
    return {ResourceState::kStalled, std::string(reason::kRemovalBlocked),
            "its manifest is missing, but " + held->second +
                ": it may declare it, so the last good manifest stays in force"};
  }
  const std::string& file = entry.source().file.str();
  const std::string_view why =
      result.emptied.contains(file) ? " is empty" : " cannot be read in full";
  return {ResourceState::kStalled, std::string(reason::kManifestInvalid),
          "\"" + file + "\"" + std::string(why) + ": its last good manifest stays in force"};
}

bool SetStatus(const Claims& claims, ResourceEntry& entry, NewStatus next, const Now& now,
               store::StoreChange& change) {
  const SharedStatus& status = next.status;
  const bool ready = status->state == ResourceState::kReady;
  const bool untouched = entry.progress.untouched && !next.acted && !ready;
  const bool gave_up = !entry.progress.given_up->empty();
  if (ready && next.settles && !entry.leaving() && !entry.suspended()) {
    entry.progress.settled = true;
    entry.progress.given_up.Set({});
  }
  // A resource to import is taken over only after it was found as declared.
  const bool taken_over = !entry.adopting() || ready;
  const std::int32_t observed =
      taken_over ? entry.progress.generation : entry.progress.observed_generation;
  if (entry.standing.status == status && entry.progress.observed_generation == observed &&
      entry.progress.untouched == untouched && gave_up == !entry.progress.given_up->empty()) {
    return false;
  }
  const bool moved = entry.standing.status->state != status->state ||
                     entry.standing.status->reason != status->reason;
  if (moved) entry.standing.since = now.wall;
  entry.standing.status = std::move(next.status);
  entry.progress.observed_generation = observed;
  entry.progress.untouched = untouched;
  change.standings.push_back(MakeStanding(claims, entry));
  return moved;
}

void MarkUnreadable(ResourceEntry& entry, const std::string& why) {
  // An empty declaration would take everything away.
  entry.unreadable = true;
  entry.standing.rejected = std::make_shared<const SharedStatus>(
      ResourceStatus{ResourceState::kStalled, std::string(reason::kManifestInvalid),
                     "its stored manifest is unusable: " + why});
}

}  // namespace bindery::controller
