#include "controller/catalog/forget.h"

#include <string>
#include <vector>

#include "controller/claims/former_claims.h"
#include "controller/claims/status_code.h"
#include "core/access/claim_part.h"
#include "core/text/time_text.h"

namespace bindery::controller {
namespace {

/// Foreign grants of the role stayed in the name of the claim.
bool LeftOthers(const reconcilers::Declaration& gone) {
  return gone.absent || gone.leaves_others || !ClaimPart::Of(gone.role).member.empty();
}

}  // namespace

bool ForgetRemoved(Catalog& catalog, const TargetUnderWork& work, store::StoreChange& change,
                   const Now& now) {
  if (work.reading.desired.restore) return false;
  bool left_others = false;
  for (const reconcilers::Claim& claim : work.reading.desired.claims) {
    if (!reconcilers::IsGone(claim)) continue;
    const ResourceEntry* entry = catalog.claims().FindResource(claim.resource);
    if (entry == nullptr || !entry->leaving()) continue;
    if (work.ListDifferences(claim.resource) > 0) continue;
    if (work.awaits_evidence.contains(claim.resource)) continue;
    const std::string heir = GetSuccessor(claim.resource);
    const bool former = !heir.empty();
    change.events.push_back(
        {now.wall, EventType::kNormal, former ? "FormerClaimRemoved" : "Deleted",
         former ? heir : claim.resource, work.job->target.name,
         former ? "what its manifest declared before it was changed is not granted any more"
                : "its manifest is gone, and so is what it granted",
         "bindery"});
    catalog.Forget(claim.resource, change);
    left_others |= LeftOthers(claim.declaration);
  }
  const reconcilers::Desired& desired = work.reading.desired;
  return left_others && (!desired.keep_undeclared || desired.report_undeclared);
}

void ForgetMissing(Catalog& catalog, const TargetUnderWork& work,
                   std::chrono::milliseconds patience, store::StoreChange& change, const Now& now) {
  for (const reconcilers::Claim& claim : work.reading.desired.claims) {
    const ResourceEntry* entry = catalog.claims().FindResource(claim.resource);
    const bool goes = reconcilers::IsGone(claim) && entry != nullptr && entry->leaving() &&
                      GetCode(*entry->standing.status) == StatusCode::kTargetNotFound;
    if (!goes) continue;
    change.events.push_back(
        {now.wall, EventType::kNormal, "Released", claim.resource, work.job->target.name,
         "its manifest is gone, and its target was not found for " + FormatDuration(patience) +
             ": what it granted counts as gone with it",
         "bindery"});
    catalog.Forget(claim.resource, change);
  }
}

void ForgetUnreachable(Catalog& catalog, const TargetKey& key, store::StoreChange& change,
                       const Now& now) {
  const TargetEntry* target = catalog.claims().FindTarget(key);
  if (target == nullptr || key->scope.empty()) return;
  const std::string provider = target->provider.str();
  std::vector<std::string> names;
  for (const ResourceEntry* entry : target->resources) {
    const ResourceEntry* heir = catalog.claims().FindResource(GetSuccessor(entry->name));
    const bool moved = heir != nullptr && heir->accepted && entry->leaving();
    const auto verdict = catalog.evidence().Judge(entry->evidence.age, now);
    if (moved && !entry->options().protect && verdict.answer == EvidenceAnswer::kYes)
      names.push_back(entry->name);
  }
  for (const std::string& name : names) {
    change.events.push_back(
        {now.wall, EventType::kWarning, "Released", GetSuccessor(name), key->name,
         "the configuration has no provider \"" + provider +
             "\" any more: what its manifest declared through it is left as it is",
         "bindery"});
    catalog.Forget(name, change);
  }
}

bool ForgetUntouched(Catalog& catalog, const TargetKey& key, store::StoreChange& change,
                     const Now& now) {
  const TargetEntry* target = catalog.claims().FindTarget(key);
  if (target == nullptr) return false;
  std::vector<std::string> names;
  for (const ResourceEntry* entry : target->resources) {
    if (catalog.treatments().LeavesNothing(*entry)) names.push_back(entry->name);
  }
  for (const std::string& name : names) {
    change.events.push_back(
        {now.wall, EventType::kNormal, "Deleted", name, key->name,
         "its manifest is gone; nothing was done in its name, so nothing was removed", "bindery"});
    catalog.Forget(name, change);
  }
  return !names.empty();
}

}  // namespace bindery::controller
