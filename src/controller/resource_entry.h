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
#include "controller/claim_age.h"
#include "controller/recheck_plan.h"
#include "core/interned.h"
#include "core/sparse_box.h"
#include "core/target_key.h"
#include "reconcilers/kind.h"
#include "store/records.h"

namespace bindery {

namespace reason {
/// Its manifest is gone, and its target is not found.
inline constexpr std::string_view kTargetNotFound = "TargetNotFound";
}  // namespace reason

/// The status of a resource. Most have the same, so they share one: a hundred thousand of
/// them are kept in memory.
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

  /// All is as the manifest declares it.
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
  /// There are others, which an earlier run knew.
  bool untold = false;

  [[nodiscard]] bool empty() const { return grants.empty() && !untold; }
};

/// One declared resource: its manifest, what that claims, and its status.
struct ResourceEntry {
  /// Where the resource claims access. All is empty when it never got far enough to have a target.
  struct Place {
    TargetKey target = {};
    Interned provider = {};
    Interned role = {};

    [[nodiscard]] Placement placement() const;
    [[nodiscard]] bool IsAt(const Placement& placement) const;
  };

  /// The result of the manifest in force. A successor in the same place inherits it.
  struct Progress {
    std::int32_t generation = 0;
    std::int32_t observed_generation = 0;  ///< 0: none was carried out yet.
    /// Nothing was done in its name where it is declared, nor was it found there as declared: when
    /// it goes there is nothing to take back.
    bool untouched = true;
    /// What its manifest says now was found, or made, to be so: a difference since then is none of
    /// its making.
    bool settled = false;
    /// Of the part that it claims, since everything was as declared there last: by its own
    /// manifest before, or by manifests that made way for it. Only that there are some is kept in
    /// the store.
    SparseBox<GivenUp> given_up = {};
    /// At its last check nothing was done in its name because others come first.
    bool held_back = false;
  };

  /// What scans of the directory say of its manifest: a removal needs evidence.
  struct Evidence {
    std::int32_t missing_scans = 0;  ///< In a row. The second one confirms that it is gone.
    ClaimAge age = {};

    [[nodiscard]] bool gone() const { return missing_scans >= 2; }
  };

  /// What people are told of it.
  struct Standing {
    SharedStatus status = {};
    WallTime since = {};
    /// Why the newest manifest of the name is not in force; the one in force stays so.
    std::shared_ptr<const SharedStatus> rejected = {};

    /// The reason why it is kept out, if it is; else its status.
    [[nodiscard]] const SharedStatus& headline() const { return rejected ? *rejected : status; }
  };

  std::string name;
  /// The one in force; of a resource that never came into force the newest one. Never null: where a
  /// document told no more than its name, there is nothing else in it.
  std::shared_ptr<const Manifest> manifest = {};
  const Kind* kind = nullptr;  ///< Null: not known to this version.
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

  [[nodiscard]] const Options& options() const { return manifest->options; }
  [[nodiscard]] const SourceRef& source() const { return manifest->source; }
  [[nodiscard]] bool is_lookup() const { return kind != nullptr && kind->schema().read_only; }
  /// Its manifest granted nothing and keeps no access: once it is gone there is nothing to wait
  /// for.
  [[nodiscard]] bool leaves_at_once() const { return is_lookup() && !kind->traits().keeps_access; }
  [[nodiscard]] bool leaving() const { return accepted && evidence.gone(); }
  /// options.retainOnDelete, or what its kind does without that.
  [[nodiscard]] bool retained() const {
    const bool by_kind = kind != nullptr && kind->traits().retained_on_delete;
    return options().retain_on_delete.value_or(by_kind);
  }
  /// Once its manifest is gone, what it granted stays in the cloud.
  [[nodiscard]] bool stays_when_gone() const { return options().protect || retained(); }
  [[nodiscard]] bool imports() const { return !options().extra_options().import_id.empty(); }
  /// options.import: it is taken over once it was found just as declared, and not before.
  [[nodiscard]] bool adopting() const { return progress.observed_generation == 0 && imports(); }
  [[nodiscard]] bool suspended() const { return suspended_by_operator || options().suspend; }
};

/// One target, what was last read there, and who declares something on it.
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

    /// Outputs that are made of the etag move with it.
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
    /// Others made it, once the manifests in force had been compared with the policy. Not kept in
    /// the store: there, what is foreign is taken for that.
    bool later = false;
    auto operator<=>(const Difference&) const = default;
  };
  using Differences = std::map<std::string, Difference>;

  /// The differences on record. One that becomes accepted leaves the open ones.
  struct Drift {
    SparseBox<Differences> open = {};
    SparseBox<Differences> accepted = {};           ///< That may stay.
    SparseBox<Differences> notes = {};              ///< Notes on record.
    SparseBox<std::vector<StoredForm>> forms = {};  ///< As in TargetPlan.
  };

  TargetKey target;
  const Kind* kind = nullptr;
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
  std::shared_ptr<const IntentRecord> unresolved = {};  ///< A write whose outcome is not known.

  /// One of its manifests may be gone, or say something else: the next look tells.
  [[nodiscard]] bool AwaitsLook() const;
  [[nodiscard]] bool is_lookup() const { return kind != nullptr && kind->schema().read_only; }
  /// Of each of its resources, as JSON; empty: not known yet. Those of a policy are made when they
  /// are asked for, as they say nothing that is not known of the target anyway: they have the etag
  /// that was read last.
  [[nodiscard]] std::string Outputs() const;
  /// As `seen` gives them, whose etag is the target's already. True when they are others than
  /// before.
  [[nodiscard]] bool TakeOutputs(const Observation& seen);
  [[nodiscard]] TargetRecord Record() const;
  [[nodiscard]] std::vector<std::string> Names() const;
  /// How often its manifests want it re-checked: the shortest of their intervals, if any.
  [[nodiscard]] std::optional<std::chrono::milliseconds> OwnInterval() const;
  void Insert(ResourceEntry& resource);
  void Erase(const std::string& name);
};

/// The key drift items are told apart by.
[[nodiscard]] std::string DriftKey(const DriftItem& item);
[[nodiscard]] std::string DriftKey(DriftClass drift_class, const std::string& resource,
                                   const Grant& grant);

}  // namespace bindery
