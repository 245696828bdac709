#include "app/directory/kept_manifest.h"

#include <algorithm>
#include <memory>

#include "providers/registry/kinds.h"

namespace bindery::app {
namespace {

bool IsRetained(const DeclaredManifest& manifest) {
  const reconcilers::Kind* kind = providers::KnownKinds().Find(*manifest.manifest->token);
  const bool by_kind = kind != nullptr && kind->traits().retained_on_delete;
  return manifest.manifest->options.retain_on_delete.value_or(by_kind);
}

/// By `dependsOn` or in a reference.
bool Names(const DeclaredManifest& manifest, const std::string& name) {
  if (manifest.manifest == nullptr) return false;
  const auto& needed = manifest.manifest->options.extra_options().depends_on;
  if (std::ranges::find(needed, name) != needed.end()) return true;
  const auto& references = manifest.manifest->references;
  return references != nullptr &&
         std::ranges::any_of(*references, [&](const manifests::Reference& one) {
           return one.text.starts_with("${" + name + ".");
         });
}

}  // namespace

std::string ExplainKept(const DeclaredManifest& manifest,
                        const std::vector<DeclaredManifest>& declared) {
  if (manifest.manifest->options.protect) {
    return " and is protected: take options.protect out, or delete the manifest by hand";
  }
  if (IsRetained(manifest)) {
    return ", and what the manifest grants stays after its deletion (options.retainOnDelete): "
           "delete the manifest by hand, and the grant in the cloud";
  }
  bool is_last = true;
  for (const DeclaredManifest& other : declared) {
    if (&other == &manifest) continue;
    is_last = false;
    if (other.name == manifest.name) {
      return ", and a second manifest has the name: " + other.Show() + ": delete one by hand";
    }
    if (Names(other, manifest.name)) {
      return ", and the manifest " + other.Show() + " names it: delete the manifest by hand";
    }
  }
  if (!is_last) return {};
  return " and is the last of the directory, and nothing is removed for an empty directory: delete "
         "the manifest by hand, and the grant in the cloud";
}

}  // namespace bindery::app
