#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/catalog_settings.h"
#include "controller/claims.h"
#include "controller/dependencies.h"
#include "controller/scan_input.h"

namespace bindery {

/// Which resources wait for which: by options.dependsOn, by references, and because a claim goes
/// after the one that replaces it.
///
/// Invariants: what a resource needs is known after Relink(), for all noted before. A resource on
/// its way out blocks no other. What a different one still needs is not removed. Belongs to the
/// loop thread; claims and settings outlive it. Reads these, and changes neither.
class Links {
 public:
  Links(const Claims& claims, const CatalogSettings& settings)
      : claims_(claims), settings_(settings) {}

  /// Takes over all that others know.
  void CopyFrom(const Links& other) {
    dependencies_ = other.dependencies_;
    awaited_ = other.awaited_;
    templates_ = other.templates_;
    noted_ = other.noted_;
    freed_ = other.freed_;
  }

  // Of a scan or a load

  /// Takes over which manifests of the scan refer to others.
  void NoteTemplates(const ScanInput& scan);
  /// The manifest came up for its name: its need may differ from before. One that is
  /// kept out while another version of it stays in force only waits for its need.
  void NoteManifest(const Manifest& manifest);
  /// Finds out what those noted need, once all names of the scan are known.
  void Relink();
  /// Some manifest of the edit needs others, or is needed.
  [[nodiscard]] bool TouchedBy(const ScanEdit& edit) const;
  /// There is a resource or a manifest of the name.
  [[nodiscard]] bool Knows(const std::string& name) const;
  /// What manifests that refer to the resource are given. kUnavailable: not known yet.
  [[nodiscard]] Expected<Json> OutputsOf(const std::string& name) const;
  /// Some manifest of the last scan refers to others.
  [[nodiscard]] bool has_templates() const { return !templates_.empty(); }
  /// Some manifest refers to the resource.
  [[nodiscard]] bool FeedsTemplates(const std::string& name) const;

  // Whose turn it is

  [[nodiscard]] bool empty() const { return dependencies_.empty(); }
  [[nodiscard]] const std::set<std::string>& DependentsOf(const std::string& name) const {
    return dependencies_.Dependents(name);
  }
  /// Its target was checked and is as it declares; what it does not declare may still be to go.
  [[nodiscard]] bool IsSettled(const ResourceEntry& entry) const;
  /// Those it needs to be as declared before anything is written for it.
  [[nodiscard]] std::vector<const ResourceEntry*> NeedsInForce(const ResourceEntry& entry) const;
  /// The first of these that is not; null: none.
  [[nodiscard]] const ResourceEntry* BlockedBy(const ResourceEntry& entry) const;
  /// The resource because of which what a leaving one granted must stay for now: it depends on it,
  /// or replaces it and is not in place yet. Null: none.
  [[nodiscard]] const ResourceEntry* DeletionBlockedBy(const ResourceEntry& entry) const;

  /// Those that need wait no longer now that the resources of a target are as declared.
  struct Unblocked {
    std::set<TargetKey> targets;  ///< To be checked now.
    bool resolve = false;         ///< Manifests wait for outputs that are known now.
  };
  [[nodiscard]] Unblocked UnblockedBy(const TargetEntry& target) const;

  /// Leaving resources that only waited for this one may have their turn now.
  void NoteFreed(const std::string& name);
  /// The targets of these.
  [[nodiscard]] std::set<TargetKey> TakeFreed() { return std::exchange(freed_, {}); }
  /// It has no dependencies any more.
  void Erase(const std::string& name) {
    dependencies_.Erase(name);
    awaited_.Erase(name);
  }

 private:
  [[nodiscard]] std::set<std::string> NeedsOf(const Manifest& manifest) const;
  [[nodiscard]] bool WaitsNoMore(const ResourceEntry& dependent, const ResourceEntry& need) const;

  const Claims& claims_;
  const CatalogSettings& settings_;
  Dependencies dependencies_;  ///< Of what is in force, or came first.
  Dependencies awaited_;       ///< By those that are kept out.
  /// The manifests of the last scan that refer to others, as they are written.
  std::map<std::string, std::shared_ptr<const Manifest>> templates_;
  std::set<std::string> noted_;  ///< For the next Relink.
  std::set<TargetKey> freed_;    ///< As TakeFreed.
};

}  // namespace bindery
