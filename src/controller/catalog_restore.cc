// What the last run left in the store, taken up again. No manifest is read here: that of a hundred
// thousand would take longer than everything else at a start.

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "controller/catalog.h"
#include "controller/options_text.h"
#include "core/in_shares.h"
#include "core/recent_texts.h"

namespace bindery {
namespace {

/// Says that a newer manifest of the resource was kept out.
bool KeptOut(const ResourceStatus& status) {
  if (status.reason == reason::kDependencyNotReady) return true;
  return status.state == ResourceState::kStalled &&
         (status.reason == reason::kRoleConflict || status.reason == reason::kProviderConflict ||
          status.reason == reason::kDuplicateName || status.reason == reason::kManifestInvalid);
}

/// Puts in order what mostly is, but for what came last.
template <typename T, typename Less>
void Arrange(std::vector<T>& items, const Less& less) {
  const auto rest = std::is_sorted_until(items.begin(), items.end(), less);
  std::sort(rest, items.end(), less);
  std::inplace_merge(items.begin(), rest, items.end(), less);
}

/// The store spells out that there are none.
std::string TextsOf(const std::string& record) { return record == "{}" ? std::string() : record; }

}  // namespace

void Catalog::BeginLoad(bool by_same_rules, const EvidenceRecord& evidence) {
  evidence_.Load(evidence);
  settled_before_ = evidence.settled;
  sound_ = true;
  placed_otherwise_ = !by_same_rules;
  load_next_ = resources_.end();
  load_target_ = nullptr;
  load_manifests_.clear();
  NoteNeeds();
}

void Catalog::LoadTarget(const TargetRecord& record) {
  const Kind* kind = kinds_.FindByName(record.target.kind);
  if (kind == nullptr) return;
  TargetEntry& entry = EntryAt(KeyOf(record.target));
  entry.kind = kind;
  entry.provider = record.provider;
  entry.observed = record.observed;
  entry.exists = record.exists;
  entry.ever_written = record.ever_written;
  entry.grants = static_cast<std::int32_t>(record.grants);
  entry.etag = record.etag;
  entry.policy_digest = Sha256Digest::FromHex(record.policy_digest);
  entry.observed_at = record.observed_at;
}

void Catalog::EndLoad(const std::vector<DriftRecord>& open_drift,
                      const std::vector<IntentRecord>& intents) {
  load_manifests_ = {};
  std::erase_if(targets_, [](const auto& item) { return item.second.resources.empty(); });
  for (const DriftRecord& drift : open_drift) {
    if (TargetEntry* target = FindTarget(drift.target); target != nullptr) {
      target->open_drift.Edit()[DriftKey(drift.item)] = {drift.item.drift_class,
                                                         drift.item.severity, drift.item.cause};
    }
  }
  for (const IntentRecord& intent : intents) {
    if (TargetEntry* target = FindTarget(intent.target); target != nullptr) {
      target->unresolved = std::make_unique<IntentRecord>(intent);
      // For whom that write was, nobody knows any more.
      for (ResourceEntry* entry : target->resources) entry->untouched = false;
    }
  }
}

std::shared_ptr<const Manifest> Catalog::ManifestOf(const ResourceRecord& record,
                                                    const Kind* kind) {
  auto manifest = std::make_shared<Manifest>();
  manifest->name = record.name;
  manifest->token =
      kind != nullptr ? &kind->schema().token : &*unknown_tokens_.insert(record.token).first;
  manifest->labels = TextsOf(record.labels);
  manifest->annotations = TextsOf(record.annotations);
  manifest->options = OptionsFromText(record.options);
  manifest->spec = record.spec;
  manifest->digest = Sha256Digest::FromHex(record.digest);
  // The manifests of one file come nearly together.
  thread_local RecentTexts<SourcePath> recent;
  manifest->source.file = recent.Of(record.source_file);
  manifest->source.line = record.source_line;
  return manifest;
}

/// Records come nearly in the order of their names.
ResourceEntry& Catalog::LoadedEntry(const std::string& name) {
  const auto at = resources_.try_emplace(load_next_, name);
  load_next_ = std::next(at);
  at->second.name = name;
  return at->second;
}

/// Those of a policy are put on record anew where other rules may have made them, or where the last
/// run ended before it got to that.
void Catalog::LoadOutputs(TargetEntry& target, const ResourceRecord& record) const {
  if (record.outputs.empty()) return;
  const bool first = !std::exchange(target.outputs_known, true);
  if (target.is_lookup()) {
    if (first) target.lookup_outputs.Set(record.outputs);
  } else if (placed_otherwise_ || record.outputs.find(target.etag) == std::string::npos) {
    target.outputs_moved = true;
  }
}

/// Those of one target mostly come together.
TargetEntry& Catalog::LoadedTarget(const Target& target) {
  if (load_target_ != nullptr && *load_target_->target == target) return *load_target_;
  load_target_ = &EntryAt(KeyOf(target));
  return *load_target_;
}

/// Of a store that was put back from a backup nothing is settled.
void Catalog::LoadAge(ResourceEntry& entry, const ResourceRecord& record) {
  const ClaimAge age = ClaimAge::Unpacked(record.age);
  evidence_.KnowLook(age.look);
  if (age.look > settled_before_ || age.absent) {
    entry.age = age;
  } else if (!evidence_.question().empty()) {
    entry.age.look = std::max(evidence_.look(), 1);
  }
  if (entry.age.look > 0) unsettled_ = true;
}

void Catalog::LoadResource(const ResourceRecord& record) {
  ResourceEntry& entry = LoadedEntry(record.name);
  entry.kind = kinds_.Find(record.token);
  entry.manifest = ManifestOf(record, entry.kind);
  if (!placed_otherwise_) load_manifests_.push_back(entry.manifest);
  entry.provider = record.provider;
  entry.role = record.role;
  entry.generation = static_cast<std::int32_t>(record.generation);
  entry.observed_generation = static_cast<std::int32_t>(record.observed_generation);
  entry.missing_scans = record.missing_scans;
  entry.untouched = record.untouched;
  entry.came_true = !record.untouched;
  LoadAge(entry, record);
  entry.suspended_by_operator = record.suspended;
  entry.status = record.status;
  entry.status_since = record.status_since;
  entry.settled = record.accepted && record.missing_scans == 0 &&
                  record.status.state == ResourceState::kReady &&
                  record.observed_generation == record.generation;
  const bool attached = entry.kind != nullptr && record.accepted;
  if (!attached && !record.target.name.empty()) {
    entry.target = KeyOf(record.target);
  }
  entry.accepted = record.accepted;
  if (!record.accepted) unaccepted_.insert(record.name);
  if (record.name.find(kFormerClaim) != std::string::npos) former_claims_.insert(record.name);
  NoteLinked(*entry.manifest);
  if (entry.kind == nullptr || !record.accepted || record.missing_scans > 0) sound_ = false;
  if (!attached) return;
  entry.grants = static_cast<std::int32_t>(record.grants);
  if (placed_otherwise_ || record.grants < 0) {
    const Expected<Declaration> declared = Declare(*entry.kind, *entry.manifest, record.provider);
    entry.grants = declared ? static_cast<std::int32_t>(declared->grants.size()) : 0;
    if (!declared) NoteUnreadable(entry, declared.error().message);
  }
  declared_grants_ += entry.grants;
  if (!entry.rejected && KeptOut(record.status)) {
    entry.rejected = std::make_shared<const SharedStatus>(record.status);
  }
  if (entry.rejected) sound_ = false;
  LearnProject(entry, record.target);
  TargetEntry& target = LoadedTarget(record.target);
  AttachTo(target, entry);
  LoadOutputs(target, record);
  times_.Put(entry.name, entry.manifest->spec, target.observed_at);
}

void Catalog::NoteUnreadable(ResourceEntry& entry, const std::string& why) {
  // An empty declaration would take everything away.
  entry.unreadable = true;
  entry.rejected = std::make_shared<const SharedStatus>(
      ResourceStatus{ResourceState::kStalled, std::string(reason::kManifestInvalid),
                     "its stored manifest is unusable: " + why});
  sound_ = false;
}

void Catalog::RememberFiles(const ScanInput& scan, StoreChange& change) const {
  change.forget_files.insert(change.forget_files.end(), scan.unremember.begin(),
                             scan.unremember.end());
  if (!trusted_) return;
  std::vector<char> known(scan.remember.size());
  InShares(known.size(), [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) known[i] = IsKnown(*scan.remember[i].content) ? 1 : 0;
  });
  std::vector<const DirectoryScan::Remembered*> kept;
  kept.reserve(known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    const DirectoryScan::Remembered& file = scan.remember[i];
    if (known[i] != 0) {
      kept.push_back(&file);
    } else {
      change.forget_files.push_back(file.content->path);
    }
  }
  const auto record = [&kept](std::size_t i) {
    return FileRecord{kept[i]->content->path, kept[i]->stamp, kept[i]->content->digest};
  };
  AppendInShares(kept.size(), record, change.upsert_files);
}

