// Which manifests of a scan come into force: the judgement of admission/, fed with as little as it
// takes.

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "controller/catalog.h"
#include "manifests/directory.h"
#include "manifests/resolve.h"
#include "reconcilers/provider_choice.h"

namespace bindery {
namespace {

bool HoldsErrors(const std::vector<Problem>& problems) {
  return std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.severity == ProblemSeverity::kError;
  });
}

bool HoldsErrors(const std::vector<std::shared_ptr<const FileContent>>& files) {
  return std::any_of(files.begin(), files.end(),
                     [](const auto& file) { return HoldsErrors(file->problems); });
}

bool HoldBlanks(const std::vector<std::shared_ptr<const FileContent>>& files) {
  return std::any_of(files.begin(), files.end(), [](const auto& file) { return file->blank; });
}

/// It was kept out for the sake of others that declare the same.
bool IsContested(const ResourceEntry& entry) {
  if (entry.accepted && !entry.rejected) return false;
  const SharedStatus& why = entry.rejected ? *entry.rejected : entry.status;
  return why->reason == reason::kRoleConflict;
}

}  // namespace

std::vector<std::shared_ptr<const Manifest>> ScanInput::Manifests() const {
  std::vector<std::shared_ptr<const Manifest>> all;
  all.reserve(manifests);
  for (const auto& file : files) {
    all.insert(all.end(), file->manifests.begin(), file->manifests.end());
  }
  return all;
}

AdmissionInput Catalog::InputOf(const ScanInput& scan) const {
  AdmissionInput input{scan.Manifests(), scan.problems, scan.broken_files, {}};
  input.schema_of = [this](const TypeToken& token) {
    const Kind* kind = kinds_.Find(token);
    return kind == nullptr ? nullptr : &kind->schema();
  };
  for (const auto& file : scan.files) {
    input.invalid.insert(input.invalid.end(), file->invalid.begin(), file->invalid.end());
    if (file->blank) input.blank_files.insert(file->path);
  }
  for (const auto& [name, entry] : resources_) {
    const bool gone = entry.leaving();
    const bool is_protected = entry.options().protect;
    if (IsContested(entry)) input.contested.insert(name);
    if (!entry.accepted || (gone && !is_protected)) continue;
    // The last scan once more has not missed it once more.
    const bool missed = !scan.again && entry.missing_scans > 0;
    const auto since = entry.age.absent ? entry.age.look : evidence_.look();
    const UnreadItem* holder = evidence_.HolderOf(since);
    std::string held_by;
    if (holder != nullptr) held_by = "\"" + holder->path + "\" " + holder->why;
    input.in_force.push_back(
        {name, entry.source(), entry.placement(), is_protected, gone, std::move(held_by), missed});
  }
  return input;
}

AdmissionResult Catalog::AdmitAll(const ScanInput& scan) const {
  return Admit(InputOf(scan), [this](const auto& manifest) { return ResolveOrRefuse(manifest); });
}

std::optional<Error> Catalog::WouldEmpty(const ScanInput& scan) const {
  if (scan.manifests > 0 || AdmitAll(scan).missing.empty()) return std::nullopt;
  return Error{Code::kFailedPrecondition,
               "the manifests directory holds files, but no manifest any more" +
                   std::string(kNothingDeleted)};
}

/// What an edit changes, when that can be told from the files it concerns: nothing when something
/// is amiss, or when one manifest may be in another's way. Then all of them have to be looked at.
std::optional<AdmissionResult> Catalog::AdmitEdit(const ScanInput& scan) const {
  const bool troubled = !sound_ || placed_otherwise_ || !scan.edit || !scan.broken_files.empty() ||
                        HoldsErrors(scan.edit->now) || HoldsErrors(scan.problems) || scan.again ||
                        TouchesLinks(*scan.edit) || HoldBlanks(scan.edit->now) ||
                        evidence_.MayHoldMissing();
  if (troubled) return std::nullopt;
  std::optional<Newcomers> newcomers = PlaceAll(*scan.edit);
  if (!newcomers) return std::nullopt;
  const std::set<std::string> missing = MissingAfter(*scan.edit, *newcomers);
  if (!AreFree(*newcomers, missing)) return std::nullopt;
  AdmissionResult result;
  result.missing.assign(missing.begin(), missing.end());
  for (auto& [name, admitted] : *newcomers) result.accepted.push_back(std::move(admitted));
  return result;
}

/// The manifests of the files that changed, by name. Nothing when one has no place, or shares its
/// name with another.
std::optional<Catalog::Newcomers> Catalog::PlaceAll(const ScanEdit& edit) const {
  std::unordered_set<std::string_view> reread;
  for (const auto* files : {&edit.now, &edit.before}) {
    for (const auto& file : *files) reread.insert(file->path);
  }
  const auto stands_elsewhere = [&](const std::string& name) {
    const auto known = resources_.find(name);
    return known != resources_.end() && known->second.missing_scans == 0 &&
           !reread.contains(known->second.source().file.str());
  };
  Newcomers newcomers;
  for (const auto& file : edit.now) {
    for (const auto& manifest : file->manifests) {
      tl::expected<Resolved, Unplaced> resolved = ResolveOrRefuse(manifest);
      if (!resolved || stands_elsewhere(manifest->name)) return std::nullopt;
      const bool alone = newcomers.emplace(manifest->name, std::move(*resolved)).second;
      if (!alone) return std::nullopt;
    }
  }
  return newcomers;
}

