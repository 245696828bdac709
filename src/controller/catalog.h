#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "admission/admission.h"
#include "controller/dependencies.h"
#include "controller/grant_times.h"
#include "controller/now.h"
#include "controller/project_names.h"
#include "controller/removal_evidence.h"
#include "controller/resource_entry.h"
#include "controller/stored_state.h"
#include "controller/target_work.h"
#include "core/clock.h"
#include "manifests/directory.h"
#include "providers/kinds.h"
#include "store/store.h"

namespace bindery {

/// The part of the configuration that decides what a target should be.
struct CatalogSettings {
  Mode mode = Mode::kEnforce;
  bool keep_undeclared = false;
  std::string rules;                                     ///< As GenerationRecord::rules.
  std::shared_ptr<const SeverityRules> severities = {};  ///< As Desired::severities.
  std::map<std::string, std::string> projects;           ///< Provider name to its default project.
  /// Provider name to its type; a manifest that names none gets the one named like the type.
  std::map<std::string, std::string> provider_types;

  bool operator==(const CatalogSettings&) const = default;
};

/// Between a manifest's name and the rest of the name of its former claim: no manifest's name can
/// hold it.
inline constexpr std::string_view kFormerClaim = " (before generation ";

/// What a scan of the directory changed.
struct ScanOutcome {
  StoreChange change;
  std::vector<TargetKey> changed_targets;  ///< To be checked now.
  std::vector<Problem> conflicts;
  std::int64_t declared_before = 0;   ///< As DeclaredGrants, before this scan.
  bool confirm = false;               ///< Manifests are missing: one more scan must confirm it.
  std::vector<std::string> previews;  ///< Packages in preview that are used for the first time.
};

/// How a scan differs from the one that came into force before it.
struct ScanEdit {
  std::vector<std::shared_ptr<const FileContent>> now;     ///< Files that are new or different.
  std::vector<std::shared_ptr<const FileContent>> before;  ///< What these, and those gone, held.
};

/// What one finished scan found, as the catalog needs it.
struct ScanInput {
  FileList files;                      ///< All there are.
  std::size_t manifests = 0;           ///< In all of them.
  std::optional<ScanEdit> edit;        ///< Nothing: not known, look at all of them.
  std::vector<Problem> problems;       ///< All there are, those within files included.
  std::set<std::string> broken_files;  ///< Could not be read or decoded at all.
  std::string digest;                  ///< Of everything: for people and the record.
  DirectoryFacts facts = {};           ///< How far it can be believed when something is missing.

  /// The last scan once more: outputs that manifests refer to have changed, the directory has not.
  bool again = false;

  std::vector<DirectoryScan::Remembered> remember = {};  ///< Files to be known at the next start.
  std::vector<std::string> unremember = {};              ///< Files to be read then.

  [[nodiscard]] std::vector<std::shared_ptr<const Manifest>> Manifests() const;
};

/// All resources and targets, in memory; the store holds the same. Belongs to the loop thread.
/// Pure: it changes itself and says what to write to the store.
class Catalog {
 public:
  using Resources = std::map<std::string, ResourceEntry>;
  using Targets = std::unordered_map<TargetKey, TargetEntry, TargetKey::Hash, TargetKey::Equal>;

  explicit Catalog(const Kinds& kinds) : kinds_(kinds) {}
  ~Catalog() = default;
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  void SetSettings(CatalogSettings settings);
  [[nodiscard]] const CatalogSettings& settings() const { return settings_; }

  /// What the last run left in the store: targets, then resources, then the rest. There may be
  /// hundreds of thousands: they are taken one by one.
  void BeginLoad(bool by_same_rules, const EvidenceRecord& evidence = {});
  void LoadTarget(const TargetRecord& record);
  void LoadResource(const ResourceRecord& record);
  void EndLoad(const std::vector<DriftRecord>& open_drift,
               const std::vector<IntentRecord>& intents);

  /// Brings a consistent scan into force. A sound edit of a sound directory costs what was edited,
  /// however large the rest is. `all_wait`: every target is due already, and none was taken up;
  /// told as changed are then only those the scan touches, also where it makes all others be looked
  /// at.
  [[nodiscard]] ScanOutcome ApplyScan(const ScanInput& scan, const Now& now, bool all_wait = false);

