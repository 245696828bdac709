// How a scan of the directory comes into force.

#include <algorithm>
#include <utility>

#include "controller/catalog.h"
#include "controller/options_text.h"
#include "core/in_shares.h"

namespace bindery {
namespace {

ManifestProblemRecord ProblemRecordOf(const Problem& problem) {
  return {problem.file,
          problem.line,
          problem.column,
          problem.path,
          problem.severity == ProblemSeverity::kError ? "error" : "warning",
          problem.code,
          problem.message,
          problem.resource};
}

bool SayTheSame(const Manifest& a, const Manifest& b) {
  return a.spec == b.spec && a.options == b.options && a.labels == b.labels &&
         a.annotations == b.annotations && *a.token == *b.token;
}

Event Happened(const Now& now, EventType type, std::string what, const ResourceEntry& entry,
               std::string message) {
  return {now.wall,
          type,
          std::move(what),
          entry.name,
          entry.target.empty() ? std::string() : entry.target->name,
          std::move(message),
          "bindery"};
}

}  // namespace

ScanOutcome Catalog::ApplyScan(const ScanInput& scan, const Now& now, bool all_wait) {
  ScanOutcome outcome;
  outcome.declared_before = DeclaredGrants();
  changed_.clear();
  NoteTemplates(scan);
  NoteProjects(scan);
  TakeFormerNames(scan, now, outcome);
  std::optional<AdmissionResult> edit = AdmitEdit(scan);
  AdmissionResult result = edit ? std::move(*edit) : AdmitAll(scan);
  const bool first = !std::exchange(scanned_, true);
  const bool all = unknown_content_ != result.unknown_content;
  unknown_content_ = result.unknown_content;
  if (first && !all) {
    for (const auto& [name, entry] : resources_) {
      if (entry.leaving()) changed_.insert(entry.target);
    }
  }
  if (!scan.again) NoteMissed(result);
  BringIntoForce(result, scan.again, now, outcome);
  sound_ = result.rejected.empty() && result.frozen.empty() && result.contested.empty() &&
           !result.unknown_content && scan.broken_files.empty();
  placed_otherwise_ = false;
  awaits_forget_ =
      std::any_of(result.rejected.begin(), result.rejected.end(),
                  [](const Rejected& rejected) { return rejected.reason == reason::kProtected; });
  RememberFiles(scan, outcome.change);
  for (const Rejected& rejected : result.rejected) {
    outcome.change.forget_files.push_back(rejected.source.file);
  }
  outcome.conflicts = std::move(result.problems);
  outcome.changed_targets = all && !all_wait ? AllTargets() : TakeChanged();
  RecordScan(scan, now, outcome);
  return outcome;
}

/// The keys of all targets, to be checked whatever is known of them.
std::vector<TargetKey> Catalog::AllTargets() {
  changed_.clear();
  std::vector<TargetKey> keys;
  keys.reserve(targets_.size());
  for (auto& [key, target] : targets_) {
    keys.push_back(key);
    target.confirmed_body = {};
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// The same of those the scan touches.
std::vector<TargetKey> Catalog::TakeChanged() {
  std::vector<TargetKey> keys;
  keys.reserve(changed_.size());
  for (auto key = changed_.begin(); key != changed_.end(); key = changed_.begin()) {
    keys.push_back(std::move(changed_.extract(key).value()));
    if (TargetEntry* target = FindTarget(keys.back()); target != nullptr) {
      target->confirmed_body = {};
    }
  }
  return keys;
}

void Catalog::BringIntoForce(const AdmissionResult& result, bool again, const Now& now,
                             ScanOutcome& outcome) {
  if (!again) missing_once_.clear();
  MoveClaims(result, now);
  for (const Admitted& admitted : result.accepted) Accept(admitted, now, outcome);
  // Apart from what stays: a hundred thousand records among the entries would leave holes that no
  // other use fits.
  const auto news = std::exchange(news_, {});
  const auto told = [&](std::size_t i) {
    const auto& [entry, told_before] = news[i];
    return Happened(now, EventType::kNormal, told_before ? "ManifestChanged" : "ManifestAccepted",
                    *entry, "declared in " + entry->source().Text());
  };
  AppendInShares(news.size(), told, outcome.change.events);
  for (const Rejected& rejected : result.rejected) NoteRejected(rejected, now, outcome);
  if (!again) {
    for (const std::string& name : result.missing) NoteMissing(name, now, outcome);
  }
  for (const std::string& name : result.frozen) {
    NoteFrozen(name, StatusOfFrozen(name, result), now, outcome);
  }
  DropUnaccepted(result, outcome);
  ForgetGoneLookups(outcome);
  SetContested(result.contested);
  NoteNeeds();
  HoldBackDependents();
  const auto dirty = std::exchange(dirty_, {});
  for (ResourceEntry* entry : dirty) entry->dirty = false;
  AppendInShares(
      dirty.size(), [&](std::size_t i) { return SnapshotOf(*dirty[i]); },
      outcome.change.upsert_snapshots);
}

void Catalog::RecordScan(const ScanInput& scan, const Now& now, ScanOutcome& outcome) {
  std::vector<ManifestProblemRecord> problems;
  for (const Problem& problem : scan.problems) problems.push_back(ProblemRecordOf(problem));
  for (const Problem& problem : outcome.conflicts) problems.push_back(ProblemRecordOf(problem));
  generation_ = {};
  generation_.time = now.wall;
  generation_.digest = scan.digest;
  generation_.files = static_cast<std::int64_t>(scan.files.size());
  generation_.manifests = static_cast<std::int64_t>(scan.manifests);
  generation_.problems = static_cast<std::int64_t>(problems.size());
  outcome.change.generation = LastGeneration();
  outcome.change.problems = std::move(problems);
}

/// Its record goes with the change of the scan under way.
void Catalog::MarkDirty(ResourceEntry& entry) {
  if (!std::exchange(entry.dirty, true)) dirty_.push_back(&entry);
}

void Catalog::Accept(const Admitted& admitted, const Now& now, ScanOutcome& outcome) {
  const Manifest& manifest = *admitted.manifest;
  const Kind* kind = kinds_.Find(*manifest.token);
  if (kind->schema().preview) {
    const std::string& version = manifest.token->api_version;
    const std::string package = version.substr(0, version.find(':'));
    if (previews_seen_.insert(package).second) outcome.previews.push_back(package);
  }
  const bool succeeds = TakeOver(manifest.name, admitted.placement, outcome);
  ResourceEntry& entry = EntryOf(manifest.name);
  const bool known = entry.accepted;
  const bool same_digest = known && entry.manifest->digest == manifest.digest;
  // Another version may have made digests in another way: what it says has not changed by that.
  const bool same_content =
      same_digest || (known && placed_otherwise_ && SayTheSame(*entry.manifest, manifest));
  const bool same =
      same_content && !entry.rejected && entry.missing_scans == 0 && entry.IsAt(admitted.placement);
  const bool same_source = known && entry.source() == manifest.source;
  // Of the same text a newer reading: the older one need not be kept besides.
  entry.manifest = admitted.manifest;
  NoteLinked(manifest);
  if (same && same_source) {
    if (!same_digest) MarkDirty(entry);
    return;
  }

  const bool told_before = entry.generation > 0;
  if (known) declared_grants_ -= entry.grants;
  entry.kind = kind;
  entry.settled = entry.settled && same_content && entry.IsAt(admitted.placement);
  PutAt(entry, admitted.placement);
  declared_grants_ += entry.grants;
  if (!same_content || entry.age.absent) NoteChanged(entry, !known && !succeeds);
  entry.accepted = true;
  unaccepted_.erase(entry.name);
  entry.missing_scans = 0;
  entry.rejected.reset();
  entry.unreadable = false;
  if (!same_content) {
    ++entry.generation;
    news_.emplace_back(&entry, told_before);
  }
  if (!same) {
    entry.status = SharedStatus::Waiting();
    entry.status_since = now.wall;
    changed_.insert(entry.target);
  }
  Attach(entry);
  times_.Put(entry.name, manifest.spec, WallTime::min());
  MarkDirty(entry);
}

/// First all manifests that name another target or role than before give up what they held: two of
/// them may exchange their claims.
void Catalog::MoveClaims(const AdmissionResult& result, const Now& now) {
  std::size_t moved_by_settings = 0;
  for (const Admitted& admitted : result.accepted) {
    const auto found = resources_.find(admitted.manifest->name);
    if (found == resources_.end() || !found->second.accepted) continue;
    const ResourceEntry& before = found->second;
    const bool moved =
        *before.target != admitted.placement.target || before.role.str() != admitted.placement.role;
    if (!moved) continue;
    if (placed_otherwise_ && SayTheSame(*before.manifest, *admitted.manifest)) ++moved_by_settings;
    Replace(admitted.manifest->name, now);
    // Where it goes nothing was done yet, and what it is to adopt there was not looked at.
    found->second.untouched = true;
    found->second.came_true = false;
    if (admitted.manifest->options.uncommon().import_id.empty()) continue;
    found->second.observed_generation = 0;
  }
  evidence_.Moved(moved_by_settings);
}

/// The manifest now names another target or role. What it held before goes the way of a deleted
/// manifest, under a name no manifest can have, so that a restart in between forgets nothing.
void Catalog::Replace(const std::string& name, const Now& now) {
  ResourceEntry& before = resources_.at(name);
  ResourceEntry leaving = before;
  leaving.name = name + std::string(kFormerClaim) + std::to_string(before.generation + 1) + ")";
  auto former = std::make_shared<Manifest>(*before.manifest);
  former->name = leaving.name;
  leaving.manifest = std::move(former);
  leaving.missing_scans = 2;
  leaving.age.absent = false;
  NoteAbsent(leaving);
  leaving.rejected.reset();
  leaving.status = LeavingStatus(leaving);
  leaving.status_since = now.wall;
  const TargetKey key = leaving.target;
  targets_.at(key).Erase(name);
  // In the store the claim must be free before another record takes it. What it grants is counted
  // with the claim it leaves behind.
  before.accepted = false;
  unaccepted_.insert(name);
  MarkDirty(before);
  changed_.insert(key);
  ResourceEntry& stored = resources_[leaving.name] = std::move(leaving);
  stored.dirty = false;
  former_claims_.insert(stored.name);
  Attach(stored);
  MarkDirty(stored);
  if (stored.is_lookup()) gone_lookups_.push_back(stored.name);
}

/// Whoever declared this claim before and is gone now has a successor: nothing is taken away. A
/// manifest that was renamed stays suspended where an operator suspended it. True when there was
/// one.
bool Catalog::TakeOver(const std::string& name, const Placement& placement, ScanOutcome& outcome) {
  TargetEntry* target = FindTarget(placement.target);
  if (target == nullptr) return false;
  std::vector<std::string> predecessors;
  bool suspended = false;
  for (const ResourceEntry* other : target->resources) {
    if (other->name == name || other->role.str() != placement.role) continue;
    predecessors.push_back(other->name);
    const bool former = other->name.find(kFormerClaim) != std::string::npos;
    suspended = suspended || (other->suspended_by_operator && !former);
  }
  if (predecessors.empty()) return false;
  const bool is_new = !resources_.contains(name);
  ResourceEntry& successor = EntryOf(name);
  if (suspended && is_new) successor.suspended_by_operator = true;
  for (const std::string& predecessor : predecessors) {
    successor.untouched = successor.untouched && resources_.at(predecessor).untouched;
  }
  // An operator's word was for what it declared before.
  successor.age.urgent = false;
  // The successor joins first: the target must not go with its only resource, history and all.
  target->Insert(successor);
  if (successor.manifest == nullptr) successor.manifest = std::make_shared<const Manifest>();
  for (const std::string& predecessor : predecessors) Forget(predecessor, outcome.change);
  return true;
}

void Catalog::NoteRejected(const Rejected& rejected, const Now& now, ScanOutcome& outcome) {
  ResourceEntry& entry = EntryOf(rejected.name);
  if (!entry.accepted) unaccepted_.insert(entry.name);
  const SharedStatus status(ResourceStatus{rejected.state, rejected.reason, rejected.message});
  const bool was_missing = std::exchange(entry.missing_scans, 0) > 0;
  if (!entry.accepted && rejected.manifest != nullptr) {
    if (entry.manifest && entry.manifest->digest != rejected.manifest->digest) MarkDirty(entry);
    PutAt(entry, rejected.placement.value_or(Placement{}));
    entry.manifest = rejected.manifest;
    entry.kind = kinds_.Find(*rejected.manifest->token);
    NoteLinked(*rejected.manifest);
  } else if (!entry.accepted) {
    Manifest stub;
    if (entry.manifest != nullptr) stub = *entry.manifest;
    stub.name = rejected.name;
    stub.source = rejected.source;
    entry.manifest = std::make_shared<const Manifest>(std::move(stub));
  }
  // It may have been on its way out: then that ends here.
  if (was_missing && entry.accepted) changed_.insert(entry.target);
  const bool news = !(entry.status == status);
  entry.rejected = std::make_shared<const SharedStatus>(status);
  entry.status = status;
  if (!news && !was_missing) return;
  if (news) entry.status_since = now.wall;
  MarkDirty(entry);
  if (!news) return;
  const bool waits = rejected.state == ResourceState::kReconciling;
  outcome.change.events.push_back(Happened(now, waits ? EventType::kNormal : EventType::kWarning,
                                           rejected.reason, entry, rejected.message));
}

void Catalog::NoteMissing(const std::string& name, const Now& now, ScanOutcome& outcome) {
  const auto found = resources_.find(name);
  // A successor has taken its claim over already.
  if (found == resources_.end()) return;
  ResourceEntry& entry = found->second;
  const TargetKey key = entry.target;
  // Its status spoke of a manifest that is no more.
  if (std::exchange(entry.rejected, nullptr)) changed_.insert(key);
  ++entry.missing_scans;
  NoteAbsent(entry);
  if (entry.missing_scans == 1) entry.age.last = evidence_.look();
  if (entry.missing_scans < 2) {
    outcome.confirm = true;
    missing_once_.insert(name);
    MarkDirty(entry);
    return;
  }
  changed_.insert(key);
  entry.age.answered = 0;  // What it declares was no part of what an operator was shown.
  entry.status = LeavingStatus(entry);
  entry.status_since = now.wall;
  MarkDirty(entry);
  outcome.change.events.push_back(
      Happened(now, EventType::kNormal, "ManifestRemoved", entry, TextOfLeaving(entry, now)));
  if (entry.is_lookup()) gone_lookups_.push_back(name);
  ForgetRetained(key, outcome.change);
}

void Catalog::NoteFrozen(const std::string& name, const ResourceStatus& why, const Now& now,
                         ScanOutcome& outcome) {
  ResourceEntry& entry = resources_.at(name);
  const bool was_missing = std::exchange(entry.missing_scans, 0) > 0;
  const SharedStatus status(why);
  NoteAbsent(entry);
  // What was left alone, or taken away, is to be as declared again.
  if (was_missing) changed_.insert(entry.target);
  entry.rejected = std::make_shared<const SharedStatus>(status);
  const bool news = !(entry.status == status);
  if (!news && !was_missing) return;
  entry.status = status;
  if (news) entry.status_since = now.wall;
  MarkDirty(entry);
  if (!news) return;
  outcome.change.events.push_back(
      Happened(now, EventType::kWarning, std::string(why.reason), entry, status->message));
}

/// They granted nothing, so there is nothing to take away first.
void Catalog::ForgetGoneLookups(ScanOutcome& outcome) {
  for (const std::string& name : std::exchange(gone_lookups_, {})) Forget(name, outcome.change);
}

void Catalog::SetContested(const std::vector<Placement>& contested) {
  std::map<TargetKey, std::set<std::string>> by_target;
  for (const Placement& placement : contested) {
    by_target[KeyOf(placement.target)].insert(placement.role);
  }
  for (const TargetKey& key : contested_on_) by_target.try_emplace(key);
  contested_on_.clear();
  for (auto& [key, roles] : by_target) {
    TargetEntry* target = FindTarget(key);
    if (target == nullptr) continue;
    if (!roles.empty()) contested_on_.insert(key);
    const bool same = std::equal(roles.begin(), roles.end(), target->contested->begin(),
                                 target->contested->end());
    if (same) continue;
    target->contested.Set({roles.begin(), roles.end()});
    changed_.insert(key);
  }
}

}  // namespace bindery
