#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/access/claim_part.h"
#include "core/access/status.h"
#include "core/access/target.h"
#include "core/base/expected.h"
#include "manifests/schema/manifest.h"
#include "manifests/schema/problem.h"
#include "manifests/schema/schema.h"

namespace bindery::admission {

/// The claim of a manifest: a part of the policy of one target, through one provider.
struct Placement {
  Target target;
  std::string provider;
  std::string role;         ///< As ClaimPart: mostly one role.
  std::int32_t grants = 0;  ///< How many it declares there; not part of where it belongs.

  /// Whether both cannot be in force.
  [[nodiscard]] bool Overlaps(const Placement& other) const {
    return target == other.target && Overlap(role, other.role);
  }
  bool operator==(const Placement& other) const {
    return target == other.target && provider == other.provider && role == other.role;
  }
};

/// A manifest that was admitted before and still holds its claim.
struct InForce {
  std::string name;
  manifests::SourceRef source;
  Placement placement;
  bool is_protected = false;  ///< No other may take its claim over, also when its manifest is gone.
  /// Its manifest was gone before the scan. Set for protected manifests, and for manifests whose
  /// removal waits until the directory rests.
  bool gone = false;
  /// The possible place of a manifest that the scan does not find: an unread file or folder, in
  /// words. Empty: none.
  std::string held_by = {};
  bool missed = false;  ///< The scan before did not find it: if this one does not, it is gone.
  bool held = false;    ///< The scan before did not find it, and something may have held it.
};

struct AdmissionInput {
  std::vector<std::shared_ptr<const manifests::Manifest>> manifests;
  std::vector<manifests::Problem>
      problems;  ///< Of this scan; those of severity error keep a manifest out.
  std::set<std::string> broken_files;  ///< Could not be read or decoded at all.
  std::vector<InForce> in_force;
  /// The schema of a kind, or null: the fields that a reference to a manifest of the kind may name.
  /// Null leaves the fields of references unchecked.
  std::function<const manifests::KindSchema*(const TypeToken&)> schema_of = {};
  /// The kind of the targets of manifests of a token (Target::kind); "" if the token has none.
  /// Without this function a manifest without a place holds nothing.
  std::function<std::string(const TypeToken&)> targets_of = {};
  /// Invalid documents whose names are referenced: a reference to an invalid document is an error,
  /// too.
  std::vector<std::shared_ptr<const manifests::Manifest>> invalid = {};
  /// Names that the former scan kept out, because a second manifest declared the same claim.
  std::set<std::string> contested = {};
  /// Names that never came into force and had the same content in the former scan.
  std::set<std::string> waiting = {};
  std::set<std::string> blank_files = {};  ///< Hold nothing at all.
};

/// A manifest without references, and where it belongs.
struct Resolved {
  std::shared_ptr<const manifests::Manifest> manifest;
  Placement placement;
};
using Admitted = Resolved;

/// Why a manifest has no place, or cannot be put in its place.
struct Unplaced {
  /// kUnavailable: the manifest waits for a reference or a dependency. kFailedPrecondition: the
  /// manifest in force is protected, and blocks the new place. Else the names cannot be completed,
  /// or the resolved spec does not fit its kind.
  manifests::ManifestError error;
  std::optional<Placement> placement = {};  ///< What it claims, where that can be told.
};

/// A manifest that is kept out. A manifest of the same name in force stays in force.
struct Rejected {
  std::string name;
  std::string reason;   ///< One of reason::, for the resource's status.
  std::string message;  ///< Names the other side's file and line.
  manifests::SourceRef source;
  std::shared_ptr<const manifests::Manifest> manifest = {};  ///< Null when it never became one.
  std::optional<Placement> placement = {};
  ResourceState state = ResourceState::kStalled;  ///< kReconciling while it waits for another one.
};

struct AdmissionResult {
  std::vector<Admitted> accepted;
  std::vector<Rejected> rejected;
  /// In force, but in no file of a sound scan: on the way to deletion.
  std::vector<std::string> missing;
  /// In force and not found, because the file they were last seen in cannot be read in full;
  /// without those rejected for a conflict besides.
  std::vector<std::string> frozen;
  /// For frozen manifests, and for deleted manifests whose place is taken: the cause by name, in
  /// words.
  std::map<std::string, std::string> held;
  /// Files without any document, and the manifests of these files are frozen.
  std::set<std::string> emptied;
  /// Claims of several manifests without a holder: the grants in the cloud must be left alone.
  std::vector<Placement> contested;
  /// Some file or document was never read successfully: its declarations are unknown, so nothing
  /// may be removed merely because no manifest declares it.
  bool unknown_content = false;
  /// The conflicts, the emptied files and the faults of references and dependencies, as problems
  /// with file and line, for `validate`, logs and the API.
  std::vector<manifests::Problem> problems;
};

/// Resolves the references of a manifest, and tells where it belongs. Called from several threads
/// at once where there are many manifests.
using PlacementResolver = std::function<tl::expected<Resolved, Unplaced>(
    const std::shared_ptr<const manifests::Manifest>&)>;

/// Decides which manifests come into force: one per name, one for each part of a policy, one
/// provider per target. A manifest in force stays in force; of several newcomers none comes in. A
/// manifest kept out by a manifest in force has to wait until the latter was missed twice; a new
/// manifest takes the place of a missing manifest now, because a rename looks the same. The order
/// of files and documents decides nothing. Pure.
[[nodiscard]] AdmissionResult Admit(const AdmissionInput& input, const PlacementResolver& resolve);

}  // namespace bindery::admission
