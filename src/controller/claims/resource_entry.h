#pragma once

#include <boost/container/small_vector.hpp>
#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "admission/admission.h"
#include "controller/claims/claim_age.h"
#include "controller/claims/recheck_plan.h"
#include "core/access/target_key.h"
#include "core/base/interned.h"
#include "core/base/sparse_box.h"
#include "reconcilers/kind.h"
#include "store/ports/records.h"

namespace bindery::reason {
/// The manifest is gone, and the target is not found.
inline constexpr std::string_view kTargetNotFound = "TargetNotFound";
}  // namespace bindery::reason

namespace bindery::controller {

/// The status of a resource. Most statuses are equal and shared: a hundred thousand are kept in
/// memory.
class SharedStatus {
 public:
  SharedStatus();
  // NOLINTNEXTLINE(google-explicit-constructor): it is used like a status
  SharedStatus(ResourceStatus status);

  [[nodiscard]] const ResourceStatus& operator*() const { return *status_; }
  [[nodiscard]] const ResourceStatus* operator->() const { return status_.get(); }
  bool operator==(const SharedStatus& other) const {
    return status_ == other.status_ || *status_ == *other.status_;
  }

  /// The resource is as declared.
  [[nodiscard]] static const SharedStatus& AsDeclared();
  /// Declared; its target is still to be checked.
  [[nodiscard]] static const SharedStatus& Waiting();

 private:
  explicit SharedStatus(std::shared_ptr<const ResourceStatus> status)
      : status_(std::move(status)) {}

  std::shared_ptr<const ResourceStatus> status_;
};

/// Grants that manifests declared and the manifest in force does not declare.
struct GivenUp {
  std::set<std::string> grants = {};  ///< Each as AccessKey().
  /// An earlier run knew further differences.
  bool untold = false;

  [[nodiscard]] bool empty() const { return grants.empty() && !untold; }
};

/// One declared resource: its manifest, claim and status.
struct ResourceEntry {
  /// Where the resource claims access. All is empty when it never got far enough to have a target.
  struct Place {
    TargetKey target = {};
    Interned provider = {};
    Interned role = {};

    [[nodiscard]] admission::Placement placement() const;
    [[nodiscard]] bool IsAt(const admission::Placement& placement) const;
  };

  /// The progress of the manifest in force. A successor in the same place inherits it.
  struct Progress {
    std::int32_t generation = 0;
    std::int32_t observed_generation = 0;  ///< 0: none was carried out yet.
    /// Nothing was done in the name of the resource at its present place, and the grants were not
    /// found as declared: a leaving resource has nothing to take back.
    bool untouched = true;
    /// The present declaration was found or made true: a later difference is not caused by the
    /// manifest.
    bool settled = false;
    /// Within the claim, since everything was as declared: grants given up by the
    /// manifest, or by manifests that made way. The store keeps only whether such grants
    /// exist.
    SparseBox<GivenUp> given_up = {};
    /// At the last check nothing was done for the resource because it waits for its turn.
    bool held_back = false;
  };

  /// The results of scans about the manifest: a removal needs evidence.
  struct Evidence {
    std::int32_t missing_scans = 0;  ///< In a row. The second one confirms that it is gone.
    ClaimAge age = {};

    [[nodiscard]] bool gone() const { return missing_scans >= 2; }
  };

  /// The public state of the resource.
  struct Standing {
    SharedStatus status = {};
    WallTime since = {};
    /// Why the newest manifest of the name is not in force; the one in force stays so.
    std::shared_ptr<const SharedStatus> rejected = {};
    /// If rejected because several manifests have the name: these manifests.
    SparseBox<std::vector<std::shared_ptr<const manifests::Manifest>>> twins = {};

    /// The reason for a rejection, if rejected; else the status.
    [[nodiscard]] const SharedStatus& headline() const { return rejected ? *rejected : status; }
  };

  std::string name;
  /// The manifest in force; for a resource that never came into force the newest manifest. Never
  /// null: for a document with a name only, the manifest holds nothing more.
  std::shared_ptr<const manifests::Manifest> manifest = {};
  const reconcilers::Kind* kind = nullptr;  ///< Null: not known to this version.
  Place place = {};
  std::int32_t grants = 0;  ///< That it declares.
  Progress progress = {};
  Evidence evidence = {};
  bool accepted = false;  ///< In force.
  bool suspended_by_operator = false;
  /// Its declaration cannot be made out from the store: nothing may be done in its name.
  bool unreadable = false;
  bool dirty = false;  ///< To be recorded at the end of the scan under way.
  Standing standing = {};