bool Catalog::IsKnown(const FileContent& file) const {
  // That a file is blank has to be seen anew.
  if (!file.problems.empty() || file.blank) return false;
  return std::all_of(file.manifests.begin(), file.manifests.end(), [this](const auto& manifest) {
    const auto found = resources_.find(manifest->name);
    return found != resources_.end() && found->second.manifest == manifest &&
           found->second.accepted && !found->second.rejected;
  });
}

GenerationRecord Catalog::LastGeneration() const {
  GenerationRecord generation = generation_;
  // Without rules it is by no start's: that reads everything, as if there were no store.
  generation.rules = trusted_ ? settings_.rules : std::string();
  return generation;
}

StoredFile StoredFile::Of(FileRecord record) {
  auto content = std::make_shared<FileContent>();
  content->path = std::move(record.path);
  content->digest = std::move(record.digest);
  return {std::move(record.stamp), std::move(content)};
}

std::optional<std::vector<KnownFile>> Catalog::KnownFiles(std::vector<StoredFile> files) {
  auto declared = std::exchange(load_manifests_, {});
  if (!sound_ || placed_otherwise_) return std::nullopt;
  Arrange(files, [](const auto& a, const auto& b) { return a.content->path < b.content->path; });
  std::unordered_map<std::string_view, std::size_t> places;
  places.reserve(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) places.emplace(files[i].content->path, i);
  // Looked up one by one: to sort a hundred thousand by their paths takes many times as long.
  std::vector<std::size_t> place_of;
  std::vector<std::size_t> counts(files.size());
  place_of.reserve(declared.size());
  std::size_t place = files.size();
  for (const auto& manifest : declared) {
    // Those of one file mostly come together.
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
  std::vector<KnownFile> known;
  known.reserve(files.size());
  for (StoredFile& file : files) {
    Arrange(file.content->manifests,
            [](const auto& a, const auto& b) { return a->source.line < b->source.line; });
    known.push_back({std::move(file.stamp), std::move(file.content)});
  }
  return known;
}

}  // namespace bindery
