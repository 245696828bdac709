#include "controller/catalog/catalog_loader.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "controller/claims/claim_status.h"
#include "controller/claims/options_text.h"
#include "controller/claims/status_code.h"
#include "controller/gates/stored_forms.h"
#include "controller/placing/project_mentions.h"
#include "core/base/recent_texts.h"

namespace bindery::controller {
namespace {

/// Says that a newer manifest of the resource was kept out.
bool KeptOut(const ResourceStatus& status) {
  const StatusCode code = GetCode(status);
  if (code == StatusCode::kDependencyNotReady) return true;
  return status.state == ResourceState::kStalled &&
         (code == StatusCode::kRoleConflict || code == StatusCode::kProviderConflict ||
          code == StatusCode::kDuplicateName || code == StatusCode::kManifestInvalid);
}

/// Sorts a mostly sorted list, where only the last items are out of order.
template <typename T, typename Less>
void Arrange(std::vector<T>& items, const Less& less) {
  const auto rest = std::is_sorted_until(items.begin(), items.end(), less);
  std::sort(rest, items.end(), less);
  std::inplace_merge(items.begin(), rest, items.end(), less);
}

/// The store spells out an empty list.
std::string StoredTexts(const std::string& record) {
  return record == "{}" ? std::string() : record;
}

}  // namespace

CatalogLoader::CatalogLoader(const Parts& parts, bool by_same_rules, std::int32_t settled)
    : parts_(parts), settled_(settled), next_(parts_.claims.resources().end()) {
  parts_.state.sound = true;
  parts_.state.placed_otherwise = !by_same_rules;
}

void CatalogLoader::LoadTarget(const store::TargetRecord& record) {
  const reconcilers::Kind* kind = parts_.kinds.FindByTargets(record.target.kind);
  if (kind == nullptr) return;
  TargetEntry& entry = parts_.claims.ObtainTarget(parts_.claims.MakeKey(record.target));
  entry.kind = kind;
  entry.provider = record.provider;
  entry.reading.observed = record.observed;
  entry.reading.exists = record.exists;
  entry.calls.ever_written = record.ever_written;
  entry.reading.grants = static_cast<std::int32_t>(record.grants);
  entry.reading.undeclared = static_cast<std::int32_t>(record.undeclared);
  entry.reading.etag = record.etag;
  entry.reading.policy_digest = Sha256Digest::FromHex(record.policy_digest);
  entry.reading.observed_at = record.observed_at;
}

std::shared_ptr<const manifests::Manifest> CatalogLoader::FindManifest(
    const store::ResourceRecord& record, const reconcilers::Kind* kind) {
  auto manifest = std::make_shared<manifests::Manifest>();
  manifest->name = record.name;
  manifest->token =
      kind != nullptr ? &kind->schema().token : &*parts_.unknown_tokens.insert(record.token).first;
  manifest->labels = StoredTexts(record.labels);
  manifest->annotations = StoredTexts(record.annotations);
  manifest->options = OptionsFromText(record.options);
  manifest->spec = record.spec;
  manifest->digest = Sha256Digest::FromHex(record.digest);
  // The manifests of one file come nearly together.
  thread_local RecentTexts<manifests::SourcePath> recent;
  manifest->source.file = recent.Of(record.source_file);
  manifest->source.line = record.source_line;
  return manifest;
}

/// The outputs of a policy are recorded again if other rules may have made them, or if the last run
/// ended before the record.
void CatalogLoader::LoadOutputs(TargetEntry& target, const store::ResourceRecord& record) const {
  if (record.outputs.empty()) return;
  const bool first = !std::exchange(target.reading.outputs_known, true);
  if (target.is_lookup()) {
    if (first) target.reading.lookup_outputs.Set(record.outputs);
  } else if (parts_.state.placed_otherwise ||
             record.outputs.find(target.reading.etag) == std::string::npos) {
    target.reading.outputs_moved = true;
  }
}

/// Records come nearly in the order of their names.
ResourceEntry& CatalogLoader::MakeEntry(const store::ResourceRecord& record) {
  const auto at = parts_.claims.Obtain(record.name, next_);
  next_ = std::next(at);
  ResourceEntry& entry = at->second;
  entry.kind = parts_.kinds.Find(record.token);
  entry.manifest = FindManifest(record, entry.kind);
  entry.place.provider = record.provider;
  entry.place.role = record.role;
  entry.grants = static_cast<std::int32_t>(record.grants);
  entry.progress.generation = static_cast<std::int32_t>(record.generation);
  entry.progress.observed_generation = static_cast<std::int32_t>(record.observed_generation);
  entry.evidence.missing_scans = record.missing_scans;
  entry.progress.untouched = record.untouched;
  entry.progress.given_up.Set({{}, record.gave_up});
  parts_.ages.Load(entry, record.age, settled_);
  entry.suspended_by_operator = record.suspended;
  entry.standing.status = record.status;
  entry.standing.since = record.status_since;
  entry.progress.settled = record.accepted && record.missing_scans == 0 &&
                           record.status.state == ResourceState::kReady &&
                           record.observed_generation == record.generation;
  entry.accepted = record.accepted;
  return entry;
}

void CatalogLoader::LoadResource(const store::ResourceRecord& record) {
  ResourceEntry& entry = MakeEntry(record);
  ScanState& state = parts_.state;
  if (!state.placed_otherwise) manifests_.push_back(entry.manifest);
  if (!record.accepted) state.unaccepted.insert(record.name);
  parts_.links.NoteManifest(*entry.manifest);
  if (entry.kind == nullptr || !record.accepted || record.missing_scans > 0) state.sound = false;
  if (entry.kind != nullptr && record.accepted) {
    Enforce(entry, record);
  } else if (!record.target.name.empty()) {
    entry.place.target = parts_.claims.MakeKey(record.target);
  }
}

/// The resource was in force, and is in force again.
void CatalogLoader::Enforce(ResourceEntry& entry, const store::ResourceRecord& record) {
  ScanState& state = parts_.state;
  if (state.placed_otherwise) {
    const Expected<reconcilers::Declaration> declared =
        parts_.placer.Declare(*entry.kind, *entry.manifest, record.provider);
    entry.grants = declared ? static_cast<std::int32_t>(declared->grants.size()) : 0;
    if (!declared) MarkUnreadable(entry, declared.error().message);
  }
  if (!entry.standing.rejected && KeptOut(record.status)) {
    entry.standing.rejected = std::make_shared<const SharedStatus>(record.status);
  }
  if (entry.standing.rejected) state.sound = false;
  LearnProject(entry, record.target, parts_.project_names);
  TargetEntry& target = ToTarget(record.target);
  parts_.claims.Enforce(entry, target, target.reading.observed_at);
  LoadOutputs(target, record);
}

/// Resources of one target mostly come together.
TargetEntry& CatalogLoader::ToTarget(const Target& target) {
  if (target_ != nullptr && *target_->target == target) return *target_;
  target_ = &parts_.claims.ObtainTarget(parts_.claims.MakeKey(target));
  return *target_;
}

StoredFile StoredFile::Of(store::FileRecord record) {
  auto content = std::make_shared<manifests::FileContent>();
  content->path = std::move(record.path);
  content->digest = std::move(record.digest);
  return {std::move(record.stamp), std::move(content)};
}

std::optional<std::vector<manifests::KnownFile>> CatalogLoader::KnownFiles(
    std::vector<StoredFile> files) {
  auto declared = std::exchange(manifests_, {});
  if (!parts_.state.sound || parts_.state.placed_otherwise) return std::nullopt;
  Arrange(files, [](const auto& a, const auto& b) { return a.content->path < b.content->path; });
  std::unordered_map<std::string_view, std::size_t> places;
  places.reserve(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) places.emplace(files[i].content->path, i);
  // Looked up one by one: sorting a hundred thousand by path takes many times as long.
  std::vector<std::size_t> place_of;
  std::vector<std::size_t> counts(files.size());
  place_of.reserve(declared.size());
  std::size_t place = files.size();
  for (const auto& manifest : declared) {
    // Resources of one file mostly come together.
    if (place == files.size() || files[place].content->path != manifest->source.file.str()) {
      const auto found = places.find(manifest->source.file.str());
      if (found == places.end()) return std::nullopt;
      place = found->second;
    }
    place_of.push_back(place);
    ++counts[place];
  }
  for (std::size_t i = 0; i < files.size(); ++i) files[i].content->manifests.reserve(counts[i]);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    files[place_of[i]].content->manifests.push_back(std::move(declared[i]));
  }
  std::vector<manifests::KnownFile> known;
  known.reserve(files.size());
  for (StoredFile& file : files) {
    Arrange(file.content->manifests,
            [](const auto& a, const auto& b) { return a->source.line < b->source.line; });
    known.push_back({std::move(file.stamp), std::move(file.content)});
  }
  return known;
}

