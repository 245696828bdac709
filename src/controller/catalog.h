#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "admission/admission.h"
#include "core/clock.h"
#include "reconcilers/kinds.h"
#include "store/store.h"

namespace bindery {

/// The two clocks, read together.
struct Now {
  MonoTime mono;
  WallTime wall;
};

/// The part of the configuration that decides what a target should be.
struct CatalogSettings {
  Mode mode = Mode::kEnforce;
  bool keep_undeclared = false;
  std::chrono::milliseconds interval{300'000};
  std::map<std::string, std::string> projects;  ///< Provider name to its default project.
  /// Provider name to its type; a manifest that names none gets the one named like the type.
  std::map<std::string, std::string> provider_types;
};

/// Between a manifest's name and the rest of the name of its former claim: no manifest's name can
/// hold it.
inline constexpr std::string_view kFormerClaim = " (before generation ";

/// One declared resource: what the store keeps of it, and its declaration in memory.
struct ResourceEntry {
  ResourceRecord record;
  const Kind* kind = nullptr;
  Declaration declaration;
  Options options;
  /// Why the newest manifest of that name is not in force; the one in force stays so.
  std::optional<ResourceStatus> rejected = {};
  /// What it declares cannot be made out from the store: nothing may be done in its name.
  bool unreadable = false;

  [[nodiscard]] bool leaving() const { return record.accepted && record.missing_scans >= 2; }
  [[nodiscard]] bool suspended() const { return record.suspended || options.suspend; }
};

/// One target and who declares something on it.
struct TargetEntry {
  TargetRecord record;
  const Kind* kind = nullptr;
  std::set<std::string> resources;  ///< In force, by name.
  std::set<std::string> contested;  ///< Roles that several manifests claim and nobody holds.
  /// The differences on record, by DriftKey.
  std::map<std::string, std::pair<DriftClass, Severity>> open_drift;
  std::optional<IntentRecord> unresolved = {};  ///< A write whose outcome is not known.
  int failures = 0;                             ///< In a row.
  bool slow = false;     ///< The last call failed after seconds: it may do so again.
  bool checked = false;  ///< Since this process started.
};

/// What a scan of the directory changed.
struct ScanOutcome {
  StoreChange change;
  std::vector<std::string> changed_targets;  ///< Keys; to be checked now.
  std::vector<Problem> conflicts;
  std::int64_t declared_before = 0;   ///< As DeclaredGrants, before this scan.
  bool confirm = false;               ///< Manifests are missing: one more scan must confirm it.
  std::vector<std::string> previews;  ///< Packages in preview that are used for the first time.
};

/// What the last run left in the store.
struct StoredState {
  std::vector<ResourceRecord> resources;
  std::vector<TargetRecord> targets;
  std::vector<DriftRecord> open_drift;
  std::vector<IntentRecord> intents;  ///< Without an outcome.
  std::vector<HoldRecord> holds;
};

/// What one finished scan found, as the catalog needs it.
struct ScanInput {
  std::vector<std::shared_ptr<const Manifest>> manifests;
  std::vector<Problem> problems;
  std::set<std::string> broken_files;
  std::string digest;
  std::int64_t files = 0;
};

/// All resources and targets, in memory; the store holds the same. Belongs to the loop thread.
/// Pure: it changes itself and says what to write to the store.
class Catalog {
 public:
  explicit Catalog(const Kinds& kinds) : kinds_(kinds) {}

  void SetSettings(CatalogSettings settings) { settings_ = std::move(settings); }
  [[nodiscard]] const CatalogSettings& settings() const { return settings_; }

  /// What the last run left in the store.
  void Load(const StoredState& stored);

  /// Brings a consistent scan into force.
  [[nodiscard]] ScanOutcome ApplyScan(const ScanInput& scan, const Now& now);

  /// Everything declared on that target now. Requires: the target exists.
  /// Nothing may be done about any claim on the target.
  [[nodiscard]] bool IsFrozen(const std::string& key) const;
  [[nodiscard]] Desired DesiredOf(const std::string& key) const;

