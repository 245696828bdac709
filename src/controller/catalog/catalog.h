#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "controller/catalog/catalog_loader.h"
#include "controller/catalog/directory_in_force.h"
#include "controller/catalog/management_policies.h"
#include "controller/claims/catalog_settings.h"
#include "controller/claims/claims.h"
#include "controller/claims/claims_part.h"
#include "controller/claims/links.h"
#include "controller/claims/scan_state.h"
#include "controller/evidence/claim_ages.h"
#include "controller/placing/placer.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// All resources and targets, in memory; the store holds the same. The catalog owns the parts and
/// coordinates several parts; the head of each part describes the part's decisions. The catalog
/// changes itself and returns the changes for the store.
///
/// Belongs to the loop thread; the kinds outlive it. Reads no clock: callers pass the time.
class Catalog {
 public:
  explicit Catalog(const providers::Kinds& kinds) : kinds_(kinds) {}
  ~Catalog() = default;
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  /// Takes over the state of `other`, except for pending changes of the store. `other` owns the
  /// tokens of the manifests and outlives this catalog. Copies the entries: nobody may write to
  /// `other` meanwhile.
  /// `part`: of the claims that part alone, and then for no scans; null: all.
  void CopyFrom(const Catalog& other, const ClaimsPart* part = nullptr);

  void SetSettings(CatalogSettings settings);
  [[nodiscard]] const CatalogSettings& settings() const { return settings_; }
  /// A number that changes with the settings.
  [[nodiscard]] std::uint64_t rules_in_use() const { return rules_in_use_; }
  [[nodiscard]] const providers::Kinds& kinds() const { return kinds_; }

  /// Takes up the state of the last run in the store; FinishLoad is called when that is done.
  /// `by_same_rules`: the settings are those of the last run.
  [[nodiscard]] CatalogLoader BeginLoad(bool by_same_rules,
                                        const store::EvidenceRecord& evidence = {});
  /// Takes a resource out, for good. The target goes with its last resource.
  void Forget(const std::string& name, store::StoreChange& change);

  // The parts
  [[nodiscard]] const Claims& claims() const { return claims_; }
  [[nodiscard]] Claims& claims() { return claims_; }
  [[nodiscard]] const Links& links() const { return links_; }
  [[nodiscard]] Links& links() { return links_; }
  /// Whether what the directory does not declare may be removed.
  [[nodiscard]] const RemovalEvidence& evidence() const { return evidence_; }
  [[nodiscard]] RemovalEvidence& evidence() { return evidence_; }
  [[nodiscard]] const ClaimAges& ages() const { return ages_; }
  [[nodiscard]] ClaimAges& ages() { return ages_; }
  [[nodiscard]] ProjectNames& project_names() { return project_names_; }
  [[nodiscard]] const ProjectNames& project_names() const { return project_names_; }
  /// Brings scans into force.
  [[nodiscard]] const DirectoryInForce& directory() const { return directory_; }
  [[nodiscard]] DirectoryInForce& directory() { return directory_; }
  [[nodiscard]] const ManagementPolicies& treatments() const { return treatments_; }
  [[nodiscard]] Placer placer() const { return {kinds_, settings_, project_names_}; }

 private:
  const providers::Kinds& kinds_;
  CatalogSettings settings_;
  std::uint64_t rules_in_use_ = 0;
  std::set<TypeToken> unknown_tokens_;  ///< Of resources of another version of this program.
  ScanState state_;
  ProjectNames project_names_;
  Claims claims_;
  RemovalEvidence evidence_;
  ClaimAges ages_{claims_, evidence_};
  Links links_{claims_, settings_};
  ManagementPolicies treatments_{{settings_, claims_, links_, project_names_, state_}};
  DirectoryInForce directory_{
      {kinds_, settings_, claims_, links_, ages_, evidence_, project_names_, state_}};
};

}  // namespace bindery::controller