void FinishLoad(Claims& claims, const std::vector<store::DriftRecord>& open_drift,
                const std::vector<store::IntentRecord>& intents) {
  std::erase_if(claims.targets(), [](const auto& item) { return item.second.resources.empty(); });
  for (const store::DriftRecord& drift : open_drift) {
    if (TargetEntry* target = claims.FindTarget(drift.target); target != nullptr) {
      if (drift.item.drift_class == DriftClass::kStoredDifferently) {
        target->drift.forms.Edit().push_back(FindForm(drift.item));
      }
      auto& known = drift.item.state == DriftState::kAccepted ? target->drift.accepted
                    : drift.item.state == DriftState::kNoted  ? target->drift.notes
                                                              : target->drift.open;
      known.Edit()[DriftKey(drift.item)] = {drift.item.drift_class, drift.item.severity,
                                            drift.item.cause,
                                            drift.item.cause == DriftCause::kForeign};
    }
  }
  for (const store::IntentRecord& intent : intents) {
    if (TargetEntry* target = claims.FindTarget(intent.target); target != nullptr) {
      target->unresolved = std::make_unique<store::IntentRecord>(intent);
      // The resource behind this unfinished write is unknown after a restart.
      for (ResourceEntry* entry : target->resources) entry->progress.untouched = false;
    }
  }
}

}  // namespace bindery::controller
