#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "admission/admission.h"
#include "config/config.h"
#include "controller/catalog/catalog.h"
#include "controller/claims/scan_input.h"
#include "controller/engine/engine.h"
#include "core/access/grant.h"
#include "core/access/inventory.h"
#include "core/access/target.h"
#include "core/base/expected.h"
#include "core/settings/accepted_drift.h"
#include "core/settings/store_location.h"
#include "manifests/schema/manifest.h"
#include "providers/registry/kinds.h"

namespace bindery::app {

/// The place of a manifest as far as it is known.
struct DoubtedPlace {
  Target form;      ///< In its name, `*` stands for any text.
  std::string why;  ///< Continues "the manifest M": "uses references, so that …".
};

/// An existing manifest, with its place.
struct DeclaredManifest {
  std::string name;
  std::string source;              ///< "file:line"
  admission::Placement placement;  ///< Empty where the place cannot be told.
  std::shared_ptr<const manifests::Manifest> manifest = {};  ///< Null: of this import.
  /// As the file has the references; `manifest` has values in place of those that are known. Null:
  /// none.
  std::shared_ptr<const std::vector<manifests::Reference>> references = {};
  std::optional<DoubtedPlace> doubt = {};  ///< The manifest may be about further targets.

  /// "viewers" (teams/a.yaml:3), with the quotes.
  [[nodiscard]] std::string Show() const { return "\"" + name + "\" (" + source + ")"; }
};

/// What a manifest declares; nothing where references decide. Pure.
[[nodiscard]] std::optional<std::vector<Grant>> GrantsIn(const DeclaredManifest& manifest);

/// The grant is one of the grants: principals are compared in their normal form. Requires: the kind
/// has principals. Pure.
[[nodiscard]] bool HoldsGrant(const reconcilers::Kind& kind, const std::vector<Grant>& grants,
                              const Grant& grant);

/// The first manifest that may declare something on the target, although its known place is another
/// one; null: none. What is declared on the target is then unknown. Pure.
[[nodiscard]] const DeclaredManifest* FindDoubted(const std::vector<DeclaredManifest>& manifests,
                                                  const Target& target);

/// Of a manifest from FindDoubted(): a sentence that says why nothing is written for the target.
[[nodiscard]] std::string ExplainDoubt(const DeclaredManifest& manifest);

/// "projects/*/topics/t" of "projects/acme/topics/t": equal for all names of one policy. Empty for
/// a policy with one name. Pure.
[[nodiscard]] std::string FormAnyName(const std::string& name);

/// The names of policies as the engine has them: the id of a project and the number of the project
/// are one, and so are the two names of a service account. For one thread.
class TargetNames {
 public:
  /// `connections`: the providers to ask; as of MakeEngineSettings().
  TargetNames(const config::Config& config, const controller::Engine::Connections& connections,
              const providers::Kinds& kinds);

  /// The name with the id of the project. The name as it is where the service does not tell. Asks
  /// the service once for each number. Blocks.
  [[nodiscard]] std::string MakeCanonical(const std::string& provider, const std::string& name);

  /// The number of the project that the name begins with; empty: unknown. Asks nobody.
  [[nodiscard]] std::string GetNumber(const std::string& name);

  /// Takes what the store tells of projects, once. Blocks.
  void ReadStore();
  /// Learns the numbers in the names of targets: asks for all of them at once. Blocks.
  void Learn(const std::string& provider, const std::vector<std::string>& targets);
  /// Learns the numbers in the manifests, from the store or else from the service. Blocks.
  void Learn(const controller::ScanInput& scan);
  [[nodiscard]] controller::Placer placer() const { return catalog_.placer(); }

 private:
  void LearnContainer(const InventoryContainer& container);
  void Ask();

  const controller::Engine::Connections connections_;
  const StoreLocation store_;
  bool store_is_read_ = false;
  std::set<std::string> silent_;  ///< Providers that did not answer: these are asked no more.
  controller::Catalog catalog_;
};

/// The manifests of the configured directory.
struct DeclaredFolder {
  std::vector<DeclaredManifest> manifests;  ///< The valid ones.
  std::shared_ptr<TargetNames> names;       ///< Never null.
  AcceptedDriftRules accepted = {};         ///< Of the configuration, then of manifests.
  std::size_t errors = 0;                   ///< In files and manifests, which do not count.
};

/// Reads the directory; no manifests if the directory is empty or missing. `kinds` outlive the
/// result.
[[nodiscard]] Expected<DeclaredFolder> ReadDeclared(
    const config::Config& config, const controller::Engine::Connections& connections,
    const providers::Kinds& kinds);

}  // namespace bindery::app