  /// Why the scan must not come into force: it holds no manifest, and some in force would be taken
  /// for deleted. More likely it was made by mistake, as an empty directory is.
  [[nodiscard]] std::optional<Error> WouldEmpty(const ScanInput& scan) const;

  /// Those on their way out that only waited for this one may have their turn now.
  void NoteFreed(const std::string& name);

  /// The store lacks something: the next start shall read all files, and judge them anew.
  void Distrust() { trusted_ = false; }
  /// As it is to be recorded now.
  [[nodiscard]] GenerationRecord LastGeneration() const;
  /// Another number whenever the settings changed.
  [[nodiscard]] std::uint64_t rules_in_use() const { return rules_in_use_; }

  /// What the store must know of the scan's files, so that those whose manifests are all in force
  /// need not be read at the next start.
  void RememberFiles(const ScanInput& scan, StoreChange& change) const;
  /// The files of the store whose manifests are all in force, as a scan would hand them out;
  /// nothing when there are resources in force besides, or other rules. Once, before the load ends.
  [[nodiscard]] std::optional<std::vector<KnownFile>> KnownFiles(std::vector<StoredFile> files);

  /// Nothing may be done about any claim on the target. Requires: the target exists.
  [[nodiscard]] bool IsFrozen(const TargetKey& key) const;
  /// What its manifest declares is taken out of the policy, as its condition ended
  /// (options.expired).
  [[nodiscard]] bool IsTakenOut(const ResourceEntry& entry) const;
  /// It is to be taken out when its condition has ended, and whether it has cannot be told: its
  /// role stays as it is.
  [[nodiscard]] bool AwaitsTime(const ResourceEntry& entry) const;
  /// The conditions in force that time bounds.
  [[nodiscard]] ProjectNames& project_names() { return project_names_; }
  [[nodiscard]] const ProjectNames& project_names() const { return project_names_; }
  /// Not all that is declared on them is known while an answer is waited for.
  [[nodiscard]] std::vector<TargetKey> DoubtedTargets() const;
  /// The service has told whose number that is: what is declared under it is let go of, without
  /// touching the cloud, and finds its place with the next scan. `change.forget_targets` are gone.
  void Identify(const std::string& number, const std::string& id, StoreChange& change);
  [[nodiscard]] GrantTimes& times() { return times_; }
  [[nodiscard]] const GrantTimes& times() const { return times_; }

  /// A check of that target: everything declared on it now. Without a connection. `in_order`: what
  /// waits for others is left alone; else as if it had its turn.
  [[nodiscard]] CheckJob JobOf(const TargetEntry& target, bool in_order = true) const;

  /// Whom a resource in force waits for before anything may be written for it; null: nobody.
  [[nodiscard]] const ResourceEntry* BlockedBy(const ResourceEntry& entry) const;
  /// For whose sake what a leaving resource granted must stay for now: one that depends on it, or
  /// that grants in its place but not yet; null: nobody.
  [[nodiscard]] const ResourceEntry* KeptFor(const ResourceEntry& entry) const;
  /// Those it needs to be as declared before anything is written for it.
  [[nodiscard]] std::vector<const ResourceEntry*> NeedsInForce(const ResourceEntry& entry) const;
  [[nodiscard]] static ResourceStatus WaitingStatus(const ResourceEntry& need);
  [[nodiscard]] static ResourceStatus KeptStatus(const ResourceEntry& entry,
                                                 const ResourceEntry& keeper);

