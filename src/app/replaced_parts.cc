#include "app/replaced_parts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/clouds.h"

namespace bindery {
namespace {

/// What a manifest of one shape says of its target. Each text begins after the name of the shape.
struct ShapeOfKind {
  std::string_view ending;  ///< Of the kinds of that shape.
  const char* where_kept;
  const char* where_removed;
};

/// The last row stands for all kinds that declare a whole policy.
constexpr ShapeOfKind kShapesOfKinds[] = {
    {"IamBinding", "replaces the members of its role. Other roles of the target stay.",
     "replaces the members of its role. Roles of the target that no manifest declares are removed "
     "(undeclaredRoles: remove)."},
    {"IamMember",
     "declares one member of its role. Other members of the role stay, and so do other roles of "
     "the target.",
     "declares one member of its role. Other members of the role stay. Roles of the target that "
     "no manifest declares are removed (undeclaredRoles: remove)."},
    {"IamPolicy",
     "replaces all grants of the target, except for roles that Google grants to its service "
     "agents. "
     "The audit configuration stays unless the manifest has auditConfigs.",
     nullptr},
    {"IamAuditConfig",
     "replaces the audit configuration of its service. Grants on the target and other services "
     "stay.",
     "replaces the audit configuration of its service. Roles of the target that no manifest "
     "declares are removed (undeclaredRoles: remove)."},
    {"", "replaces the whole policy of its target.", nullptr},
};

const ShapeOfKind& ShapeOfKindNamed(std::string_view kind) {
  const auto* last = std::end(kShapesOfKinds) - 1;
  return *std::find_if(std::begin(kShapesOfKinds), last,
                       [kind](const ShapeOfKind& shape) { return kind.ends_with(shape.ending); });
}

/// A name that the spec leaves open belongs to a target that no rule of the configuration names.
std::string TargetNameOf(const WrittenManifest& manifest, const std::string& default_project) {
  const auto declared = manifest.kind->Declare(manifest.spec, default_project);
  return declared ? declared->target : std::string();
}

std::string SentenceOf(const WrittenManifest& manifest, const CatalogSettings& settings) {
  const Kind& kind = *manifest.kind;
  const std::string& name = kind.schema().token.kind;
  const ShapeOfKind& shape = ShapeOfKindNamed(name);
  const std::string who = "each manifest of the kind " +
                          (shape.ending.empty() ? name : "…" + std::string(shape.ending));
  if (shape.where_removed == nullptr) return who + " " + shape.where_kept;
  const std::string provider =
      manifest.provider.empty() ? kind.traits().provider_type : manifest.provider;
  const Target target = {kind.traits().policy,
                         kind.traits().names_are_global ? std::string() : provider,
                         TargetNameOf(manifest, settings.DefaultProject(provider))};
  const bool kept = settings.KeepsUndeclared(target, &kind);
  return who + " " + (kept ? shape.where_kept : shape.where_removed);
}

}  // namespace

std::vector<std::string> ReplacedParts(const std::vector<WrittenManifest>& manifests,
                                       const Config& config) {
  const CatalogSettings settings = EngineSettingsOf(config, {}).catalog;
  std::vector<std::string> sentences;
  for (const WrittenManifest& manifest : manifests) {
    if (manifest.kind->schema().read_only) continue;
    std::string sentence = SentenceOf(manifest, settings);
    if (std::find(sentences.begin(), sentences.end(), sentence) != sentences.end()) continue;
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace bindery