  /// How often that target is re-checked.
  [[nodiscard]] std::chrono::milliseconds IntervalOf(const std::string& key) const;

  /// Takes a resource out, for good. The target goes with its last resource.
  void Forget(const std::string& name, StoreChange& change);

  /// Sets a resource's status; adds it to the change when it is another one than before.
  /// True when state or reason changed.
  bool SetStatus(ResourceEntry& entry, ResourceStatus status, const Now& now, StoreChange& change);

  [[nodiscard]] ResourceEntry* FindResource(const std::string& name);
  [[nodiscard]] TargetEntry* FindTarget(const std::string& key);
  [[nodiscard]] std::map<std::string, ResourceEntry>& resources() { return resources_; }
  [[nodiscard]] std::map<std::string, TargetEntry>& targets() { return targets_; }
  [[nodiscard]] const std::map<std::string, ResourceEntry>& resources() const { return resources_; }
  [[nodiscard]] const std::map<std::string, TargetEntry>& targets() const { return targets_; }

  /// What the directory holds: grants of all manifests in force, also of those on their way out.
  /// The guard's fraction is of this, so that what waits for removal does not shrink its own
  /// measure.
  [[nodiscard]] std::int64_t DeclaredGrants() const;

  /// The other entry of that manifest: what it claimed before it named another target or role.
  [[nodiscard]] std::vector<std::string> FormerClaimsOf(const std::string& name) const;

  /// What the status of a resource whose manifest is gone says while nothing stands in its way.
  [[nodiscard]] static ResourceStatus LeavingStatus(const ResourceEntry& entry);
  [[nodiscard]] std::vector<const Kind*> AllKinds() const;

  /// Where a manifest belongs: its kind, target, provider and role.
  [[nodiscard]] Expected<Placement> Place(const Manifest& manifest) const;

  /// Whatever nobody declares may not be removed: a file's content is unknown.
  [[nodiscard]] bool unknown_content() const { return unknown_content_; }

 private:
  void Restore(const ResourceRecord& record);
  [[nodiscard]] AdmissionInput InputOf(const ScanInput& scan) const;
  [[nodiscard]] Expected<Placement> PlaceOrRefuse(const Manifest& manifest) const;
  void Accept(const Admitted& admitted, const Now& now, ScanOutcome& outcome);
  void Replace(const std::string& name, const Now& now, ScanOutcome& outcome);
  void NoteRejected(const Rejected& rejected, const Now& now, ScanOutcome& outcome);
  void NoteMissing(const std::string& name, const Now& now, ScanOutcome& outcome);
  void NoteFrozen(const std::string& name, const Now& now, ScanOutcome& outcome);
  void MoveClaims(const AdmissionResult& result, const Now& now, ScanOutcome& outcome);
  void TakeOver(const std::string& name, const Placement& placement, ScanOutcome& outcome);
  void ForgetRetained(const std::string& key, StoreChange& change);
  void DropUnaccepted(const AdmissionResult& result, ScanOutcome& outcome);
  void SetContested(const std::vector<Placement>& contested, std::set<std::string>& changed);
  void Attach(ResourceEntry& entry);
  void Detach(const ResourceEntry& entry, StoreChange& change);
  [[nodiscard]] Treatment TreatmentOf(const ResourceEntry& entry) const;

  const Kinds& kinds_;
  CatalogSettings settings_;
  std::map<std::string, ResourceEntry> resources_;
  std::map<std::string, TargetEntry> targets_;
  std::set<std::string> changed_;  ///< Targets touched by the scan under way.
  std::set<std::string> previews_seen_;
  /// Before the first scan nothing is known of what the directory holds today.
  bool unknown_content_ = true;
  bool scanned_ = false;
};

/// The key drift items are told apart by.
[[nodiscard]] std::string DriftKey(const DriftItem& item);

}  // namespace bindery
