#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "app/clouds/provider_access.h"
#include "app/directory/declared_manifests.h"
#include "config/config.h"
#include "core/access/target.h"
#include "core/base/json.h"
#include "reconcilers/kind.h"

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

/// Reads what the wish names and makes manifests whose next plan is empty: of free names, for
/// undeclared roles, each read back as it will be by a scan. Writes nothing. Blocks.
[[nodiscard]] ImportResult MakeManifests(const config::Config& config,
                                         const OpenedProvider& provider, const ImportWish& wish,
                                         const DeclaredFolder& declared);

}  // namespace bindery::app
