#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/claims/catalog_settings.h"
#include "controller/claims/claims.h"
#include "controller/claims/dependencies.h"
#include "controller/claims/scan_input.h"

namespace bindery::controller {

/// The waiting order of resources: by options.dependsOn, by references, and because a claim goes
/// after its replacement.
///
/// Invariants: the needs of a resource are known after Relink(), for all noted manifests. A leaving
/// resource blocks no resource. A resource that is still needed is not removed. Belongs to the loop
/// thread; claims and settings outlive the object. Reads claims and settings, and changes neither.
class Links {
 public:
  Links(const Claims& claims, const CatalogSettings& settings)
      : claims_(claims), settings_(settings) {}

  /// Takes over the whole state of `other`.
  void CopyFrom(const Links& other) {
    dependencies_ = other.dependencies_;
    awaited_ = other.awaited_;
    templates_ = other.templates_;
    noted_ = other.noted_;
    freed_ = other.freed_;
  }

  /// The needs of the resources of the names alone.
  void CopyFrom(const Links& other, const std::set<std::string>& names);

  // Of a scan or a load

  /// Takes over the manifests of the scan with references.
  void NoteTemplates(const ScanInput& scan);
  /// The manifest came up for its name, and its needs may differ from before. A kept-out manifest
  /// with an older version in force only waits for its needs.
  void NoteManifest(const manifests::Manifest& manifest);
  /// Finds the needs of the noted manifests, after all names of the scan are known.
  void Relink();
  /// Some manifest of the edit needs others, or is needed.
  [[nodiscard]] bool TouchedBy(const ScanEdit& edit) const;
  /// There is a resource or a manifest of the name.
  [[nodiscard]] bool Knows(const std::string& name) const;
  /// The manifest of the name refers to others.
  [[nodiscard]] bool IsTemplate(const std::string& name) const { return templates_.contains(name); }
  /// What `name` needs, whatever the names stand for.
  [[nodiscard]] const std::set<std::string>& FindNeeds(const std::string& name) const {
    return dependencies_.Needs(name);
  }
  /// The outputs for manifests that refer to the resource. kUnavailable: not known yet.
  [[nodiscard]] Expected<Json> GetOutputs(const std::string& name) const;
  /// Some manifest of the last scan refers to others.
  [[nodiscard]] bool has_templates() const { return !templates_.empty(); }
  /// Some manifest refers to the resource.
  [[nodiscard]] bool FeedsTemplates(const std::string& name) const;

  // The order of turns

  [[nodiscard]] bool empty() const { return dependencies_.empty(); }
  [[nodiscard]] const std::set<std::string>& ListDependents(const std::string& name) const {
    return dependencies_.Dependents(name);
  }
  /// The target was checked and is as declared; undeclared grants may still have to go.
  [[nodiscard]] bool IsSettled(const ResourceEntry& entry) const;
  /// The resources that must be as declared before a write for `entry`.
  [[nodiscard]] std::vector<const ResourceEntry*> NeedsInForce(const ResourceEntry& entry) const;
  /// The first of these resources that is not as declared; null: none.
  [[nodiscard]] const ResourceEntry* BlockedBy(const ResourceEntry& entry) const;
  /// The resource that keeps the grants of a leaving resource for now: a dependent, or a
  /// replacement that is not in place yet. Null: none.
  [[nodiscard]] const ResourceEntry* DeletionBlockedBy(const ResourceEntry& entry) const;

  /// Resources whose wait ends because the resources of a target are as declared.
  struct Unblocked {
    std::set<TargetKey> targets;  ///< To be checked now.
    bool resolve = false;         ///< Manifests wait for outputs that are known now.
  };
  [[nodiscard]] Unblocked UnblockedBy(const TargetEntry& target) const;

  /// Leaving resources that only waited for the resource may have their turn now.
  void NoteFreed(const std::string& name);
  /// The targets of these resources.
  [[nodiscard]] std::set<TargetKey> TakeFreed() { return std::exchange(freed_, {}); }
  /// The resource has no dependencies any more.
  void Erase(const std::string& name) {
    dependencies_.Erase(name);
    awaited_.Erase(name);
  }

 private:
  [[nodiscard]] std::set<std::string> ListNeeds(const manifests::Manifest& manifest) const;
  [[nodiscard]] bool WaitsNoMore(const ResourceEntry& dependent, const ResourceEntry& need) const;

  const Claims& claims_;
  const CatalogSettings& settings_;
  Dependencies dependencies_;  ///< Of what is in force, or came first.
  Dependencies awaited_;       ///< By those that are kept out.
  /// The unresolved manifests of the last scan with references.
  std::multimap<std::string, std::shared_ptr<const manifests::Manifest>> templates_;
  std::set<std::string> noted_;  ///< For the next Relink.
  std::set<TargetKey> freed_;    ///< As TakeFreed.
};

}  // namespace bindery::controller
