#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/json.h"
#include "reconcilers/kind.h"

namespace bindery::app {

// Manifests that a command writes.

/// "networksecurity-viewer" of "networksecurity.viewer": what a name may hold of a text.
[[nodiscard]] std::string Slug(const std::string& text);

/// "-owner-user-ana-example-com" of a manifest's claim, "" of a whole policy. Only a condition that
/// restricts the claim shows.
[[nodiscard]] std::string SlugOfPart(const std::string& text);

/// The options of a new manifest; empty texts and false are left out.
struct NewManifestOptions {
  std::string provider = {};
  bool protect = false;
};

/// A manifest with these inputs: texts of `inputs` stand for themselves, also where a text looks
/// like a reference.
[[nodiscard]] Json NewManifest(const reconcilers::Kind& kind, const std::string& name, Json inputs,
                               const NewManifestOptions& options);

/// The YAML text of a manifest, below a comment with the id of its resource.
[[nodiscard]] std::string ImportedManifestText(const std::string& id, const Json& document);

/// Why a scan would refuse the manifest with the text; empty: a scan takes the manifest.
[[nodiscard]] std::string FaultOfManifest(const reconcilers::Kind& kind, const std::string& text);

/// The most that a scan reads of one file.
struct FileLimits {
  std::size_t documents = 0;
  std::size_t bytes = 0;
};
/// The limits of the reader of manifests.
[[nodiscard]] FileLimits LimitsOfReader();

/// The text of manifests for one file.
struct NewManifests {
  std::string text;
  std::size_t count = 0;

  /// Separated from the manifests before.
  void Add(const std::string& manifest);
};

/// The texts of the manifests of one path: several where one file would pass the limits.
class ManifestTexts {
 public:
  explicit ManifestTexts(const FileLimits& limits) : limits_(limits) {}

  /// The manifests stay together.
  void Add(const NewManifests& manifests);
  [[nodiscard]] const std::vector<NewManifests>& files() const { return files_; }

 private:
  const FileLimits limits_;
  std::vector<NewManifests> files_;
};

/// Names of manifests that are taken.
class TakenNames {
 public:
  void Take(const std::string& name) { taken_.emplace(name, 1); }
  [[nodiscard]] bool Has(const std::string& name) const { return taken_.contains(name); }
  /// The name, or the name with a number, that is not taken yet; a long name is cut.
  [[nodiscard]] std::string Free(std::string name);

 private:
  std::unordered_map<std::string, int> taken_;  ///< With the last number after the name.
};

}  // namespace bindery::app