  [[nodiscard]] const manifests::Options& options() const { return manifest->options; }
  [[nodiscard]] const manifests::SourceRef& source() const { return manifest->source; }
  [[nodiscard]] bool is_lookup() const { return kind != nullptr && kind->schema().read_only; }
  /// The manifest granted nothing and keeps no access: after a deletion nothing has to be waited
  /// for.
  [[nodiscard]] bool leaves_at_once() const { return is_lookup() && !kind->traits().keeps_access; }
  [[nodiscard]] bool leaving() const { return accepted && evidence.gone(); }
  /// options.retainOnDelete, or the default of the kind.
  [[nodiscard]] bool retained() const {
    const bool by_kind = kind != nullptr && kind->traits().retained_on_delete;
    return options().retain_on_delete.value_or(by_kind);
  }
  /// After a deletion of the manifest, the grants stay in the cloud.
  [[nodiscard]] bool stays_when_gone() const { return options().protect || retained(); }
  [[nodiscard]] bool imports() const { return !options().extra_options().import_id.empty(); }
  /// options.import: it is taken over once it was found just as declared, and not before.
  [[nodiscard]] bool adopting() const { return progress.observed_generation == 0 && imports(); }
  [[nodiscard]] bool suspended() const { return suspended_by_operator || options().suspend; }
};

/// One target, its last reading, and the resources on it.
struct TargetEntry {
  /// What was last read of the target. As long as nothing was read, all is empty.
  struct Reading {
    bool observed = false;  ///< Read at least once.
    bool exists = false;
    bool outputs_known = false;
    bool outputs_moved = false;   ///< They are others than those on record.
    std::int32_t grants = 0;      ///< In the policy.
    std::int32_t undeclared = 0;  ///< Of these, as CountUndeclared().
    std::string etag = {};
    Sha256Digest policy_digest = {};
    WallTime observed_at = {};                   ///< When that succeeded last.
    SparseBox<std::string> lookup_outputs = {};  ///< As Outputs(), of a lookup.

    /// Outputs that contain the etag change with it.
    void SetEtag(const std::string& seen);
    /// What the stored policy is called; empty if none exists.
    [[nodiscard]] std::string PolicyName() const;
  };

  /// How calls to it went. Only `ever_written` is kept in the store.
  struct Calls {
    bool ever_written = false;     ///< bindery wrote its policy at least once.
    bool slow = false;             ///< The last one failed after seconds: it may do so again.
    bool checked = false;          ///< Since this process started.
    std::uint8_t read_here = 0;    ///< How many of its next checks are not lent to others.
    std::uint8_t told_other = 0;   ///< In a row: lent checks whose answer was another one.
    std::uint8_t etag_checks = 0;  ///< In a row that read the etag alone.
    std::int32_t failures = 0;     ///< In a row.
  };

  /// By DriftKey.
  struct Difference {
    DriftClass drift_class = DriftClass::kMissing;
    Severity severity = Severity::kLow;
    DriftCause cause = DriftCause::kUnknown;
    /// Other writers made the difference, after the manifests in force had been compared with the
    /// policy. Not kept in the store: the store marks foreign differences.
    bool later = false;
    auto operator<=>(const Difference&) const = default;
  };
  using Differences = std::map<std::string, Difference>;

  /// The differences on record. An accepted difference leaves the open differences.
  struct Drift {
    SparseBox<Differences> open = {};
    SparseBox<Differences> accepted = {};                        ///< That may stay.
    SparseBox<Differences> notes = {};                           ///< Notes on record.
    SparseBox<std::vector<reconcilers::StoredForm>> forms = {};  ///< As in TargetPlan.
  };

  TargetKey target;
  const reconcilers::Kind* kind = nullptr;
  Interned provider = {};
  Reading reading = {};
  Calls calls = {};
  DriftRate habit = {};
  /// Of a claim that was forgotten since the evidence was settled last, and may come back: what
  /// is undeclared now may be its grants. Not kept in the store.
  ClaimAge forgotten_age = {};
  /// Of the answer at the last check that found all as declared, with nothing changed since in the
  /// declared state: the same answer again needs no second look.
  Sha256Digest last_synced_digest = {};
  boost::container::small_vector<ResourceEntry*, 1> resources = {};  ///< In force, sorted by name.
  /// Roles that several manifests claim and none holds; sorted.
  SparseBox<std::vector<std::string>> contested = {};
  Drift drift = {};
  std::shared_ptr<const store::IntentRecord> unresolved =
      {};  ///< A write whose outcome is not known.

  /// A manifest of the target may be gone or changed: the next look decides.
  [[nodiscard]] bool AwaitsLook() const;
  [[nodiscard]] bool is_lookup() const { return kind != nullptr && kind->schema().read_only; }
  /// The outputs of each resource, as JSON; empty: not known yet. The outputs of a policy
  /// are made on demand, because they follow from the target: they have the last read
  /// etag.
  [[nodiscard]] std::string Outputs() const;
  /// From `seen`, whose etag the target has already. True when the outputs
  /// changed.
  [[nodiscard]] bool TakeOutputs(const reconcilers::Observation& seen);
  [[nodiscard]] store::TargetRecord Record() const;
  [[nodiscard]] std::vector<std::string> Names() const;
  /// The re-check interval of the manifests: the shortest, if any.
  [[nodiscard]] std::optional<std::chrono::milliseconds> OwnInterval() const;
  void Insert(ResourceEntry& resource);
  void Erase(const std::string& name);
};

/// The key drift items are told apart by.
[[nodiscard]] std::string DriftKey(const DriftItem& item);
[[nodiscard]] std::string DriftKey(DriftClass drift_class, const std::string& resource,
                                   const Grant& grant);

}  // namespace bindery::controller
