#include "controller/catalog/management_policies.h"

#include <algorithm>
#include <utility>

#include "controller/claims/held_back.h"
#include "controller/claims/status_code.h"

namespace bindery::controller {
namespace {

/// options.expired: remove, without any obstacle.
bool GoesWhenExpired(const ResourceEntry& entry) {
  const manifests::Options& options = entry.options();
  return options.remove_expired && !options.protect && !entry.adopting();
}

}  // namespace

bool ManagementPolicies::LeavesNothing(const ResourceEntry& entry) const {
  // Before the first scan its manifest may have come back while nobody looked.
  return from_.state.scanned && entry.leaving() && entry.progress.untouched &&
         !entry.stays_when_gone();
}

const ResourceEntry* ManagementPolicies::FindRemover(const ResourceEntry& entry,
                                                     const std::set<std::string>& gone) const {
  if (entry.is_lookup()) return nullptr;
  if (from_.settings.UndeclaredOn(*entry.place.target, entry.kind) != UndeclaredRoles::kRemove) {
    return nullptr;
  }
  const TargetEntry* target = from_.claims.FindTarget(entry.place.target);
  if (target == nullptr) return nullptr;
  const auto& others = target->resources;
  const auto remover = std::find_if(others.begin(), others.end(), [&](const ResourceEntry* other) {
    return !gone.contains(other->name) && !other->leaving() &&
           from_.settings.GetMode(*other) == Mode::kEnforce;
  });
  return remover == others.end() ? nullptr : *remover;
}

reconcilers::ManagementPolicy ManagementPolicies::Of(const ResourceEntry& entry,
                                                     bool in_order) const {
  const Mode mode = from_.settings.GetMode(entry);
  if (entry.suspended() || entry.unreadable) return reconcilers::ManagementPolicy::kPause;
  // The manifest was present a scan before. Until the next scan confirms the deletion, nothing is
  // granted or removed in its name.
  if (entry.evidence.missing_scans == 1) return reconcilers::ManagementPolicy::kPause;
  if (entry.leaving()) {
    // Before the first scan: its manifest may have come back while nobody looked.
    const bool stays = entry.stays_when_gone() || IsHeldBack(entry);
    if (!from_.state.scanned || stays || entry.progress.untouched)
      return reconcilers::ManagementPolicy::kPause;
    if (in_order && from_.links.DeletionBlockedBy(entry) != nullptr)
      return reconcilers::ManagementPolicy::kPause;
    return mode == Mode::kObserve ? reconcilers::ManagementPolicy::kObserveRemoved
                                  : reconcilers::ManagementPolicy::kRemove;
  }
  if (const ResourceEntry* need = in_order ? from_.links.BlockedBy(entry) : nullptr;
      need != nullptr) {
    // Its need will be there in a moment, or something is wrong and drift is still reported.
    const bool failed = need->standing.status->state == ResourceState::kStalled ||
                        need->standing.status->state == ResourceState::kSuspended;
    return failed ? reconcilers::ManagementPolicy::kObserve : reconcilers::ManagementPolicy::kPause;
  }
  return mode == Mode::kObserve ? reconcilers::ManagementPolicy::kObserve
                                : reconcilers::ManagementPolicy::kEnforce;
}

reconcilers::ManagementPolicy ManagementPolicies::ForCheck(const ResourceEntry& entry,
                                                           bool in_order) const {
  const reconcilers::ManagementPolicy treatment = Of(entry, in_order);
  const bool declares = treatment == reconcilers::ManagementPolicy::kEnforce ||
                        treatment == reconcilers::ManagementPolicy::kObserve;
  return declares && AwaitsTime(entry) ? reconcilers::ManagementPolicy::kPause : treatment;
}

bool ManagementPolicies::IsExpired(const ResourceEntry& entry) const {
  return GoesWhenExpired(entry) && !from_.claims.times().doubted() &&
         from_.claims.times().HasExpired(entry.name);
}

bool ManagementPolicies::AwaitsTime(const ResourceEntry& entry) const {
  if (!from_.claims.times().doubted() || !GoesWhenExpired(entry)) return false;
  return from_.claims.times().MayHaveExpired(entry.name) ||
         GetCode(*entry.standing.status) == StatusCode::kExpired;
}

bool ManagementPolicies::IsFrozen(const TargetEntry& target) const {
  return std::all_of(target.resources.begin(), target.resources.end(),
                     [this](const ResourceEntry* entry) {
                       return Of(*entry) == reconcilers::ManagementPolicy::kPause;
                     });
}

CheckJob ManagementPolicies::MakeJob(const TargetEntry& target, bool in_order) const {
  CheckJob job;
  job.target = *target.target;
  job.kind = target.kind;
  job.provider = target.provider.str();
  const bool in_doubt =
      from_.state.unknown_content || from_.project_names.IsInDoubt(target.target->name);
  const UndeclaredRoles undeclared = from_.settings.UndeclaredOn(job.target, target.kind);
  const bool keeps = undeclared != UndeclaredRoles::kRemove;
  job.keep_undeclared = keeps || in_doubt;
  job.report_undeclared = undeclared == UndeclaredRoles::kReport;
  job.undeclared_in_doubt = in_doubt && undeclared != UndeclaredRoles::kKeep;
  job.severities = from_.settings.severities;
  job.protected_principals = from_.settings.protected_principals;
  job.project_number = from_.project_names.GetNumber(job.target.name);
  const auto allows = [&](auto setting) {
    return from_.settings.GetRule(job.target, target.kind, setting) == UnsafeWrite::kAllow;
  };
  job.allows_self_lockout = allows(&TargetRule::self_lockout);
  job.allows_last_owner = allows(&TargetRule::last_owner);
  job.by_condition = from_.settings.ListConditionalRules(job.target, target.kind);
  job.accepted = Accepted();
  job.project = from_.settings.DefaultProject(job.provider);
  job.declared.reserve(target.resources.size() + target.contested->size());
  for (const ResourceEntry* entry : target.resources) {
    // No manifest declares the grants that stay behind: the role is left alone, as a contested
    // role.
    const bool left_behind = from_.state.scanned && entry->leaving() && entry->stays_when_gone();
    job.declared.push_back({left_behind ? nullptr : entry->manifest, entry->place.role.str(),
                            ForCheck(*entry, in_order), entry->adopting(), IsExpired(*entry),
                            entry->progress.settled, *entry->progress.given_up, entry->kind});
    if (!entry->is_lookup()) job.declared_grants += entry->grants;
  }
  for (const std::string& role : *target.contested) {
    job.declared.push_back({nullptr, role, reconcilers::ManagementPolicy::kPause});
  }
  return job;
}

}  // namespace bindery::controller