  /// Who need wait no longer now that the resources of a target are as declared.
  struct Awakened {
    std::set<TargetKey> targets;  ///< To be checked now.
    bool resolve = false;         ///< Manifests wait for outputs that are known now.
  };
  [[nodiscard]] Awakened Awaken(const TargetEntry& target) const;
  /// Some manifest refers to that resource.
  [[nodiscard]] bool FeedsTemplates(const std::string& name) const;
  /// Targets on which something is left to be removed, now that nobody needs it any more.
  [[nodiscard]] std::set<TargetKey> TakeFreed() { return std::exchange(freed_, {}); }
  /// Whether what the directory does not declare may be removed.
  [[nodiscard]] RemovalEvidence& evidence() { return evidence_; }
  [[nodiscard]] const RemovalEvidence& evidence() const { return evidence_; }
  /// Notes which claims have settled by now: cheap when none waits for that.
  void SettleClaims(const Now& now);
  /// What the evidence says of the directory as a whole, then of each claim on the target. What no
  /// manifest declares goes when all allow it: none of them may be half of something.
  [[nodiscard]] std::vector<RemovalEvidence::Verdict> JudgeClaims(const TargetEntry& target,
                                                                  const Now& now) const;
  /// As evidence().Record(), with what the claims add to it.
  [[nodiscard]] EvidenceRecord EvidenceNow() const;
  /// The operator approved what goes of that role.
  void AnswerQuestionFor(const Target& target, const std::string& role);
  /// The operator waives the settling of what these resources do not declare any more.
  void MakeUrgent(const std::string& name);
  /// Some manifest of the last scan is kept from what a protected one holds.
  [[nodiscard]] bool awaits_forget() const { return awaits_forget_; }
  /// Some manifest of the last scan refers to others.
  [[nodiscard]] bool has_templates() const { return !templates_.empty(); }

  /// How often its manifests want that target re-checked: the shortest of their intervals, if any.
  [[nodiscard]] static std::optional<std::chrono::milliseconds> OwnInterval(
      const TargetEntry& target);

  /// What a resource declares cannot be made out: nothing is done in its name.
  void NoteUnreadable(ResourceEntry& entry, const std::string& why);

  /// Takes a resource out, for good. The target goes with its last resource.
  void Forget(const std::string& name, StoreChange& change);

  /// Sets a resource's status; adds it to the change when it is another one than before.
  /// True when state or reason changed.
  /// `acted`: what it declares was looked at as it is to be looked at, or carried out.
  bool SetStatus(ResourceEntry& entry, SharedStatus status, const Now& now, StoreChange& change,
                 bool acted = false) const;

  /// Leaves although nothing was ever done in its name: it can be forgotten as it is.
  [[nodiscard]] bool LeavesNothing(const ResourceEntry& entry) const;

  /// The resource as the store keeps it.
  [[nodiscard]] ResourceRecord RecordOf(const ResourceEntry& entry) const;
  /// The same, made when it is written: for a scan, which may bring a hundred thousand.
  [[nodiscard]] std::shared_ptr<const ResourceSnapshot> SnapshotOf(
      const ResourceEntry& entry) const;

  [[nodiscard]] ResourceEntry* FindResource(const std::string& name);
  [[nodiscard]] TargetEntry* FindTarget(const TargetKey& key);
  [[nodiscard]] TargetEntry* FindTarget(const Target& target);
  /// The key that the target has already, else a new one: else its name would be kept twice.
  [[nodiscard]] TargetKey KeyOf(const Target& target) const;
  [[nodiscard]] Targets& targets() { return targets_; }
  [[nodiscard]] const Resources& resources() const { return resources_; }
  [[nodiscard]] const Targets& targets() const { return targets_; }

  /// What the directory holds: grants of all manifests in force, also of those on their way out.
  /// The guard's fraction is of this, so that what waits for removal does not shrink its own
  /// measure.
  [[nodiscard]] std::int64_t DeclaredGrants() const { return declared_grants_; }

  /// Whose checks would take away what that one granted if it were forgotten together with `gone`;
  /// null: nobody's.
  [[nodiscard]] const ResourceEntry* RemoverOf(const ResourceEntry& entry,
                                               const std::set<std::string>& gone) const;

  /// The other entry of that manifest: what it claimed before it named another target or role.
  [[nodiscard]] std::vector<std::string> FormerClaimsOf(const std::string& name) const;

  /// What the status of a resource whose manifest is gone says while nothing stands in its way.
  [[nodiscard]] static ResourceStatus LeavingStatus(const ResourceEntry& entry);
  [[nodiscard]] std::vector<const Kind*> AllKinds() const;

  /// Where a manifest belongs: its kind, target, provider and role. kUnavailable while it has
  /// references.
  [[nodiscard]] Expected<Placement> Place(const Manifest& manifest) const;

  /// The same of a manifest with references that cannot be resolved: nothing when it depends on
  /// them.
  [[nodiscard]] std::optional<Placement> PlaceOf(const Manifest& manifest) const;

