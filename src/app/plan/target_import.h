#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/directory/declared_manifests.h"
#include "app/plan/import_pieces.h"
#include "core/access/just_in_time.h"
#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/settings/accepted_drift.h"
#include "core/settings/keeping_rules.h"
#include "core/settings/mode.h"
#include "reconcilers/kind.h"

namespace bindery::app {

/// What one manifest of an import declares.
enum class ImportShape {
  kBinding,  ///< All members of a role.
  kMember,   ///< One member of a role.
  kPolicy,   ///< The whole policy.
};

/// "binding", "member", "policy"; nothing for an unknown word.
[[nodiscard]] std::optional<ImportShape> ParseImportShape(std::string_view text);

/// The kinds of the manifests on a target.
struct ImportKinds {
  const reconcilers::Kind* binding = nullptr;  ///< Never null.
  const reconcilers::Kind* member = nullptr;   ///< Null: the resource has no such kind.
  const reconcilers::Kind* policy = nullptr;   ///< Likewise.
};

/// The rules of an import, the same for all targets.
struct TargetImportRules {
  const KeepingRules& keeping;
  const AcceptedDriftRules& accepted;
  BindingKey key = BindingKey::kRole;
  ImportShape shape = ImportShape::kBinding;
  WallTime now;
};

/// The known facts of a target.
struct TargetToImport {
  Target target;
  ImportKinds kinds;
  std::string project_number = {};  ///< As Desired::project_number.
  JustInTime just_in_time = {};     ///< The answers about `seen`.
  reconcilers::Observation seen;
  std::vector<const DeclaredManifest*> claims = {};  ///< The manifests on the target.
};

/// A manifest to write.
struct ImportedPart {
  const reconcilers::Kind* kind = nullptr;
  std::string part;         ///< As Placement::role.
  Json inputs;              ///< Of the spec.
  std::int64_t grants = 0;  ///< How many it declares.
};

/// The grants of policies, each counted once.
struct ImportCounts {
  std::int64_t imported = 0;  ///< New manifests declare them.
  std::int64_t declared = 0;  ///< Manifests declared them before.
  std::int64_t accepted = 0;
  std::int64_t just_in_time = 0;
  std::int64_t service_agents = 0;
  std::int64_t tombstones = 0;
  std::int64_t left_out = 0;  ///< Each with a line that says why.
  /// Of `just_in_time`, and counted there: only the form was compared.
  std::int64_t unproven = 0;

  [[nodiscard]] std::int64_t All() const {
    return imported + declared + accepted + just_in_time + service_agents + tombstones + left_out;
  }
  void Add(const ImportCounts& other);
};

struct TargetImport {
  std::vector<ImportedPart> parts;
  ImportCounts counts;
  std::vector<std::string> left_out;  ///< What is not declared, and why: a line each.
};

/// The same grants as one manifest for each member. Empty: the part is no binding, or cannot be
/// split. Pure.
[[nodiscard]] std::vector<ImportedPart> SplitPart(const ImportKinds& kinds, const Target& target,
                                                  const ImportedPart& part);

/// The manifests that declare every grant of the policy that nobody else answers for: not the
/// grants that a manifest declares, nor accepted ones, just-in-time access, service agents and
/// deleted principals. The next check of the target then finds no difference that it did not find
/// before. Pure.
[[nodiscard]] TargetImport ImportTarget(const TargetToImport& asked,
                                        const TargetImportRules& rules);

}  // namespace bindery::app
