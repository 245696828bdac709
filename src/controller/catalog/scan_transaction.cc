#include "controller/catalog/scan_transaction.h"

#include <algorithm>
#include <map>

#include "controller/claims/claim_status.h"
#include "controller/claims/forget_resource.h"
#include "controller/claims/held_back.h"
#include "controller/claims/resource_record.h"
#include "controller/claims/status_code.h"
#include "controller/placing/given_up.h"
#include "core/base/parallel_for.h"

namespace bindery::controller {
namespace {

Event Happened(const Now& now, EventType type, std::string what, const ResourceEntry& entry,
               std::string message) {
  return {now.wall,
          type,
          std::move(what),
          entry.name,
          entry.place.target.empty() ? std::string() : entry.place.target->name,
          std::move(message),
          "bindery"};
}

/// The outcome of the granted access, as far as the directory decides.
std::string LeavingText(const ResourceEntry& entry, const RemovalEvidence& evidence,
                        const Now& now) {
  const ResourceStatus& status = *entry.standing.status;
  const bool goes = GetCode(status.reason) == StatusCode::kDeleting && !entry.is_lookup() &&
                    !entry.progress.untouched;
  const EvidenceVerdict verdict = evidence.Judge(entry.evidence.age, now);
  if (!goes || verdict.answer == EvidenceAnswer::kYes) return status.message;
  return "its manifest is gone; what it granted waits to be removed: " + verdict.why;
}

/// `holder`: the manifest that may declare the former grants, in words.
ResourceStatus HeldBackStatus(const std::string& holder) {
  return {ResourceState::kStalled, std::string(reason::kRemovalBlocked),
          "its manifest is gone, but " + holder +
              ": it may declare what this one granted, which stays"};
}

/// The recorded state of a manifest that is not in force differs from its present text or place.
bool IsDeclaredOtherwise(const ResourceEntry& entry, const admission::Rejected& rejected) {
  const manifests::Manifest* now = rejected.manifest.get();
  if (entry.manifest == nullptr) return false;
  if (now == nullptr) return !(entry.source() == rejected.source);
  return entry.manifest->digest != now->digest || !(entry.source() == now->source);
}

/// What one of several manifests of a name declares is not removed while none of them is in force.
void NoteTwins(const admission::AdmissionResult& result, Claims& claims) {
  std::map<std::string, std::vector<std::shared_ptr<const manifests::Manifest>>> twins;
  for (const admission::Rejected& rejected : result.rejected) {
    auto& manifests = twins[rejected.name];
    const bool has_twins = GetCode(rejected.reason) == StatusCode::kDuplicateName;
    if (has_twins && rejected.manifest != nullptr) manifests.push_back(rejected.manifest);
  }
  for (auto& [name, manifests] : twins) {
    ResourceEntry* entry = claims.FindResource(name);
    if (entry != nullptr) entry->standing.twins.Set(std::move(manifests));
  }
}

}  // namespace

ScanTransaction::ScanTransaction(const Parts& parts, const ScanInput& scan, const Now& now)
    : parts_(parts), scan_(scan), now_(now) {
  outcome_.declared_before = parts_.claims.DeclaredGrants();
}

void ScanTransaction::BringIntoForce(const admission::AdmissionResult& result) {
  NoteScanned(result.unknown_content);
  if (!scan_.again) {
    parts_.ages.NoteMissing(result.missing);
    parts_.state.missing_once.clear();
  }
  MoveClaims(result);
  for (const admission::Admitted& admitted : result.accepted) Accept(admitted);
  TellAccepted();
  NoteTwins(result, parts_.claims);
  for (const admission::Rejected& rejected : result.rejected) NoteRejected(rejected);
  for (const std::string& name : result.missing) {
    // The last scan once more misses only what something might have held when it was taken first.
    const ResourceEntry* entry = scan_.again ? parts_.claims.FindResource(name) : nullptr;
    if (!scan_.again || (entry != nullptr && entry->evidence.missing_scans == 0)) NoteMissing(name);
  }
  for (const std::string& name : result.frozen) NoteFrozen(name, result);
  HoldBack(result);
  DropUnaccepted(result);
  // Lookups granted nothing, so they have no removals.
  for (const std::string& name : std::exchange(gone_lookups_, {})) Forget(name);
  SetContested(result.contested);
  parts_.links.Relink();
  HoldBackDependents();
  RecordDirty();
  ScanState& state = parts_.state;
  state.sound = result.rejected.empty() && result.frozen.empty() && result.contested.empty() &&
                !result.unknown_content && scan_.broken_files.empty();
  state.placed_otherwise = false;
  state.awaits_forget = std::any_of(result.rejected.begin(), result.rejected.end(),
                                    [](const admission::Rejected& rejected) {
                                      return GetCode(rejected.reason) == StatusCode::kProtected;
                                    });
}

/// The first scan makes waiting targets due; so does a scan that changes whether everything was
/// read.
void ScanTransaction::NoteScanned(bool unknown_content) {
  const bool first = !std::exchange(parts_.state.scanned, true);
  check_all_ = std::exchange(parts_.state.unknown_content, unknown_content) != unknown_content;
  if (!first || check_all_) return;
  for (const auto& [name, entry] : std::as_const(parts_.claims).resources()) {
    if (entry.leaving()) changed_.insert(entry.place.target);
  }
}

ScanOutcome ScanTransaction::Finish(bool all_wait) {
  outcome_.changed_targets = check_all_ && !all_wait ? AllTargets() : ChangedTargets();
  return std::move(outcome_);
}

/// The keys of all targets, to be checked whatever is known of them.
std::vector<TargetKey> ScanTransaction::AllTargets() {
  std::vector<TargetKey> keys;
  keys.reserve(parts_.claims.targets().size());
  for (auto& [key, target] : parts_.claims.targets()) {
    keys.push_back(key);
    target.last_synced_digest = {};
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// The same for the claims touched by the scan.
std::vector<TargetKey> ScanTransaction::ChangedTargets() {
  std::vector<TargetKey> keys;
  keys.reserve(changed_.size());
  for (auto key = changed_.begin(); key != changed_.end(); key = changed_.begin()) {
    keys.push_back(std::move(changed_.extract(key).value()));
    if (TargetEntry* target = parts_.claims.FindTarget(keys.back()); target != nullptr) {
      target->last_synced_digest = {};
    }
  }
  return keys;
}

/// Its record goes with the change of the scan.
void ScanTransaction::MarkDirty(ResourceEntry& entry) {
  if (!std::exchange(entry.dirty, true)) dirty_.push_back(&entry);
}

void ScanTransaction::RecordDirty() {
  const auto dirty = std::exchange(dirty_, {});
  for (ResourceEntry* entry : dirty) entry->dirty = false;
  AppendInShares(
      dirty.size(), [&](std::size_t i) { return MakeSnapshot(parts_.claims, *dirty[i]); },
      outcome_.change.upsert_snapshots);
}

void ScanTransaction::Tell(EventType type, std::string what, const ResourceEntry& entry,
                           std::string message) {
  outcome_.change.events.push_back(
      Happened(now_, type, std::move(what), entry, std::move(message)));
}

/// Apart from lasting data: a hundred thousand records among the entries would leave holes that fit
/// no further use.
void ScanTransaction::TellAccepted() {
  const auto news = std::exchange(news_, {});
  const auto told = [&](std::size_t i) {
    const auto& [entry, told_before] = news[i];
    return Happened(now_, EventType::kNormal, told_before ? "ManifestChanged" : "ManifestAccepted",
                    *entry, "declared in " + entry->source().Text());
  };
  AppendInShares(news.size(), told, outcome_.change.events);
}

void ScanTransaction::Accept(const admission::Admitted& admitted) {
  const manifests::Manifest& manifest = *admitted.manifest;
  const reconcilers::Kind* kind = parts_.placer.FindKindFor(*manifest.token);
  if (kind->schema().preview || kind->schema().of_preview_package) NotePreview(*manifest.token);
  const ResourceEntry* before = parts_.claims.FindResource(manifest.name);
  const bool unchanged =
      before != nullptr && before->accepted && before->manifest->digest == manifest.digest;
  GivenUp given_up = unchanged ? GivenUp() : GivenUpBy(admitted, parts_.claims, parts_.placer);
  const bool succeeds = TakeOver(manifest.name, admitted.placement);
  ResourceEntry& entry = parts_.claims.Obtain(manifest.name);
  const bool known = entry.accepted;
  const bool same_content = known && entry.manifest->digest == manifest.digest;
  const bool same = same_content && !entry.standing.rejected && entry.evidence.missing_scans == 0 &&
                    entry.place.IsAt(admitted.placement);
  const bool same_source = known && entry.source() == manifest.source;
  // Of the same text a newer reading: the older one need not be kept besides.
  entry.manifest = admitted.manifest;
  parts_.links.NoteManifest(manifest);
  if (same && same_source) return;

  const bool told_before = entry.progress.generation > 0;
  entry.kind = kind;
  entry.progress.settled =
      entry.progress.settled && same_content && entry.place.IsAt(admitted.placement);
  if (!same_content || entry.evidence.age.absent)
    parts_.ages.NoteChanged(entry, !known && !succeeds);
  parts_.claims.Enforce(entry, admitted.placement);
  if (kind->traits().keeps_access) entry.progress.untouched = false;
  parts_.state.unaccepted.erase(entry.name);
  entry.evidence.missing_scans = 0;
  entry.standing.rejected.reset();
  entry.unreadable = false;
  if (!same_content) {
    ++entry.progress.generation;
    entry.progress.given_up.Set(std::move(given_up));
    news_.emplace_back(&entry, told_before);
  }
  if (!same) {
    entry.standing.status = SharedStatus::Waiting();
    entry.standing.since = now_.wall;
    changed_.insert(entry.place.target);
  }
  MarkDirty(entry);
}

void ScanTransaction::NotePreview(const TypeToken& token) {
  const std::string& version = token.api_version;
  const std::string package = version.substr(0, version.find(':'));
  if (parts_.state.previews_seen.insert(package).second) outcome_.previews.push_back(package);
}

/// Together with resources that are then only retained.
void ScanTransaction::Forget(const std::string& name) {
  const ResourceEntry* entry = parts_.claims.FindResource(name);
  while (entry != nullptr) {
    const TargetKey key = entry->place.target;
    const bool accepted = entry->accepted;
    if (entry->dirty) {
      const auto last = std::find(dirty_.rbegin(), dirty_.rend(), entry);
      dirty_.erase(std::next(last).base());
    }
    ForgetResource(std::string(entry->name), parts_.claims, parts_.links, parts_.state,
                   outcome_.change);
    if (accepted) changed_.insert(key);
    if (parts_.claims.FindTarget(key) == nullptr) changed_.erase(key);
    entry = OnlyRetained(parts_.claims, key);
  }
}

void ScanTransaction::NoteRejected(const admission::Rejected& rejected) {
  ResourceEntry& entry = parts_.claims.Obtain(rejected.name);
  if (!entry.accepted) parts_.state.unaccepted.insert(entry.name);
  const SharedStatus status(ResourceStatus{rejected.state, rejected.reason, rejected.message});
  const bool was_missing = std::exchange(entry.evidence.missing_scans, 0) > 0;
  if (!entry.accepted && IsDeclaredOtherwise(entry, rejected)) MarkDirty(entry);
  if (!entry.accepted && rejected.manifest != nullptr) {
    parts_.claims.PutAt(entry, rejected.placement.value_or(admission::Placement{}));
    entry.manifest = rejected.manifest;
    entry.kind = parts_.placer.FindKindFor(*rejected.manifest->token);
    parts_.links.NoteManifest(*rejected.manifest);
  } else if (!entry.accepted) {
    manifests::Manifest stub;
    if (entry.manifest != nullptr) stub = *entry.manifest;
    stub.name = rejected.name;
    stub.source = rejected.source;
    entry.manifest = std::make_shared<const manifests::Manifest>(std::move(stub));
  } else {
    parts_.links.NoteManifest(*entry.manifest);
  }
  // The resource may have been leaving: the leaving ends here.
  if (was_missing && entry.accepted) changed_.insert(entry.place.target);
  const bool news = !(entry.standing.status == status);
  entry.standing.rejected = std::make_shared<const SharedStatus>(status);
  entry.standing.status = status;
  if (!news && !was_missing) return;
  if (news) entry.standing.since = now_.wall;
  MarkDirty(entry);
  if (!news) return;
  const bool waits = rejected.state == ResourceState::kReconciling;
  Tell(waits ? EventType::kNormal : EventType::kWarning, rejected.reason, entry, rejected.message);
}

void ScanTransaction::NoteMissing(const std::string& name) {
  ResourceEntry* found = parts_.claims.FindResource(name);
  // A successor has taken its claim over already.
  if (found == nullptr) return;
  ResourceEntry& entry = *found;
  const TargetKey key = entry.place.target;
  // The status was about a manifest that is gone.
  if (std::exchange(entry.standing.rejected, nullptr)) changed_.insert(key);
  ++entry.evidence.missing_scans;
  parts_.ages.NoteAbsent(entry);
  if (entry.evidence.missing_scans == 1) entry.evidence.age.last = parts_.evidence.look();
  if (entry.evidence.missing_scans < 2) {
    outcome_.confirm = true;
    parts_.state.missing_once.insert(name);
    MarkDirty(entry);
    return;
  }
  changed_.insert(key);
  entry.evidence.age.answered = 0;  // What it declares was no part of what an operator was shown.
  entry.standing.status = LeavingStatus(entry);
  entry.standing.since = now_.wall;
  MarkDirty(entry);
  Tell(EventType::kNormal, "ManifestRemoved", entry, LeavingText(entry, parts_.evidence, now_));
  if (entry.leaves_at_once()) gone_lookups_.push_back(name);
  const ResourceEntry* retained = OnlyRetained(parts_.claims, key);
  if (retained != nullptr) Forget(retained->name);
}

void ScanTransaction::NoteFrozen(const std::string& name,
                                 const admission::AdmissionResult& result) {
  ResourceEntry& entry = *parts_.claims.FindResource(name);
  const ResourceStatus why = FrozenStatus(entry, result);
  const bool was_missing = std::exchange(entry.evidence.missing_scans, 0) > 0;
  const SharedStatus status(why);
  parts_.ages.NoteAbsent(entry);
  // What was left alone, or taken away, is to be as declared again.
  if (was_missing) changed_.insert(entry.place.target);
  entry.standing.rejected = std::make_shared<const SharedStatus>(status);
  const bool news = !(entry.standing.status == status);
  if (!news && !was_missing) return;
  entry.standing.status = status;
  if (news) entry.standing.since = now_.wall;
  MarkDirty(entry);
  if (!news) return;
  Tell(EventType::kWarning, why.reason, entry, status->message);
}

/// A deleted claim that a kept-out manifest may declare is left alone until the manifest is known.
void ScanTransaction::HoldBack(const admission::AdmissionResult& result) {
  // Where all was in force before nothing was held back.
  if (result.held.empty() && parts_.state.sound) return;
  for (auto& [name, entry] : parts_.claims.resources()) {
    const auto held = result.held.find(name);
    const bool back = held != result.held.end();
    if (!entry.leaving() || !(back || IsHeldBack(entry))) continue;
    const SharedStatus status(back ? HeldBackStatus(held->second) : LeavingStatus(entry));
    if (back == IsHeldBack(entry) && entry.standing.status == status) continue;
    entry.evidence.missing_scans = back ? kHeldBackScans : kGoneScans;
    entry.standing.rejected = back ? std::make_shared<const SharedStatus>(status) : nullptr;
    entry.standing.status = status;
    entry.standing.since = now_.wall;
    changed_.insert(entry.place.target);
    MarkDirty(entry);
    if (back) Tell(EventType::kWarning, status->reason, entry, status->message);
  }
}

/// Those that never came into force and are in no file any more leave without a trace.
void ScanTransaction::DropUnaccepted(const admission::AdmissionResult& result) {
  std::set<std::string> gone = parts_.state.unaccepted;
  for (const admission::Rejected& rejected : result.rejected) gone.erase(rejected.name);
  for (const std::string& name : gone) Forget(name);
}

void ScanTransaction::SetContested(const std::vector<admission::Placement>& contested) {
  std::map<TargetKey, std::set<std::string>> by_target;
  for (const admission::Placement& placement : contested) {
    by_target[parts_.claims.MakeKey(placement.target)].insert(placement.role);
  }
  for (const TargetKey& key : parts_.state.contested_on) by_target.try_emplace(key);
  parts_.state.contested_on.clear();
  for (auto& [key, roles] : by_target) {
    TargetEntry* target = parts_.claims.FindTarget(key);
    if (target == nullptr) continue;
    if (!roles.empty()) parts_.state.contested_on.insert(key);
    const bool same = std::equal(roles.begin(), roles.end(), target->contested->begin(),
                                 target->contested->end());
    if (same) continue;
    target->contested.Set({roles.begin(), roles.end()});
    changed_.insert(key);
  }
}

/// A change makes outputs outdated: decisions based on them must not be carried
/// out.
void ScanTransaction::HoldBackDependents() {
  if (parts_.links.empty()) return;
  for (const ResourceEntry* entry : dirty_) {
    if (parts_.links.IsSettled(*entry)) continue;
    for (const std::string& name : parts_.links.ListDependents(entry->name)) {
      const ResourceEntry* dependent = parts_.claims.FindResource(name);
      if (dependent != nullptr && dependent->accepted) changed_.insert(dependent->place.target);
    }
  }
}

}  // namespace bindery::controller
