// Claims with a new owner: manifests that were renamed, moved, or took over a former claim.

#include <algorithm>
#include <set>
#include <utility>

#include "controller/catalog/scan_transaction.h"
#include "controller/claims/claim_status.h"
#include "controller/claims/manifest_content.h"

namespace bindery::controller {
namespace {

/// The manifests of the scan with former names. Nearly always none. `news_only`: all further
/// manifests are in force.
std::vector<std::shared_ptr<const manifests::Manifest>> WithAliases(const ScanInput& scan,
                                                                    bool news_only) {
  std::vector<std::shared_ptr<const manifests::Manifest>> found;
  const auto look = [&found](const manifests::FileContent& file) {
    for (const auto& manifest : file.manifests) {
      if (!manifest->options.extra_options().aliases.empty()) found.push_back(manifest);
    }
  };
  if (scan.edit && news_only) {
    for (const auto& file : scan.edit->now) look(*file);
  } else {
    for (const auto& file : scan.files) look(*file);
  }
  return found;
}

/// The settings give the manifest a new part of the same policy, and the part contains all its
/// declarations: the claim keeps its place.
bool ClaimsWhatItGrants(const ResourceEntry& entry, const admission::Admitted& admitted,
                        const Placer& placer) {
  if (*entry.place.target != admitted.placement.target || entry.is_lookup()) return false;
  if (!Overlap(entry.place.role.str(), admitted.placement.role)) return false;
  const Expected<reconcilers::Declaration> declared =
      placer.Declare(*entry.kind, *admitted.manifest, admitted.placement.provider);
  return declared &&
         std::all_of(declared->grants.begin(), declared->grants.end(), [&](const Grant& grant) {
           return reconcilers::CoversOn(entry.kind, entry.place.role.str(), grant) &&
                  reconcilers::CoversOn(entry.kind, admitted.placement.role, grant);
         });
}

std::set<std::string> NamesIn(const ScanInput& scan) {
  std::set<std::string> names;
  for (const auto& file : scan.files) {
    for (const auto& manifest : file->manifests) names.insert(manifest->name);
  }
  for (const manifests::Problem& problem : scan.problems) names.insert(problem.resource);
  return names;
}

}  // namespace

void ScanTransaction::TakeFormerNames() {
  std::set<std::string> names;
  for (const auto& manifest : WithAliases(scan_, parts_.state.sound)) {
    const ResourceEntry* present = parts_.claims.FindResource(manifest->name);
    if (present != nullptr && present->accepted) continue;
    for (const std::string& alias : manifest->options.extra_options().aliases) {
      const ResourceEntry* former = parts_.claims.FindResource(alias);
      if (former == nullptr || !former->accepted) continue;
      if (names.empty()) names = NamesIn(scan_);
      // Two manifests at once are two resources; admission reports the error.
      if (names.contains(alias)) continue;
      Rename(alias, manifest->name);
      break;
    }
  }
}

void ScanTransaction::Rename(const std::string& from, const std::string& to) {
  Forget(to);
  ResourceEntry& entry = parts_.claims.Rename(from, to);
  auto renamed = std::make_shared<manifests::Manifest>(*entry.manifest);
  renamed->name = to;
  entry.manifest = std::move(renamed);
  entry.evidence.missing_scans = 0;
  entry.standing.rejected.reset();
  parts_.links.Erase(from);
  parts_.claims.times().Put(to, entry.manifest->spec, now_.wall);
  parts_.state.missing_once.erase(from);
  outcome_.change.forget_resources.push_back(from);
  MarkDirty(entry);
  Tell(EventType::kNormal, "Renamed", entry, "was called \"" + from + "\" before");
}

/// First, all manifests with a new target or role give up their former claims: two manifests may
/// exchange their claims. An unchanged manifest whose part of the policy is only cut differently
/// (reconcile.bindingKey) keeps its place.
void ScanTransaction::MoveClaims(const admission::AdmissionResult& result) {
  std::size_t moved_by_settings = 0;
  for (const admission::Admitted& admitted : result.accepted) {
    ResourceEntry* entry = parts_.claims.FindResource(admitted.manifest->name);
    if (entry == nullptr || !entry->accepted) continue;
    const bool moved = *entry->place.target != admitted.placement.target ||
                       entry->place.role.str() != admitted.placement.role;
    if (!moved) continue;
    const bool same = DeclareTheSame(*entry->manifest, *admitted.manifest);
    const bool stays = same && ClaimsWhatItGrants(*entry, admitted, parts_.placer);
    if (stays && Contains(entry->place.role.str(), admitted.placement.role)) continue;
    if (same && parts_.state.placed_otherwise) ++moved_by_settings;
    if (stays) {
      // Present grants beside the declaration may go now.
      parts_.ages.NoteChanged(*entry, /*fresh=*/false);
      continue;
    }
    LeaveBehind(*entry);
    // At the new place nothing was done yet, and the state to adopt was not looked at.
    entry->progress.untouched = true;
    entry->progress.given_up.Set({});
    if (!admitted.manifest->options.extra_options().import_id.empty())
      entry->progress.observed_generation = 0;
  }
  parts_.evidence.question().Moved(moved_by_settings);
}

/// The manifest now names a new target or role. The former claim goes the way of a deleted
/// manifest, under a name that no manifest can have, so that a restart in between forgets nothing.
void ScanTransaction::LeaveBehind(ResourceEntry& entry) {
  ResourceEntry former = entry;
  // A new manifest under an old name counts its generations from the beginning.
  std::int32_t generation = entry.progress.generation;
  do {
    former.name = entry.name + std::string(kFormerClaim) + std::to_string(++generation) + ")";
  } while (parts_.claims.FindResource(former.name) != nullptr);
  auto manifest = std::make_shared<manifests::Manifest>(*entry.manifest);
  manifest->name = former.name;
  former.manifest = std::move(manifest);
  former.evidence.missing_scans = 2;
  former.evidence.age.absent = false;
  parts_.ages.NoteAbsent(former);
  former.standing.rejected.reset();
  former.standing.status = LeavingStatus(former);
  former.standing.since = now_.wall;
  former.dirty = false;
  changed_.insert(former.place.target);
  // In the store the claim must be free before the new record takes it.
  ResourceEntry& stored = parts_.claims.LeaveBehind(entry, std::move(former));
  MarkDirty(entry);
  MarkDirty(stored);
  if (stored.leaves_at_once()) gone_lookups_.push_back(stored.name);
}

/// Former declarations of deleted manifests at the place have a successor: nothing is taken away. A
/// renamed manifest stays suspended where an operator suspended it. True when a successor took
/// over.
bool ScanTransaction::TakeOver(const std::string& name, const admission::Placement& placement) {
  TargetEntry* target = parts_.claims.FindTarget(placement.target);
  if (target == nullptr) return false;
  std::vector<std::string> predecessors;
  bool suspended = false;
  for (const ResourceEntry* other : target->resources) {
    if (other->name == name || other->place.role.str() != placement.role) continue;
    predecessors.push_back(other->name);
    const bool former = !GetSuccessor(other->name).empty();
    suspended = suspended || (other->suspended_by_operator && !former);
  }
  if (predecessors.empty()) return false;
  const bool is_new = parts_.claims.FindResource(name) == nullptr;
  ResourceEntry& successor = parts_.claims.Obtain(name);
  if (suspended && is_new) successor.suspended_by_operator = true;
  for (const std::string& predecessor : predecessors) {
    const ResourceEntry& before = *parts_.claims.FindResource(predecessor);
    successor.progress.untouched = successor.progress.untouched && before.progress.untouched;
  }
  // An operator's decision was about the former declaration.
  successor.evidence.age.urgent = false;
  // The successor joins first: the target must not go with its only resource, history and all.
  target->Insert(successor);
  if (successor.manifest == nullptr)
    successor.manifest = std::make_shared<const manifests::Manifest>();
  for (const std::string& predecessor : predecessors) Forget(predecessor);
  return true;
}

}  // namespace bindery::controller
