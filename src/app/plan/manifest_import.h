#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "admission/admission.h"
#include "app/clouds/provider_access.h"
#include "config/config.h"
#include "controller/engine/engine.h"
#include "core/access/grant.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "manifests/schema/manifest.h"
#include "providers/registry/kinds.h"

namespace bindery::app {

/// The wish for manifests.
struct ImportWish {
  const reconcilers::Kind* kind = nullptr;
  std::string name;              ///< Of the manifest, or what all their names begin with.
  std::vector<std::string> ids;  ///< Of the provider.
  bool many = false;             ///< The ids come from a list: every name tells which it is.
  bool protect = false;
  bool keep_going = false;  ///< What can be imported is, whatever else fails.
  /// What the next pass would remove as undeclared is told and not refused.
  bool only_shown = false;
  /// Told of each target that is read; may be empty. From several threads.
  std::function<void(std::size_t done, std::size_t all)> progress = {};
};

/// One manifest to write.
struct ImportedManifest {
  std::string name;
  std::string id;  ///< "TARGET ROLE" of an IAM binding, else the target.
  Target target;
  std::string role;  ///< As Placement::role.
  const reconcilers::Kind* kind =
      nullptr;  ///< Its own: a role under several conditions takes another one.
  Json document;
};

struct ImportResult {
  std::vector<ImportedManifest> manifests;
  /// A line for each; then nothing may be written, unless the wish is to keep going.
  std::vector<std::string> errors;
  std::vector<std::string> warnings;  ///< Likewise, but then it may.
  std::vector<std::string> notes;     ///< What is left aside or imported in another way, and why.
  std::string text;                   ///< The YAML of all manifests.
};

/// An existing manifest, with its place.
struct DeclaredManifest {
  std::string name;
  std::string source;              ///< "file:line"
  admission::Placement placement;  ///< Empty where the place cannot be told.
  std::shared_ptr<const manifests::Manifest> manifest = {};  ///< Null: of this import.
};

/// What a manifest declares; nothing where references decide. Pure.
[[nodiscard]] std::optional<std::vector<Grant>> GrantsIn(const DeclaredManifest& manifest);

/// The grant is one of the grants: principals are compared in their normal form. Requires: the kind
/// has principals. Pure.
[[nodiscard]] bool HoldsGrant(const reconcilers::Kind& kind, const std::vector<Grant>& grants,
                              const Grant& grant);

/// All valid manifests of the configured directory; none if the directory is empty or missing.
/// `connections`: as of MakeEngineSettings().
[[nodiscard]] Expected<std::vector<DeclaredManifest>> DeclaredManifests(
    const config::Config& config, const controller::Engine::Connections& connections,
    const providers::Kinds& kinds);

/// Reads what the wish names and makes manifests whose next plan is empty: of free names, for
/// undeclared roles, each read back as it will be by a scan. Writes nothing. Blocks.
[[nodiscard]] ImportResult MakeManifests(const config::Config& config,
                                         const OpenedProvider& provider, const ImportWish& wish,
                                         const std::vector<DeclaredManifest>& declared);

}  // namespace bindery::app
