#include "app/directory/kept_manifest.h"

#include <algorithm>

#include "manifests/schema/expression.h"
#include "providers/registry/kinds.h"

namespace bindery::app {
namespace {

bool IsRetained(const DeclaredManifest& manifest) {
  const reconcilers::Kind* kind = providers::KnownKinds().Find(*manifest.manifest->token);
  const bool by_kind = kind != nullptr && kind->traits().retained_on_delete;
  return manifest.manifest->options.retain_on_delete.value_or(by_kind);
}

bool RefersTo(const DeclaredManifest& manifest, const std::string& name) {
  const auto known = [&](const std::string& one) { return one == name; };
  return manifest.references != nullptr &&
         std::ranges::any_of(*manifest.references, [&](const manifests::Reference& reference) {
           return manifests::SplitName(manifests::MakePath(reference), known).name == name;
         });
}

bool DependsOn(const DeclaredManifest& manifest, const std::string& name) {
  if (manifest.manifest == nullptr) return false;
  const auto& needed = manifest.manifest->options.extra_options().depends_on;
  return std::ranges::find(needed, name) != needed.end();
}

}  // namespace

const DeclaredManifest* FindReferrer(const std::string& name,
                                     const std::vector<DeclaredManifest>& declared) {
  const auto found = std::ranges::find_if(
      declared, [&](const DeclaredManifest& manifest) { return RefersTo(manifest, name); });
  return found == declared.end() ? nullptr : &*found;
}

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
    if (DependsOn(other, manifest.name) || RefersTo(other, manifest.name)) {
      return ", and the manifest " + other.Show() + " names it: delete the manifest by hand";
    }
  }
  if (!is_last) return {};
  return " and is the last of the directory, and nothing is removed for an empty directory: delete "
         "the manifest by hand, and the grant in the cloud";
}

}  // namespace bindery::app
