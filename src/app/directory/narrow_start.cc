#include "app/directory/narrow_start.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "app/directory/directory_manifests.h"
#include "app/directory/stored_state.h"
#include "controller/claims/former_claims.h"
#include "controller/claims/options_text.h"
#include "manifests/documents/loader.h"
#include "manifests/schema/expression.h"
#include "providers/bindery/own_kinds.h"
#include "reconcilers/project_identity.h"
#include "store/catalog_outline.h"

namespace bindery::app {
namespace {

constexpr std::size_t kMostNames = 20;
constexpr std::size_t kMostFiles = 64;  ///< That are read.
constexpr std::size_t kMostResources = 2000;

/// Reads resources by name and by target, and the resources that each leads to.
class Gathering {
 public:
  explicit Gathering(const store::Store& store) : store_(store) {}

  void AddName(const std::string& name) {
    if (seen_.insert(name).second) names_.push_back(name);
  }
  void AddTarget(const Target& target) {
    if (!target.name.empty() && targets_.insert(target).second) open_targets_.push_back(target);
  }

  /// Ends when no resource leads to a further resource. False: the resources are too many.
  Expected<bool> Run() {
    while (!names_.empty() || !open_targets_.empty()) {
      if (resources_.size() > kMostResources) return false;
      Expected<void> step = names_.empty() ? ReadTarget() : ReadName();
      if (!step) return Fail(step.error());
    }
    return true;
  }

  [[nodiscard]] bool IsOnRecord(const std::string& name) const {
    const auto record = store_.Resource(name);
    return record && record->has_value();
  }
  /// By name.
  [[nodiscard]] const std::map<std::string, store::ResourceRecord>& resources() const {
    return resources_;
  }
  [[nodiscard]] const std::set<Target>& targets() const { return targets_; }

 private:
  Expected<void> ReadName() {
    const std::string name = std::move(names_.back());
    names_.pop_back();
    auto record = store_.Resource(name);
    if (!record) return Fail(record.error());
    if (*record) Take(std::move(**record));
    return {};
  }

  Expected<void> ReadTarget() {
    const Target target = std::move(open_targets_.back());
    open_targets_.pop_back();
    auto records = store_.ResourcesOn(target);
    if (!records) return Fail(records.error());
    for (store::ResourceRecord& record : *records) Take(std::move(record));
    return {};
  }

  void Take(store::ResourceRecord record) {
    seen_.insert(record.name);
    AddTarget(record.target);
    const manifests::Options options = controller::OptionsFromText(record.options);
    for (const std::string& need : options.extra_options().depends_on) AddName(need);
    const std::string name = record.name;
    resources_.insert_or_assign(name, std::move(record));
  }

