#include "app/plan/replaced_parts.h"

#include <algorithm>
#include <utility>

#include "app/clouds/clouds.h"

namespace bindery::app {
namespace {

/// A name that the spec leaves open belongs to a target that no rule of the configuration names.
std::string GetTargetName(const WrittenManifest& manifest, const std::string& default_project) {
  const auto declared = manifest.kind->Declare(manifest.spec, default_project);
  return declared ? declared->target : std::string();
}

std::string MakeSentence(const WrittenManifest& manifest,
                         const controller::CatalogSettings& settings) {
  const reconcilers::Kind& kind = *manifest.kind;
  const reconcilers::ReplacedPart& part = kind.traits().replaces;
  const std::string who = "each manifest of the kind " +
                          (part.shape == nullptr ? kind.schema().token.kind : part.shape) + " ";
  if (part.where_removed == nullptr) return who + part.where_kept;
  const std::string provider =
      manifest.provider.empty() ? kind.traits().provider_type : manifest.provider;
  const Target target = {kind.traits().policy,
                         kind.traits().names_are_global ? std::string() : provider,
                         GetTargetName(manifest, settings.DefaultProject(provider))};
  const bool kept = settings.UndeclaredOn(target, &kind) != UndeclaredRoles::kRemove;
  return who + (kept ? part.where_kept : part.where_removed);
}

}  // namespace

std::vector<std::string> ReplacedParts(const std::vector<WrittenManifest>& manifests,
                                       const config::Config& config) {
  const controller::CatalogSettings settings = MakeEngineSettings(config, {}).catalog;
  std::vector<std::string> sentences;
  for (const WrittenManifest& manifest : manifests) {
    if (manifest.kind->schema().read_only) continue;
    std::string sentence = MakeSentence(manifest, settings);
    if (std::find(sentences.begin(), sentences.end(), sentence) != sentences.end()) continue;
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace bindery::app
