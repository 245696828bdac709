// A manifest that says what it was called before (options.aliases) is the same resource as ever.

#include <algorithm>
#include <set>
#include <utility>

#include "controller/catalog.h"

namespace bindery {
namespace {

/// Those of the scan that say what they were called before. Nearly always none.
std::vector<std::shared_ptr<const Manifest>> WithAliases(const ScanInput& scan) {
  std::vector<std::shared_ptr<const Manifest>> found;
  const auto look = [&found](const FileContent& file) {
    for (const auto& manifest : file.manifests) {
      if (!manifest->options.uncommon().aliases.empty()) found.push_back(manifest);
    }
  };
  if (scan.edit) {
    for (const auto& file : scan.edit->now) look(*file);
  } else {
    for (const auto& file : scan.files) look(*file);
  }
  return found;
}

std::set<std::string> NamesIn(const ScanInput& scan) {
  std::set<std::string> names;
  for (const auto& file : scan.files) {
    for (const auto& manifest : file->manifests) names.insert(manifest->name);
  }
  for (const Problem& problem : scan.problems) names.insert(problem.resource);
  return names;
}

}  // namespace

void Catalog::TakeFormerNames(const ScanInput& scan, const Now& now, ScanOutcome& outcome) {
  std::set<std::string> names;
  for (const auto& manifest : WithAliases(scan)) {
    const auto present = resources_.find(manifest->name);
    if (present != resources_.end() && present->second.accepted) continue;
    for (const std::string& alias : manifest->options.uncommon().aliases) {
      const auto former = resources_.find(alias);
      if (former == resources_.end() || !former->second.accepted) continue;
      if (names.empty()) names = NamesIn(scan);
      // Two manifests at once are two resources; admission says what is wrong with that.
      if (names.contains(alias)) continue;
      Rename(alias, manifest->name, now, outcome);
      break;
    }
  }
}

void Catalog::Rename(const std::string& from, const std::string& to, const Now& now,
                     ScanOutcome& outcome) {
  if (resources_.contains(to)) Forget(to, outcome.change);
  TargetEntry& target = targets_.at(resources_.at(from).target);
  target.Erase(from);
  auto node = resources_.extract(from);
  node.key() = to;
  ResourceEntry& entry = resources_.insert(std::move(node)).position->second;
  entry.name = to;
  auto renamed = std::make_shared<Manifest>(*entry.manifest);
  renamed->name = to;
  entry.manifest = std::move(renamed);
  entry.missing_scans = 0;
  entry.rejected.reset();
  target.Insert(entry);
  dependencies_.Erase(from);
  times_.Erase(from);
  times_.Put(to, entry.manifest->spec, now.wall);
  missing_once_.erase(from);
  outcome.change.forget_resources.push_back(from);
  MarkDirty(entry);
  outcome.change.events.push_back({now.wall, EventType::kNormal, "Renamed", to, entry.target->name,
                                   "was called \"" + from + "\" before", "bindery"});
}

}  // namespace bindery
