#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/claim_part.h"
#include "core/expected.h"
#include "core/status.h"
#include "core/target.h"
#include "manifests/manifest.h"
#include "manifests/problem.h"
#include "manifests/schema.h"

namespace bindery {

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

/// A manifest admitted before and still holds its claim.
struct InForce {
  std::string name;
  SourceRef source;
  Placement placement;
  bool is_protected = false;  ///< No other may take its claim over, also when its manifest is gone.
  /// Its manifest was gone before the scan. Told of protected ones, and of those whose removal
  /// waits for the directory to rest.
  bool gone = false;
  /// What may hold it, should the scan not find it: something unread, in words. Empty: nothing.
  std::string held_by = {};
  bool missed = false;  ///< The scan before did not find it: if this one does not, it is gone.
  bool held = false;    ///< The scan before did not find it, and something may have held it.
};

struct AdmissionInput {
  std::vector<std::shared_ptr<const Manifest>> manifests;
  std::vector<Problem> problems;  ///< Of this scan; those of severity error keep a manifest out.
  std::set<std::string> broken_files;  ///< Could not be read or decoded at all.
  std::vector<InForce> in_force;
  /// The schema of a kind, or null: what a reference to a manifest of it may name. Without it the
  /// fields of references are not checked.
  std::function<const KindSchema*(const TypeToken&)> schema_of = {};
  /// The kind of the targets of manifests of a token (Target::kind); "" where they have none.
  /// Without it a manifest that does not tell its place holds nothing.
  std::function<std::string(const TypeToken&)> targets_of = {};
  /// Documents with an error that name others: the error of that is told as well.
  std::vector<std::shared_ptr<const Manifest>> invalid = {};
  /// Names that the scan before kept out, as others declared what they claim.
  std::set<std::string> contested = {};
  /// Names that never came into force and that the scan before found with the same content.
  std::set<std::string> waiting = {};
  std::set<std::string> blank_files = {};  ///< Hold nothing at all.
};

/// A manifest without references, and where it belongs.
struct Resolved {
  std::shared_ptr<const Manifest> manifest;
  Placement placement;
};
using Admitted = Resolved;

/// Why a manifest has no place, or cannot be put in the one it has.
struct Unplaced {
  /// kUnavailable: it waits for a manifest it refers to or depends on. kFailedPrecondition: it may
  /// not go there, because the one in force is protected. Else its names cannot be completed, or
  /// what it became does not fit its kind.
  ManifestError error;
  std::optional<Placement> placement = {};  ///< What it claims, where that can be told.
};

/// A manifest that is kept out. Where one of the name is in force, that one stays so.
struct Rejected {
  std::string name;
  std::string reason;   ///< One of reason::, for the resource's status.
  std::string message;  ///< Names the other side's file and line.
  SourceRef source;
  std::shared_ptr<const Manifest> manifest = {};  ///< Null when it never became one.
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
  /// What may hold those, and those that are gone and whose place is taken: by name, in words.
  std::map<std::string, std::string> held;
  /// Files that hold nothing at all, and the manifests of which are frozen.
  std::set<std::string> emptied;
  /// Claims that several manifests make and none holds: what is there must be left alone.
  std::vector<Placement> contested;
  /// Some file or document was never read successfully: what it declares is unknown, so nothing may
  /// be removed merely because no manifest declares it.
  bool unknown_content = false;
  /// The conflicts, the emptied files and the faults of references and dependencies, as problems
  /// with file and line, for `validate`, logs and the API.
  std::vector<Problem> problems;
};

/// Resolves the references of a manifest, and tells where it belongs. Called from several threads
/// at once where there are many manifests.
using PlacementResolver =
    std::function<tl::expected<Resolved, Unplaced>(const std::shared_ptr<const Manifest>&)>;

/// Decides which manifests come into force: one per name, one for each part of a policy, one
/// provider per target. Who is already in force stays in force; of several newcomers none comes in.
/// Who was kept out by one in force has to wait until that one was missed twice; who is new takes
/// the place of a missing one now, as that is what a rename looks like. The order of files and
/// documents decides nothing. Pure.
[[nodiscard]] AdmissionResult Admit(const AdmissionInput& input, const PlacementResolver& resolve);

}  // namespace bindery
