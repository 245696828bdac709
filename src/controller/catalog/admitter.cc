#include "controller/catalog/admitter.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "controller/catalog/manifest_holder.h"
#include "controller/claims/former_claims.h"
#include "controller/claims/held_back.h"
#include "controller/claims/manifest_content.h"
#include "controller/claims/status_code.h"
#include "manifests/directory/directory.h"
#include "manifests/documents/resolve.h"

namespace bindery::controller {
namespace {

bool HoldsErrors(const std::vector<manifests::Problem>& problems) {
  return std::any_of(problems.begin(), problems.end(), [](const manifests::Problem& problem) {
    return problem.severity == manifests::ProblemSeverity::kError;
  });
}

bool HoldsErrors(const std::vector<std::shared_ptr<const manifests::FileContent>>& files) {
  return std::any_of(files.begin(), files.end(),
                     [](const auto& file) { return HoldsErrors(file->problems); });
}

bool HoldBlanks(const std::vector<std::shared_ptr<const manifests::FileContent>>& files) {
  return std::any_of(files.begin(), files.end(), [](const auto& file) { return file->blank; });
}

/// The manifest was kept out because of further manifests with the same claim.
bool IsContested(const ResourceEntry& entry) {
  if (entry.accepted && !entry.standing.rejected) return false;
  return GetCode(*entry.standing.headline()) == StatusCode::kRoleConflict;
}

/// The scan before did not find the manifest, but an unread item may have held the manifest.
bool IsHeld(const ResourceEntry& entry) {
  return (entry.evidence.age.absent && entry.evidence.missing_scans == 0) || IsHeldBack(entry);
}

/// The manifest is gone, and its removal waits for the directory to rest: a manifest that appears
/// meanwhile may be the same under a new name.
bool MayComeBack(const ResourceEntry& entry) {
  return entry.leaving() && entry.evidence.age.look != 0 && !entry.is_lookup() &&
         !entry.stays_when_gone() && GetSuccessor(entry.name).empty();
}

}  // namespace

admission::AdmissionInput Admitter::MakeInput(const ScanInput& scan) const {
  admission::AdmissionInput input{scan.Manifests(), scan.problems, scan.broken_files, {}};
  input.schema_of = [this](const TypeToken& token) {
    const reconcilers::Kind* kind = from_.placer.FindKindFor(token);
    return kind == nullptr ? nullptr : &kind->schema();
  };
  input.targets_of = [this](const TypeToken& token) {
    const reconcilers::Kind* kind = from_.placer.FindKindFor(token);
    return kind == nullptr ? std::string() : kind->traits().policy;
  };
  for (const auto& file : scan.files) {
    input.invalid.insert(input.invalid.end(), file->invalid.begin(), file->invalid.end());
    if (file->blank) input.blank_files.insert(file->path);
  }
  for (const auto& [name, entry] : from_.claims.resources()) {
    const bool gone = entry.leaving();
    const bool is_protected = entry.options().protect;
    if (IsContested(entry)) input.contested.insert(name);
    if (!entry.accepted || (gone && !is_protected && !MayComeBack(entry))) continue;
    // The last scan once more has not missed it once more.
    const bool missed = !scan.again && entry.evidence.missing_scans > 0;
    const manifests::UnreadItem* holder = GetHolder(entry, from_.evidence);
    std::string held_by;
    if (holder != nullptr) held_by = "\"" + holder->path + "\" " + holder->why;
    input.in_force.push_back({name, entry.source(), entry.place.placement(), is_protected, gone,
                              std::move(held_by), missed, IsHeld(entry)});
  }
  input.waiting = WaitedBefore(input.manifests);
  return input;
}

/// Manifests that never came into force, and that the scan before found with the same content.
std::set<std::string> Admitter::WaitedBefore(
    const std::vector<std::shared_ptr<const manifests::Manifest>>& manifests) const {
  std::set<std::string> names;
  for (const auto& manifest : manifests) {
    if (!from_.state.unaccepted.contains(manifest->name)) continue;
    const ResourceEntry& before = *from_.claims.FindResource(manifest->name);
    if (before.manifest->digest == manifest->digest) names.insert(manifest->name);
  }
  return names;
}

admission::AdmissionResult Admitter::Admit(const ScanInput& scan) const {
  std::optional<admission::AdmissionResult> edit = OfEdit(scan);
  return edit ? *std::move(edit) : OfAll(scan);
}

admission::AdmissionResult Admitter::OfAll(const ScanInput& scan) const {
  return admission::Admit(MakeInput(scan),
                          [this](const auto& manifest) { return ResolveOrRefuse(manifest); });
}

std::optional<admission::AdmissionResult> Admitter::OfEdit(const ScanInput& scan) const {
  const bool unfit = !from_.state.sound || from_.state.placed_otherwise || !scan.edit ||
                     !scan.broken_files.empty() || HoldsErrors(scan.edit->now) ||
                     HoldsErrors(scan.problems) || scan.again ||
                     from_.links.TouchedBy(*scan.edit) || HoldBlanks(scan.edit->now) ||
                     from_.evidence.MayHoldMissing();
  if (unfit) return std::nullopt;
  std::optional<Newcomers> newcomers = PlaceAll(*scan.edit);
  if (!newcomers) return std::nullopt;
  const std::set<std::string> missing = MissingAfter(*scan.edit, *newcomers);
  const bool may_be_held = std::any_of(missing.begin(), missing.end(), [this](const auto& name) {
    return GetHolder(*from_.claims.FindResource(name), from_.evidence) != nullptr;
  });
  if (may_be_held || !AreFree(*newcomers, missing)) return std::nullopt;
  admission::AdmissionResult result;
  result.missing.assign(missing.begin(), missing.end());
  for (auto& [name, admitted] : *newcomers) result.accepted.push_back(std::move(admitted));
  return result;
}

/// The manifests of the changed files, by name. Nothing when a manifest has no place, or shares its
/// name.
std::optional<Admitter::Newcomers> Admitter::PlaceAll(const ScanEdit& edit) const {
  std::unordered_set<std::string_view> reread;
  for (const auto* files : {&edit.now, &edit.before}) {
    for (const auto& file : *files) reread.insert(file->path);
  }
  const auto is_elsewhere = [&](const std::string& name) {
    const ResourceEntry* known = from_.claims.FindResource(name);
    return known != nullptr && known->evidence.missing_scans == 0 &&
           !reread.contains(known->source().file.str());
  };
  Newcomers newcomers;
  for (const auto& file : edit.now) {
    for (const auto& manifest : file->manifests) {
      tl::expected<admission::Resolved, admission::Unplaced> resolved = ResolveOrRefuse(manifest);
      if (!resolved || is_elsewhere(manifest->name)) return std::nullopt;
      const bool alone = newcomers.emplace(manifest->name, std::move(*resolved)).second;
      if (!alone) return std::nullopt;
    }
  }
  return newcomers;
}

/// In force, and in none of the files any more; those that were missing before are, still.
std::set<std::string> Admitter::MissingAfter(const ScanEdit& edit,
                                             const Newcomers& newcomers) const {
  std::set<std::string> missing = from_.state.missing_once;
  for (const auto& file : edit.before) {
    for (const auto& manifest : file->manifests) missing.insert(manifest->name);
  }
  std::erase_if(missing, [&](const std::string& name) {
    const ResourceEntry* known = from_.claims.FindResource(name);
    // A leaving resource was counted before.
    return known == nullptr || newcomers.contains(name) || known->leaving();
  });
  return missing;
}

bool Admitter::AreFree(const Newcomers& newcomers, const std::set<std::string>& missing) const {
  std::map<Target, std::vector<const admission::Placement*>> by_target;
  return std::all_of(newcomers.begin(), newcomers.end(), [&](const auto& newcomer) {
    const admission::Placement& placement = newcomer.second.placement;
    std::vector<const admission::Placement*>& others = by_target[placement.target];
    const bool alone =
        std::none_of(others.begin(), others.end(), [&](const admission::Placement* other) {
          return other->provider != placement.provider || other->Overlaps(placement);
        });
    others.push_back(&placement);
    return alone && IsFree(placement, newcomers, missing);
  });
}

/// No resource outside of the newcomers holds the claim, or its target through a second
/// provider.
bool Admitter::IsFree(const admission::Placement& placement, const Newcomers& newcomers,
                      const std::set<std::string>& missing) const {
  const TargetEntry* target = from_.claims.FindTarget(placement.target);
  if (target == nullptr) return true;
  const auto& holders = target->resources;
  return std::none_of(holders.begin(), holders.end(), [&](const ResourceEntry* holder) {
    if (newcomers.contains(holder->name)) return false;
    const bool missed = holder->evidence.missing_scans > 0 || missing.contains(holder->name);
    const bool overlaps = Overlap(holder->place.role.str(), placement.role);
    // A manifest with the whole of a missing claim is its new name; a manifest with a part has to
    // wait.
    const bool same = holder->place.role.str() == placement.role;
    const bool gone = missed && (same || !overlaps || holder->leaving());
    if (gone && !holder->options().protect) return false;  // It claims nothing any more.
    return overlaps || holder->place.provider.str() != placement.provider;
  });
}

tl::expected<admission::Resolved, admission::Unplaced> Admitter::ResolveOrRefuse(
    const std::shared_ptr<const manifests::Manifest>& manifest) const {
  const reconcilers::Kind* kind = from_.placer.FindKindFor(*manifest->token);
  // The error of a provider is told where it is named.
  const auto unplaced = [&](Error error) {
    std::optional<manifests::ManifestError> fault =
        from_.placer.FindProviderFault(*manifest, *kind);
    return tl::unexpected(admission::Unplaced{fault ? std::move(*fault)
                                                    : manifests::ManifestError(std::move(error))});
  };
  if (manifest->references == nullptr) {
    Expected<admission::Placement> placement = PlaceOrRefuse(*manifest);
    if (!placement) return unplaced(std::move(placement.error()));
    return admission::Resolved{manifest, std::move(*placement)};
  }
  auto resolved = manifests::Resolve(
      *manifest, kind->schema(),
      [this](const std::string& name) { return from_.links.Knows(name); },
      [this](const std::string& name) { return from_.links.GetOutputs(name); });
  if (!resolved)
    return tl::unexpected(
        admission::Unplaced{std::move(resolved.error()), from_.placer.PlaceUnresolved(*manifest)});
  Expected<admission::Placement> placement = PlaceOrRefuse(**resolved);
  if (!placement) return unplaced(std::move(placement.error()));
  return admission::Resolved{std::move(*resolved), std::move(*placement)};
}

/// A protected binding is neither deleted nor replaced; a change of target or role is a
/// replacement, unless settings only let the same manifest claim more or less of its role. One that
/// is kept out is placed anew: it may belong elsewhere by other settings.
Expected<admission::Placement> Admitter::PlaceOrRefuse(const manifests::Manifest& manifest) const {
  const ResourceEntry* before = from_.claims.FindResource(manifest.name);
  if (before != nullptr && !before->accepted) before = nullptr;
  if (before != nullptr && !from_.state.placed_otherwise &&
      before->manifest->digest == manifest.digest && !before->unreadable &&
      !before->standing.rejected) {
    admission::Placement same = before->place.placement();
    same.grants = before->grants;
    return same;
  }
  Expected<admission::Placement> placement = from_.placer.Place(manifest);
  if (!placement || before == nullptr || before->is_lookup()) return placement;
  if (!before->options().protect) return placement;
  const std::string& part = before->place.role.str();
  const bool cut_otherwise = (Contains(part, placement->role) || Contains(placement->role, part)) &&
                             DeclareTheSame(*before->manifest, manifest);
  if (*before->place.target == placement->target && (part == placement->role || cut_otherwise)) {
    return placement;
  }
  return Fail(Code::kFailedPrecondition,
              "it is protected (options.protect), so that " +
                  PartInWords(before->place.role.str()) + " on \"" + before->place.target->name +
                  "\" cannot be replaced: take options.protect out first, in a change of its own");
}

}  // namespace bindery::controller