  /// Whatever nobody declares may not be removed: a file's content is unknown.
  [[nodiscard]] bool unknown_content() const { return unknown_content_; }

 private:
  // catalog_restore.cc
  [[nodiscard]] std::shared_ptr<const Manifest> ManifestOf(const ResourceRecord& record,
                                                           const Kind* kind);
  ResourceEntry& LoadedEntry(const std::string& name);
  TargetEntry& LoadedTarget(const Target& target);
  void LoadAge(ResourceEntry& entry, const ResourceRecord& record);
  void LoadOutputs(TargetEntry& target, const ResourceRecord& record) const;

  // catalog_admit.cc: who comes into force
  [[nodiscard]] AdmissionResult AdmitAll(const ScanInput& scan) const;
  [[nodiscard]] std::optional<AdmissionResult> AdmitEdit(const ScanInput& scan) const;
  using Newcomers = std::map<std::string, Admitted>;
  [[nodiscard]] std::optional<Newcomers> PlaceAll(const ScanEdit& edit) const;
  [[nodiscard]] std::set<std::string> MissingAfter(const ScanEdit& edit,
                                                   const Newcomers& newcomers) const;
  [[nodiscard]] bool AreFree(const Newcomers& newcomers,
                             const std::set<std::string>& missing) const;
  [[nodiscard]] bool IsFree(const Placement& placement, const Newcomers& newcomers,
                            const std::set<std::string>& missing) const;
  [[nodiscard]] AdmissionInput InputOf(const ScanInput& scan) const;
  [[nodiscard]] tl::expected<Resolved, Unplaced> ResolveOrRefuse(
      const std::shared_ptr<const Manifest>& manifest) const;
  [[nodiscard]] Expected<Placement> PlaceOrRefuse(const Manifest& manifest) const;

  // catalog_scan.cc: how they do
  void BringIntoForce(const AdmissionResult& result, bool again, const Now& now,
                      ScanOutcome& outcome);
  [[nodiscard]] std::vector<TargetKey> AllTargets();
  [[nodiscard]] std::vector<TargetKey> TakeChanged();
  void RecordScan(const ScanInput& scan, const Now& now, ScanOutcome& outcome);
  void Accept(const Admitted& admitted, const Now& now, ScanOutcome& outcome);
  void Replace(const std::string& name, const Now& now);
  void NoteRejected(const Rejected& rejected, const Now& now, ScanOutcome& outcome);
  void NoteMissing(const std::string& name, const Now& now, ScanOutcome& outcome);
  void NoteFrozen(const std::string& name, const ResourceStatus& why, const Now& now,
                  ScanOutcome& outcome);
  [[nodiscard]] ResourceStatus StatusOfFrozen(const std::string& name,
                                              const AdmissionResult& result) const;
  void NoteChanged(ResourceEntry& entry, bool fresh);
  void NoteAbsent(ResourceEntry& entry);
  void NoteMissed(const AdmissionResult& result);
  [[nodiscard]] std::string TextOfLeaving(const ResourceEntry& entry, const Now& now) const;
  void MoveClaims(const AdmissionResult& result, const Now& now);
  bool TakeOver(const std::string& name, const Placement& placement, ScanOutcome& outcome);
  void ForgetRetained(const TargetKey& key, StoreChange& change);
  void ForgetGoneLookups(ScanOutcome& outcome);
  void DropUnaccepted(const AdmissionResult& result, ScanOutcome& outcome);
  void SetContested(const std::vector<Placement>& contested);

  // catalog_rename.cc
  void TakeFormerNames(const ScanInput& scan, const Now& now, ScanOutcome& outcome);
  void Rename(const std::string& from, const std::string& to, const Now& now, ScanOutcome& outcome);

  // catalog_links.cc
  [[nodiscard]] bool KnowsName(const std::string& name) const;
  [[nodiscard]] bool IsSettled(const ResourceEntry& entry) const;
  [[nodiscard]] Expected<Json> OutputsOf(const std::string& name) const;
  [[nodiscard]] std::set<std::string> NeedsOf(const Manifest& manifest) const;
  void NoteTemplates(const ScanInput& scan);
  // catalog_projects.cc: policies that have two names
  void NoteProjects(const ScanInput& scan);
  void NoteProject(const Manifest& manifest);
  void LearnProject(const ResourceEntry& entry, const Target& target);
  void NoteLinked(const Manifest& manifest);
  void NoteNeeds();
  [[nodiscard]] bool TouchesLinks(const ScanEdit& edit) const;
  void HoldBackDependents();

