// How a scan of the directory comes into force.

#include <algorithm>
#include <utility>

#include "controller/catalog.h"
#include "controller/options_text.h"

namespace bindery {
namespace {

std::string MapText(const std::map<std::string, std::string>& map) {
  return CanonicalJson(Json(map));
}

ManifestProblemRecord RecordOf(const Problem& problem) {
  return {problem.file,
          problem.line,
          problem.column,
          problem.path,
          problem.severity == ProblemSeverity::kError ? "error" : "warning",
          problem.code,
          problem.message,
          problem.resource};
}

/// Fills in what comes from the manifest itself.
void CopyManifest(const Manifest& manifest, const Placement& placement, ResourceRecord& record) {
  record.name = manifest.name;
  record.token = manifest.token;
  record.target = placement.target;
  record.provider = placement.provider;
  record.role = placement.role;
  record.spec = manifest.spec;
  record.options = OptionsText(manifest.options);
  record.labels = MapText(manifest.labels);
  record.annotations = MapText(manifest.annotations);
  record.digest = manifest.digest;
  record.source_file = manifest.source.file;
  record.source_line = manifest.source.line;
}

Event Happened(const Now& now, EventType type, const char* what, const ResourceRecord& record,
               std::string message) {
  return {now.wall, type, what, record.name, record.target.name, std::move(message), "bindery"};
}

}  // namespace

AdmissionInput Catalog::InputOf(const ScanInput& scan) const {
  AdmissionInput input{scan.manifests, scan.problems, scan.broken_files, {}};
  for (const auto& [name, entry] : resources_) {
    if (!entry.record.accepted || entry.leaving()) continue;
    input.in_force.push_back({name,
                              {entry.record.source_file, entry.record.source_line},
                              {entry.record.target, entry.record.provider, entry.record.role}});
  }
  return input;
}

/// A protected binding is neither deleted nor replaced; a change of target or role is a
/// replacement.
Expected<Placement> Catalog::PlaceOrRefuse(const Manifest& manifest) const {
  Expected<Placement> placement = Place(manifest);
  if (!placement) return placement;
  const auto found = resources_.find(manifest.name);
  if (found == resources_.end()) return placement;
  const ResourceRecord& before = found->second.record;
  const bool moved = before.target != placement->target || before.role != placement->role;
  if (!before.accepted || !moved || !found->second.options.protect) return placement;
  return Fail(Code::kFailedPrecondition,
              "it is protected (options.protect), so that role \"" + before.role + "\" on \"" +
                  before.target.name +
                  "\" cannot be replaced: take options.protect out first, in a change of its own");
}

ScanOutcome Catalog::ApplyScan(const ScanInput& scan, const Now& now) {
  ScanOutcome outcome;
  outcome.declared_before = DeclaredGrants();
  changed_.clear();
  AdmissionResult result =
      Admit(InputOf(scan), [this](const Manifest& manifest) { return PlaceOrRefuse(manifest); });
  if (!scanned_) {
    scanned_ = true;
    for (const auto& [name, entry] : resources_) {
      if (entry.leaving()) changed_.insert(entry.record.target.Key());
    }
  }
  if (unknown_content_ != result.unknown_content) {
    unknown_content_ = result.unknown_content;
    for (const auto& [key, target] : targets_) changed_.insert(key);
  }
  MoveClaims(result, now, outcome);
  for (const Admitted& admitted : result.accepted) Accept(admitted, now, outcome);
  for (const Rejected& rejected : result.rejected) NoteRejected(rejected, now, outcome);
  for (const std::string& name : result.missing) NoteMissing(name, now, outcome);
  for (const std::string& name : result.frozen) NoteFrozen(name, now, outcome);
  DropUnaccepted(result, outcome);
  SetContested(result.contested, changed_);

  outcome.conflicts = std::move(result.problems);
  outcome.changed_targets.assign(changed_.begin(), changed_.end());
  GenerationRecord generation;
  generation.time = now.wall;
  generation.digest = scan.digest;
  generation.files = scan.files;
  generation.manifests = static_cast<std::int64_t>(scan.manifests.size());
  std::vector<ManifestProblemRecord> problems;
  for (const Problem& problem : scan.problems) problems.push_back(RecordOf(problem));
  for (const Problem& problem : outcome.conflicts) problems.push_back(RecordOf(problem));
  generation.problems = static_cast<std::int64_t>(problems.size());
  outcome.change.generation = generation;
  outcome.change.problems = std::move(problems);
  return outcome;
}

void Catalog::Accept(const Admitted& admitted, const Now& now, ScanOutcome& outcome) {
  const Manifest& manifest = *admitted.manifest;
  const Kind* kind = kinds_.Find(manifest.token);
  const std::string package =
      manifest.token.api_version.substr(0, manifest.token.api_version.find(':'));
  if (kind->schema().preview && previews_seen_.insert(package).second) {
    outcome.previews.push_back(package);
  }
  TakeOver(manifest.name, admitted.placement, outcome);
  const auto existing = resources_.find(manifest.name);
  const bool known = existing != resources_.end() && existing->second.record.accepted;
  ResourceEntry& entry = resources_[manifest.name];
  const bool same = known && entry.record.digest == manifest.digest && !entry.rejected &&
                    entry.record.missing_scans == 0 &&
                    entry.record.target == admitted.placement.target &&
                    entry.record.provider == admitted.placement.provider &&
                    entry.record.role == admitted.placement.role;
  const bool same_source = entry.record.source_file == manifest.source.file &&
                           entry.record.source_line == manifest.source.line;
  if (same && same_source) return;

  const bool changed = !known || entry.record.digest != manifest.digest;
  const bool told_before = entry.record.generation > 0;
  CopyManifest(manifest, admitted.placement, entry.record);
  entry.kind = kind;
  entry.options = manifest.options;
  const Expected<Json> spec = ParseJson(manifest.spec);
  const auto project = settings_.projects.find(admitted.placement.provider);
  const Expected<Declaration> declared =
      kind->Declare(spec ? *spec : Json::object(),
                    project == settings_.projects.end() ? std::string() : project->second);
  if (declared) entry.declaration = *declared;
  entry.record.accepted = true;
  entry.record.missing_scans = 0;
  entry.rejected.reset();
  entry.unreadable = false;
  if (changed) {
    ++entry.record.generation;
    outcome.change.events.push_back(
        Happened(now, EventType::kNormal, told_before ? "ManifestChanged" : "ManifestAccepted",
                 entry.record, "declared in " + manifest.source.Text()));
  }
  if (!same) {
    entry.record.status = {ResourceState::kReconciling, std::string(reason::kProgressing),
                           "waiting for the next check of its target"};
    entry.record.status_since = now.wall;
    changed_.insert(admitted.placement.target.Key());
  }
  outcome.change.upsert_resources.push_back(entry.record);
  Attach(entry);
}

/// First all manifests that name another target or role than before give up what they held: two of
/// them may exchange their claims.
void Catalog::MoveClaims(const AdmissionResult& result, const Now& now, ScanOutcome& outcome) {
  for (const Admitted& admitted : result.accepted) {
    const auto found = resources_.find(admitted.manifest->name);
    if (found == resources_.end() || !found->second.record.accepted) continue;
    const ResourceRecord& before = found->second.record;
    if (before.target != admitted.placement.target || before.role != admitted.placement.role) {
      Replace(admitted.manifest->name, now, outcome);
    }
  }
}

/// The manifest now names another target or role. What it held before goes the way of a deleted
/// manifest, under a name no manifest can have, so that a restart in between forgets nothing.
void Catalog::Replace(const std::string& name, const Now& now, ScanOutcome& outcome) {
  ResourceEntry& before = resources_.at(name);
  ResourceEntry leaving = before;
  leaving.record.name =
      name + std::string(kFormerClaim) + std::to_string(before.record.generation + 1) + ")";
  leaving.record.missing_scans = 2;
  leaving.rejected.reset();
  leaving.record.status = LeavingStatus(leaving);
  leaving.record.status_since = now.wall;
  // In the store the claim must be free before another record takes it.
  before.record.accepted = false;
  outcome.change.upsert_resources.push_back(before.record);
  outcome.change.upsert_resources.push_back(leaving.record);
  const std::string key = leaving.record.target.Key();
  changed_.insert(key);
  ResourceEntry& stored = resources_[leaving.record.name] = std::move(leaving);
  Attach(stored);
  targets_.at(key).resources.erase(name);
}

/// Whoever declared this claim before and is gone now has a successor: nothing is taken away. A
/// manifest that was renamed stays suspended where an operator suspended it.
void Catalog::TakeOver(const std::string& name, const Placement& placement, ScanOutcome& outcome) {
  TargetEntry* target = FindTarget(placement.target.Key());
  if (target == nullptr) return;
  std::vector<std::string> predecessors;
  bool suspended = false;
  for (const std::string& other : target->resources) {
    const ResourceEntry& entry = resources_.at(other);
    if (other == name || entry.record.role != placement.role) continue;
    predecessors.push_back(other);
    const bool former = other.find(kFormerClaim) != std::string::npos;
    suspended = suspended || (entry.record.suspended && !former);
  }
  if (predecessors.empty()) return;
  if (suspended && !resources_.contains(name)) resources_[name].record.suspended = true;
  // The successor joins first: the target must not go with its only resource, history and all.
  target->resources.insert(name);
  resources_[name];
  for (const std::string& predecessor : predecessors) Forget(predecessor, outcome.change);
}

void Catalog::NoteRejected(const Rejected& rejected, const Now& now, ScanOutcome& outcome) {
  ResourceEntry& entry = resources_[rejected.name];
  const ResourceStatus status{ResourceState::kStalled, rejected.reason, rejected.message};
  const bool was_missing = std::exchange(entry.record.missing_scans, 0) > 0;
  if (!entry.record.accepted) {
    entry.record.name = rejected.name;
    entry.record.source_file = rejected.source.file;
    entry.record.source_line = rejected.source.line;
    if (rejected.manifest != nullptr) {
      const Placement placement = rejected.placement.value_or(Placement{});
      CopyManifest(*rejected.manifest, placement, entry.record);
      entry.kind = kinds_.Find(rejected.manifest->token);
    }
  }
  // It may have been on its way out: then that ends here.
  if (was_missing && entry.record.accepted) changed_.insert(entry.record.target.Key());
  const bool news = !(entry.record.status == status);
  entry.rejected = status;
  entry.record.status = status;
  if (!news && !was_missing) return;
  if (news) entry.record.status_since = now.wall;
  outcome.change.upsert_resources.push_back(entry.record);
  if (!news) return;
  outcome.change.events.push_back(
      Happened(now, EventType::kWarning, rejected.reason.c_str(), entry.record, rejected.message));
}

void Catalog::NoteMissing(const std::string& name, const Now& now, ScanOutcome& outcome) {
  const auto found = resources_.find(name);
  // A successor has taken its claim over already.
  if (found == resources_.end()) return;
  ResourceEntry& entry = found->second;
  // Its status spoke of a manifest that is no more.
  if (std::exchange(entry.rejected, std::nullopt)) changed_.insert(entry.record.target.Key());
  ++entry.record.missing_scans;
  if (entry.record.missing_scans < 2) {
    outcome.confirm = true;
    outcome.change.upsert_resources.push_back(entry.record);
    return;
  }
  changed_.insert(entry.record.target.Key());
  entry.record.status = LeavingStatus(entry);
  entry.record.status_since = now.wall;
  outcome.change.upsert_resources.push_back(entry.record);
  outcome.change.events.push_back(Happened(now, EventType::kNormal, "ManifestRemoved", entry.record,
                                           entry.record.status.message));
  ForgetRetained(entry.record.target.Key(), outcome.change);
}

void Catalog::NoteFrozen(const std::string& name, const Now& now, ScanOutcome& outcome) {
  ResourceEntry& entry = resources_.at(name);
  const bool was_missing = std::exchange(entry.record.missing_scans, 0) > 0;
  const ResourceStatus status{
      ResourceState::kStalled, std::string(reason::kManifestInvalid),
      "\"" + entry.record.source_file +
          "\" cannot be read in full: its last good manifest stays in force"};
  entry.rejected = status;
  const bool news = !(entry.record.status == status);
  if (!news && !was_missing) return;
  entry.record.status = status;
  if (news) entry.record.status_since = now.wall;
  outcome.change.upsert_resources.push_back(entry.record);
  if (!news) return;
  outcome.change.events.push_back(Happened(now, EventType::kWarning,
                                           std::string(reason::kManifestInvalid).c_str(),
                                           entry.record, status.message));
}

/// Those that never came into force and are in no file any more leave without a trace.
void Catalog::DropUnaccepted(const AdmissionResult& result, ScanOutcome& outcome) {
  std::set<std::string> seen;
  for (const Rejected& rejected : result.rejected) seen.insert(rejected.name);
  std::vector<std::string> gone;
  for (const auto& [name, entry] : resources_) {
    if (!entry.record.accepted && !seen.contains(name)) gone.push_back(name);
  }
  for (const std::string& name : gone) Forget(name, outcome.change);
}

void Catalog::SetContested(const std::vector<Placement>& contested,
                           std::set<std::string>& changed) {
  std::map<std::string, std::set<std::string>> by_target;
  for (const Placement& placement : contested) {
    by_target[placement.target.Key()].insert(placement.role);
  }
  for (auto& [key, target] : targets_) {
    const auto found = by_target.find(key);
    std::set<std::string> roles =
        found == by_target.end() ? std::set<std::string>{} : found->second;
    if (roles == target.contested) continue;
    target.contested = std::move(roles);
    changed.insert(key);
  }
}

}  // namespace bindery
