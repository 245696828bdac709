// Policies that have two names: by the id of their project, and by its number.

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include "controller/catalog.h"
#include "providers/google/project_client.h"
#include "reconcilers/provider_choice.h"

namespace bindery {
namespace {

/// Somewhere in it a project is named by its number; nearly all manifests are told by this alone.
bool MayHoldNumber(const std::string& spec) {
  constexpr std::string_view kProjects = "projects/";
  const char* at = spec.data();
  const char* const end = at + spec.size();
  while (true) {
    const void* found =
        ::memmem(at, static_cast<std::size_t>(end - at), kProjects.data(), kProjects.size());
    if (found == nullptr) return false;
    at = static_cast<const char*>(found) + kProjects.size();
    if (at < end && std::isdigit(static_cast<unsigned char>(*at)) != 0) return true;
  }
}

bool IsNumber(const std::string& project) {
  return !ProjectNumberOf("projects/" + project).empty();
}

}  // namespace

void Catalog::NoteProject(const Manifest& manifest) {
  const Kind* kind = kinds_.Find(*manifest.token);
  if (kind == nullptr || manifest.references != nullptr || !kind->traits().names_are_global) return;
  const std::string provider = ProviderOf(manifest, *kind);
  const auto project = settings_.projects.find(provider);
  const bool by_default = project != settings_.projects.end() && IsNumber(project->second);
  if (!by_default && !project_names_.HasGivenUp() && !MayHoldNumber(manifest.spec)) return;
  const Expected<Declaration> declared = Declare(*kind, manifest, provider);
  if (declared) project_names_.NoteName(provider, declared->target);
}

/// Before any manifest of the scan has its place: one by id may have to wait for one by number.
void Catalog::NoteProjects(const ScanInput& scan) {
  project_names_.BeginScan();
  // While nothing waits, what did not change needs no second look.
  const bool news_only =
      scan.edit && sound_ && !scan.again && !placed_otherwise_ && !project_names_.HasGivenUp();
  const auto note = [this](const auto& files) {
    for (const auto& file : files) {
      for (const auto& manifest : file->manifests) NoteProject(*manifest);
    }
  };
  news_only ? note(scan.edit->now) : note(scan.files);
}

/// What was known when it was placed is known still.
void Catalog::LearnProject(const ResourceEntry& entry, const Target& target) {
  if (!entry.kind->traits().names_are_global || !MayHoldNumber(entry.manifest->spec)) return;
  const Expected<Json> spec = ParseJson(entry.manifest->spec);
  if (!spec) return;
  const std::string number = ProjectNumberOf(StringMember(*spec, "name"));
  if (number.empty() || !ProjectNumberOf(target.name).empty()) return;
  constexpr std::string_view kProjects = "projects/";
  const std::string id = target.name.substr(
      kProjects.size(), target.name.find('/', kProjects.size()) - kProjects.size());
  project_names_.Learn(number, id);
}

std::vector<TargetKey> Catalog::DoubtedTargets() const {
  std::vector<TargetKey> keys;
  for (const auto& [key, target] : targets_) {
    if (project_names_.IsInDoubt(key->name)) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

void Catalog::Identify(const std::string& number, const std::string& id, StoreChange& change) {
  project_names_.Learn(number, id);
  std::vector<std::string> names;
  for (const auto& [key, target] : targets_) {
    const bool global = target.kind != nullptr && target.kind->traits().names_are_global;
    if (!global || ProjectNumberOf(key->name) != number) continue;
    for (const ResourceEntry* entry : target.resources) names.push_back(entry->name);
  }
  for (const std::string& name : names) {
    if (FindResource(name) != nullptr) Forget(name, change);
  }
}

}  // namespace bindery