/// In force, and in none of the files any more; those that were missing before are, still.
std::set<std::string> Catalog::MissingAfter(const ScanEdit& edit,
                                            const Newcomers& newcomers) const {
  std::set<std::string> missing = missing_once_;
  for (const auto& file : edit.before) {
    for (const auto& manifest : file->manifests) missing.insert(manifest->name);
  }
  std::erase_if(missing, [&](const std::string& name) {
    const auto known = resources_.find(name);
    // One that is on its way out already was counted before.
    return known == resources_.end() || newcomers.contains(name) || known->second.leaving();
  });
  return missing;
}

bool Catalog::AreFree(const Newcomers& newcomers, const std::set<std::string>& missing) const {
  std::set<std::string> claims;
  std::map<std::string, std::string> providers;
  return std::all_of(newcomers.begin(), newcomers.end(), [&](const auto& newcomer) {
    const Placement& placement = newcomer.second.placement;
    const auto by = providers.emplace(placement.target.Key(), placement.provider).first;
    return claims.insert(placement.ClaimKey()).second && by->second == placement.provider &&
           IsFree(placement, newcomers, missing);
  });
}

/// Nobody but those that are looked at anyway holds that claim, or its target through another
/// provider.
bool Catalog::IsFree(const Placement& placement, const Newcomers& newcomers,
                     const std::set<std::string>& missing) const {
  const auto target = targets_.find(placement.target);
  if (target == targets_.end()) return true;
  const auto& holders = target->second.resources;
  return std::none_of(holders.begin(), holders.end(), [&](const ResourceEntry* holder) {
    if (newcomers.contains(holder->name)) return false;
    const bool missed = holder->missing_scans > 0 || missing.contains(holder->name);
    if (missed && !holder->options().protect) return false;  // It claims nothing any more.
    return holder->role.str() == placement.role || holder->provider.str() != placement.provider;
  });
}

tl::expected<Resolved, Unplaced> Catalog::ResolveOrRefuse(
    const std::shared_ptr<const Manifest>& manifest) const {
  const Kind* kind = kinds_.Find(*manifest->token);
  // What is wrong with a provider is told where it is named.
  const auto unplaced = [&](Error error) {
    std::optional<ManifestError> fault = ProviderFault(*manifest, *kind, settings_.provider_types);
    return tl::unexpected(Unplaced{fault ? std::move(*fault) : ManifestError(std::move(error))});
  };
  if (manifest->references == nullptr) {
    Expected<Placement> placement = PlaceOrRefuse(*manifest);
    if (!placement) return unplaced(std::move(placement.error()));
    return Resolved{manifest, std::move(*placement)};
  }
  auto resolved = Resolve(
      *manifest, kind->schema(), [this](const std::string& name) { return KnowsName(name); },
      [this](const std::string& name) { return OutputsOf(name); });
  if (!resolved) return tl::unexpected(Unplaced{std::move(resolved.error()), PlaceOf(*manifest)});
  Expected<Placement> placement = PlaceOrRefuse(**resolved);
  if (!placement) return unplaced(std::move(placement.error()));
  return Resolved{std::move(*resolved), std::move(*placement)};
}

/// A protected binding is neither deleted nor replaced; a change of target or role is a
/// replacement.
Expected<Placement> Catalog::PlaceOrRefuse(const Manifest& manifest) const {
  const auto found = resources_.find(manifest.name);
  const ResourceEntry* before =
      found != resources_.end() && found->second.accepted ? &found->second : nullptr;
  if (before != nullptr && !placed_otherwise_ && before->manifest->digest == manifest.digest &&
      !before->unreadable) {
    Placement same = before->placement();
    same.grants = before->grants;
    return same;
  }
  Expected<Placement> placement = Place(manifest);
  if (!placement || before == nullptr || before->is_lookup()) return placement;
  if (!before->options().protect) return placement;
  if (*before->target == placement->target && before->role.str() == placement->role) {
    return placement;
  }
  return Fail(Code::kFailedPrecondition,
              "it is protected (options.protect), so that role \"" + before->role.str() +
                  "\" on \"" + before->target->name +
                  "\" cannot be replaced: take options.protect out first, in a change of its own");
}

/// Those that never came into force and are in no file any more leave without a trace.
void Catalog::DropUnaccepted(const AdmissionResult& result, ScanOutcome& outcome) {
  std::set<std::string> gone = unaccepted_;
  for (const Rejected& rejected : result.rejected) gone.erase(rejected.name);
  for (const std::string& name : gone) Forget(name, outcome.change);
}

}  // namespace bindery
