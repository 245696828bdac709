#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "controller/claims/claims_part.h"
#include "controller/claims/former_claims.h"
#include "controller/claims/grant_times.h"
#include "controller/claims/resource_entry.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// The index of claims: all resources by name, all targets by key, and who claims what on which
/// target. Only the data; nothing is decided here.
///
/// Invariants: a resource in force, of a kind that this version knows, is among the resources of
/// its target, and of no other. A target has a resource, but while a load or a scan is under way.
/// DeclaredGrants() is the sum over the resources in force. Entries stay where they are until they
/// are erased; only Rename changes a name.
/// Belongs to the loop thread.
class Claims {
 public:
  using Resources = std::map<std::string, ResourceEntry>;
  using Targets = std::unordered_map<TargetKey, TargetEntry, TargetKey::Hash, TargetKey::Equal>;

  [[nodiscard]] const Resources& resources() const { return resources_; }
  [[nodiscard]] Resources& resources() { return resources_; }
  [[nodiscard]] const Targets& targets() const { return targets_; }
  [[nodiscard]] Targets& targets() { return targets_; }
  /// The conditions in force with a time limit.
  [[nodiscard]] const GrantTimes& times() const { return times_; }
  [[nodiscard]] GrantTimes& times() { return times_; }
  /// The names of the resources that hold former claims of a manifest.
  [[nodiscard]] const FormerClaims& former() const { return former_; }

  /// Takes over the whole state of `other`.
  void CopyFrom(const Claims& other);
  /// The same of the part alone. DeclaredGrants() stays the sum over all.
  void CopyFrom(const Claims& other, const ClaimsPart& part);

  /// Null: no such resource.
  [[nodiscard]] const ResourceEntry* FindResource(const std::string& name) const;
  [[nodiscard]] ResourceEntry* FindResource(const std::string& name);
  /// By the key or by the target.
  template <typename Key>
  [[nodiscard]] const TargetEntry* FindTarget(const Key& key) const {
    const auto found = targets_.find(key);
    return found == targets_.end() ? nullptr : &found->second;
  }
  template <typename Key>
  [[nodiscard]] TargetEntry* FindTarget(const Key& key) {
    const auto found = targets_.find(key);
    return found == targets_.end() ? nullptr : &found->second;
  }
  /// The existing key of the target, otherwise a new key: a second key would store the name twice.
  [[nodiscard]] TargetKey MakeKey(const Target& target) const;
  /// Grants of all manifests in force, also of leaving manifests. The guard's fraction is of this
  /// number, so that waiting removals do not shrink the base.
  [[nodiscard]] std::int64_t DeclaredGrants() const { return declared_grants_; }

  /// The entry of the name, a new one if none exists. `hint`: where it is likely to be.
  Resources::iterator Obtain(const std::string& name, Resources::iterator hint);
  ResourceEntry& Obtain(const std::string& name) { return Obtain(name, resources_.end())->second; }
  TargetEntry& ObtainTarget(const TargetKey& key);
  /// Notes where the manifest of a resource places it. Requires: the resource is not in force.
  void PutAt(ResourceEntry& entry, const admission::Placement& placement) const;
  /// Brings a resource into force at the place. Requires: the resource is in force nowhere.
  void Enforce(ResourceEntry& entry, const admission::Placement& placement);
  /// The same of one of the store, as the record has it. `told`: as GrantTimes::Put.
  void Enforce(ResourceEntry& entry, TargetEntry& target, WallTime told);
  /// Gives the claim of a resource to `former`, a new entry that is in force in the same place. The
  /// grants count for `former` from now on.
  ResourceEntry& LeaveBehind(ResourceEntry& entry, ResourceEntry former);
  /// Requires: `from` is in force, and there is no `to`.
  ResourceEntry& Rename(const std::string& from, const std::string& to);
  /// Takes a resource out, and its target with the last resource. Requires: the resource exists.
  void Erase(const std::string& name, store::StoreChange& change);

 private:
  void EraseTarget(const TargetKey& key, store::StoreChange& change);

  Resources resources_;
  Targets targets_;
  GrantTimes times_;
  FormerClaims former_;
  std::int64_t declared_grants_ = 0;
};

}  // namespace bindery::controller
