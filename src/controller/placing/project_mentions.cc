#include "controller/placing/project_mentions.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include "manifests/documents/spec.h"
#include "manifests/schema/check_text.h"
#include "reconcilers/project_identity.h"
#include "reconcilers/provider_choice.h"

namespace bindery::controller {
namespace {

/// A digit follows `collection` somewhere.
bool HasNumberBehind(const std::string& spec, std::string_view collection) {
  const char* at = spec.data();
  const char* const end = at + spec.size();
  while (true) {
    const void* found =
        ::memmem(at, static_cast<std::size_t>(end - at), collection.data(), collection.size());
    if (found == nullptr) return false;
    at = static_cast<const char*>(found) + collection.size();
    if (at < end && std::isdigit(static_cast<unsigned char>(*at)) != 0) return true;
  }
}

/// The spec names a project or an account by number; this test alone excludes nearly all
/// manifests.
bool MayHoldNumber(const std::string& spec) {
  return HasNumberBehind(spec, "projects/") || HasNumberBehind(spec, "serviceAccounts/");
}

void NoteProject(const manifests::Manifest& manifest, const Placer& placer,
                 const CatalogSettings& settings, ProjectNames& names) {
  const reconcilers::Kind* kind = placer.FindKindFor(*manifest.token);
  if (kind == nullptr || manifest.references != nullptr || !kind->traits().names_are_global) return;
  const std::string provider = reconcilers::ChooseProvider(manifest, *kind);
  const auto project = settings.projects.find(provider);
  const bool by_default =
      project != settings.projects.end() && manifests::IsDecimal(project->second);
  if (!by_default && !names.HasGivenUp() && !MayHoldNumber(manifest.spec)) return;
  const Expected<reconcilers::Declaration> declared = placer.Declare(*kind, manifest, provider);
  if (declared) names.NoteName(provider, declared->target);
}

}  // namespace

void NoteProjects(const ScanInput& scan, bool news_only, const Placer& placer,
                  const CatalogSettings& settings, ProjectNames& names) {
  names.BeginScan();
  const auto note = [&](const auto& files) {
    for (const auto& file : files) {
      for (const auto& manifest : file->manifests) NoteProject(*manifest, placer, settings, names);
    }
  };
  // While some number is given up, all names matter.
  news_only&& scan.edit && !names.HasGivenUp() ? note(scan.edit->now) : note(scan.files);
}

void NoteClaims(const Claims& claims, ProjectNames& names) {
  if (!names.ConcernsClaims()) return;
  const auto stays_behind = [](const ResourceEntry* entry) {
    return entry->leaving() && entry->stays_when_gone();
  };
  for (const auto& [key, target] : claims.targets()) {
    if (target.kind == nullptr || !target.kind->traits().names_are_global) continue;
    const auto& resources = target.resources;
    if (std::all_of(resources.begin(), resources.end(), stays_behind)) continue;
    names.NoteName(target.provider.str(), key->name);
  }
  names.ClaimsNoted();
}

void LearnProject(const ResourceEntry& entry, const Target& target, ProjectNames& names) {
  if (!entry.kind->traits().names_are_global || !MayHoldNumber(entry.manifest->spec)) return;
  const Expected<Json> spec = manifests::MakeSpec(*entry.manifest);
  if (!spec) return;
  std::string name = StringMember(*spec, "name");
  if (name.starts_with("//")) name.erase(0, name.find('/', 2) + 1);  // The host of a full name.
  if (reconcilers::IsAccountNumber(name) && reconcilers::IsAccountAddress(target.name)) {
    names.Learn(name, target.name);
    return;
  }
  const std::string number = reconcilers::GetProjectNumber(name);
  if (number.empty() || !reconcilers::GetProjectNumber(target.name).empty()) return;
  constexpr std::string_view kProjects = "projects/";
  const std::string id = target.name.substr(
      kProjects.size(), target.name.find('/', kProjects.size()) - kProjects.size());
  names.Learn(number, id);
}

std::vector<TargetKey> DoubtedTargets(const Claims& claims, const ProjectNames& names) {
  std::vector<TargetKey> keys;
  for (const auto& [key, target] : claims.targets()) {
    if (names.IsInDoubt(key->name)) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::vector<TargetKey> TargetsOfProject(const Claims& claims, const std::string& id) {
  const std::string project = "projects/" + id;
  std::vector<TargetKey> keys;
  for (const auto& [key, target] : claims.targets()) {
    const std::string& name = key->name;
    if (name == project || name.starts_with(project + "/")) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::vector<std::string> DeclaredUnder(const Claims& claims, const std::string& number) {
  std::vector<std::string> names;
  for (const auto& [key, target] : claims.targets()) {
    const bool global = target.kind != nullptr && target.kind->traits().names_are_global;
    if (!global || reconcilers::GetProjectNumber(key->name) != number) continue;
    for (const ResourceEntry* entry : target.resources) names.push_back(entry->name);
  }
  return names;
}

}  // namespace bindery::controller