  const store::Store& store_;
  std::set<std::string> seen_;
  std::vector<std::string> names_;
  std::vector<Target> open_targets_;
  std::map<std::string, store::ResourceRecord> resources_;
  std::set<Target> targets_;
};

/// The directory in its present state, compared with the files on record.
struct DirectoryLook {
  manifests::DirectoryScan scan;
  std::set<std::string> changed;  ///< The paths of files that are not as on record, or gone.
  /// The documents of the changed files in the directory, by name: also documents with errors.
  std::map<std::string, const manifests::Manifest*> manifests;
};

/// Nothing: the record tells too little of the directory's content.
Expected<std::optional<DirectoryLook>> LookAtDirectory(const config::Config& config,
                                                       const store::Store& store,
                                                       const providers::Kinds& kinds) {
  std::vector<manifests::KnownFile> known;
  manifests::DigestSum sum;
  const auto read = store.ReadFiles([&](store::FileRecord&& record) {
    controller::StoredFile file = controller::StoredFile::Of(std::move(record));
    sum.Add(manifests::MakeDigest(*file.content));
    known.push_back({std::move(file.stamp), std::move(file.content)});
  });
  if (!read) return Fail(read.error());
  if (known.empty()) return std::nullopt;
  manifests::DirectorySource source(MakeDirectorySettings(config.manifests),
                                    [&kinds](std::string_view text, const std::string& file) {
                                      return manifests::LoadFile(text, file, kinds);
                                    });
  source.Seed(std::move(known), sum);
  Expected<manifests::DirectoryScan> found = source.Scan(/*assume_settled=*/true);
  if (!found) return Fail(found.error());
  if (!found->broken.empty() || found->changed.size() + found->gone.size() > kMostFiles) {
    return std::nullopt;
  }
  DirectoryLook look;
  look.changed.insert(found->gone.begin(), found->gone.end());
  for (const manifests::SharedFile& file : found->changed) {
    if (file->blank) return std::nullopt;
    look.changed.insert(file->path);
    for (const auto* documents : {&file->manifests, &file->invalid}) {
      for (const auto& manifest : *documents)
        look.manifests.emplace(manifest->name, manifest.get());
    }
  }
  look.scan = std::move(*found);
  return look;
}

/// Adds names and target of a changed file's document. False: the document's place is unknown.
bool Follow(const manifests::Manifest& manifest, const DirectoryLook& look,
            const controller::Placer& placer, Gathering& gathering) {
  if (!manifest.name.empty()) gathering.AddName(manifest.name);
  for (const std::string& alias : manifest.options.extra_options().aliases) {
    gathering.AddName(alias);
  }
  const auto is_known = [&](const std::string& name) {
    return look.manifests.contains(name) || gathering.IsOnRecord(name);
  };
  for (const std::string& need : manifests::ListDependencies(manifest, is_known))
    gathering.AddName(need);
  if (manifest.references != nullptr) {
    const std::optional<admission::Placement> placement = placer.PlaceUnresolved(manifest);
    if (placement) gathering.AddTarget(placement->target);
    return placement.has_value();
  }
  const Expected<admission::Placement> placement = placer.Place(manifest);
  if (placement) gathering.AddTarget(placement->target);
  // A document that has no place anywhere claims nothing.
  return placement || placement.error().code != Code::kUnavailable;
}

/// False: where some document belongs cannot be told.
Expected<bool> FollowChanges(const config::Config& config, const DirectoryLook& look,
                             const controller::Placer& placer, Gathering& gathering) {
  if (look.changed.empty()) return true;
  for (const manifests::SharedFile& file : look.scan.changed) {
    for (const auto& manifest : file->manifests) {
      if (!Follow(*manifest, look, placer, gathering)) return false;
    }
    for (const auto& manifest : file->invalid) {
      if (!manifest->name.empty()) gathering.AddName(manifest->name);
    }
  }
  const auto before = store::ResourcesDeclaredIn(config.store, look.changed);
  if (!before) return Fail(before.error());
  for (const std::string& name : *before) gathering.AddName(name);
  return true;
}

/// Of a resource on record: the scan finds the manifest, and nothing about the resource depends on
/// more than the gathered resources.
bool IsPlain(const store::ResourceRecord& record, const DirectoryLook& look) {
  constexpr std::string_view kAccounts = "/serviceAccounts/";  // Have a second name, as projects.
  if (record.missing_scans > 0 || record.name.find(controller::kFormerClaim) != std::string::npos)
    return false;
  if (record.target.name.find(kAccounts) != std::string::npos) return false;
  if (!reconcilers::GetProjectNumber(record.target.name).empty()) return false;
  if (look.changed.contains(record.source_file)) return look.manifests.contains(record.name);
  return record.accepted && look.scan.files.Find(record.source_file) != nullptr;
}

bool ArePlain(const Gathering& gathering, const DirectoryLook& look,
              const std::vector<std::string>& names) {
  const auto& resources = gathering.resources();
  const bool known = std::ranges::all_of(names, [&](const std::string& name) {
    return resources.contains(name) || look.manifests.contains(name);
  });
  return known && std::ranges::all_of(resources,
                                      [&](const auto& item) { return IsPlain(item.second, look); });
}

Expected<void> Load(const store::Store& store, const Gathering& gathering,
                    controller::Catalog& catalog) {
  const Expected<store::EvidenceRecord> evidence = store.Evidence();
  if (!evidence) return Fail(evidence.error());
  controller::CatalogLoader loader = catalog.BeginLoad(/*by_same_rules=*/true, *evidence);
  for (const Target& target : gathering.targets()) {
    const auto records = store.TargetsNamed(target.name);
    if (!records) return Fail(records.error());
    for (const store::TargetRecord& record : *records) {
      if (record.target == target) loader.LoadTarget(record);
    }
  }
  for (const auto& [name, record] : gathering.resources()) loader.LoadResource(record);
  return {};
}

/// The directory as if only the gathered resources were declared.
controller::ScanInput PartialScan(DirectoryLook look, const Gathering& gathering,
                                  const controller::Claims& claims) {
  std::map<std::string, std::shared_ptr<manifests::FileContent>> contents;
  for (const auto& [name, record] : gathering.resources()) {
    if (look.changed.contains(record.source_file)) continue;
    auto& content = contents[record.source_file];
    if (content == nullptr) {
      content = std::make_shared<manifests::FileContent>();
      content->path = record.source_file;
      content->digest = look.scan.files.Find(record.source_file)->digest;
    }
    content->manifests.push_back(claims.FindResource(name)->manifest);
  }
  std::vector<manifests::SharedFile> files = look.scan.changed;
  for (const auto& [path, content] : contents) {
    std::ranges::sort(content->manifests, {}, [](const auto& one) { return one->source.line; });
    files.push_back(content);
  }
  std::ranges::sort(files, {}, [](const manifests::SharedFile& file) { return file->path; });
  controller::ScanInput scan;
  for (const manifests::SharedFile& file : files) scan.manifests += file->manifests.size();
  scan.files = manifests::FileList(std::move(files));
  scan.problems = std::move(look.scan.problems);
  std::ranges::copy(*look.scan.file_problems, std::back_inserter(scan.problems));
  scan.facts = std::move(look.scan.facts);
  return scan;
}

}  // namespace

Expected<bool> StartNarrow(const config::Config& config, const store::Store& store,
                           const std::vector<std::string>& names, controller::DryRun& run) {
  controller::Catalog& catalog = run.engine().catalog();
  const auto generation = store.LastGeneration();
  if (!generation) return Fail(generation.error());
  const bool same_rules = *generation && (*generation)->rules == catalog.settings().rules;
  if (!same_rules || names.size() > kMostNames) return false;
  // The files come first: a file that comes into force later has another stamp than in `look`.
  auto look = LookAtDirectory(config, store, catalog.kinds());
  if (!look) return Fail(look.error());
  if (!*look) return false;
  const auto numbers = store::NamesProjectsByNumber(config.store);
  if (!numbers) return Fail(numbers.error());
  if (*numbers) return false;
  Gathering gathering(store);
  for (const std::string& name : names) gathering.AddName(name);
  gathering.AddTarget(providers::AcceptedDriftTarget());
  auto gathered = FollowChanges(config, **look, catalog.placer(), gathering);
  if (gathered && *gathered) gathered = gathering.Run();
  if (!gathered || !*gathered) return gathered;
  if (!ArePlain(gathering, **look, names)) return false;
  if (auto loaded = Load(store, gathering, catalog); !loaded) return Fail(loaded.error());
  auto stored = ReadStoredState(store, run.now().wall, gathering.targets());
  if (!stored) return Fail(stored.error());
  // The reads, one after the other, see one state if no scan came into force meanwhile.
  const auto last = store.LastGeneration();
  if (!last) return Fail(last.error());
  if (!*last || (*last)->id != (*generation)->id) return false;
  catalog.evidence().TakeAnyGround();
  run.engine().Start(*stored, run.now());
  run.Scan(PartialScan(std::move(**look), gathering, catalog.claims()));
  return true;
}

}  // namespace bindery::app