  ResourceEntry& EntryOf(const std::string& name);
  /// Empty when nothing is known yet.
  [[nodiscard]] std::string KnownOutputs(const ResourceEntry& entry) const;
  /// Whether all that a file declares is in force, as it stands there.
  [[nodiscard]] bool IsKnown(const FileContent& file) const;
  TargetEntry& EntryAt(const TargetKey& key);
  void MarkDirty(ResourceEntry& entry);
  void PutAt(ResourceEntry& entry, const Placement& placement) const;
  void Attach(ResourceEntry& entry);
  static void AttachTo(TargetEntry& target, ResourceEntry& entry);
  void Detach(const ResourceEntry& entry, StoreChange& change);
  [[nodiscard]] Mode ModeOf(const ResourceEntry& entry) const;
  [[nodiscard]] bool WaitsNoMore(const ResourceEntry& dependent, const ResourceEntry& need) const;
  [[nodiscard]] Treatment TreatmentOf(const ResourceEntry& entry, bool in_order = true) const;
  [[nodiscard]] Expected<Placement> PlaceAsWritten(const Manifest& manifest) const;
  [[nodiscard]] Expected<void> CheckImport(const Kind& kind, const Manifest& manifest,
                                           const Placement& placement) const;
  [[nodiscard]] Expected<Declaration> Declare(const Kind& kind, const Manifest& manifest,
                                              const std::string& provider) const;

  const Kinds& kinds_;
  CatalogSettings settings_;
  Resources resources_;
  Targets targets_;
  std::int64_t declared_grants_ = 0;
  Dependencies dependencies_;
  RemovalEvidence evidence_;
  bool unsettled_ = false;  ///< Some claim may not be settled yet.
  /// The manifests of the last scan that refer to others, as they are written.
  std::map<std::string, std::shared_ptr<const Manifest>> templates_;
  std::set<std::string> former_claims_;  ///< Resources that are one.
  std::set<TargetKey> freed_;            ///< As TakeFreed.
  GrantTimes times_;
  ProjectNames project_names_;
  // Of the load under way:
  std::int32_t settled_before_ = 0;                   ///< As EvidenceRecord::settled.
  Resources::iterator load_next_ = resources_.end();  ///< Behind what was loaded last.
  TargetEntry* load_target_ = nullptr;                ///< That of what was loaded last.
  std::vector<std::shared_ptr<const Manifest>> load_manifests_;
  // Of the scan under way:
  std::set<std::string> relink_;       ///< Resources that may need others than before.
  std::set<TargetKey> changed_;        ///< Targets it touches.
  std::vector<ResourceEntry*> dirty_;  ///< To be recorded when it is done.
  /// Manifests that came into force, and whether another one of their name was before.
  std::vector<std::pair<ResourceEntry*, bool>> news_;
  std::vector<std::string> gone_lookups_;  ///< Whose manifest is gone, or looks elsewhere now.
  // Of the last one:
  std::set<TargetKey> contested_on_;    ///< Targets with contested roles.
  std::set<std::string> unaccepted_;    ///< Resources that are not in force.
  std::set<std::string> missing_once_;  ///< Whose manifest the last scan did not find.
  std::set<TypeToken> unknown_tokens_;  ///< Of resources of another version of this program.
  std::set<std::string> previews_seen_;
  /// Before the first scan nothing is known of what the directory holds today.
  bool unknown_content_ = true;
  bool scanned_ = false;
  /// The last scan brought everything it found into force.
  bool sound_ = false;
  bool awaits_forget_ = false;
  /// What was placed by other settings than these must be placed anew.
  bool placed_otherwise_ = false;
  bool trusted_ = true;  ///< Whatever was to be recorded is, as far as is known.
  std::uint64_t rules_in_use_ = 0;
  GenerationRecord generation_;  ///< Of the last scan.
};

/// The key drift items are told apart by.
[[nodiscard]] std::string DriftKey(const DriftItem& item);

}  // namespace bindery
