#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/claims/claims.h"
#include "controller/claims/links.h"
#include "controller/claims/scan_state.h"
#include "controller/claims/stored_state.h"
#include "controller/evidence/claim_ages.h"
#include "controller/placing/placer.h"

namespace bindery::controller {

/// Takes up the state of the last run in the store: targets, then resources, one by one, because
/// hundreds of thousands are possible. No manifest is read: reading would take longer than the rest
/// of a start.
///
/// Invariants: the state is sound only when everything that was loaded is in force. Rows that the
/// store cannot decode are unreadable: nothing is done in their name. Lives for one load, before
/// the first scan; the filled objects outlive the loader.
class CatalogLoader {
 public:
  /// The objects to fill.
  struct Parts {
    Claims& claims;
    Links& links;
    ClaimAges& ages;
    ScanState& state;
    ProjectNames& project_names;
    std::set<TypeToken>& unknown_tokens;  ///< Of resources of another version of this program.
    const providers::Kinds& kinds;        ///< Only read, as the placer.
    Placer placer;
  };
  /// `by_same_rules`: the settings are those of the last run. `settled`: as
  /// EvidenceRecord::settled.
  CatalogLoader(const Parts& parts, bool by_same_rules, std::int32_t settled);

  void LoadTarget(const store::TargetRecord& record);
  void LoadResource(const store::ResourceRecord& record);
  /// The files of the store whose manifests are all in force, as a scan would hand them out;
  /// nothing when there are resources in force besides, or other rules. Once, after the resources.
  [[nodiscard]] std::optional<std::vector<manifests::KnownFile>> KnownFiles(
      std::vector<StoredFile> files);

 private:
  [[nodiscard]] std::shared_ptr<const manifests::Manifest> FindManifest(
      const store::ResourceRecord& record, const reconcilers::Kind* kind);
  [[nodiscard]] ResourceEntry& MakeEntry(const store::ResourceRecord& record);
  [[nodiscard]] TargetEntry& ToTarget(const Target& target);
  void Enforce(ResourceEntry& entry, const store::ResourceRecord& record);
  void LoadOutputs(TargetEntry& target, const store::ResourceRecord& record) const;

  Parts parts_;
  std::int32_t settled_;
  Claims::Resources::iterator next_;  ///< Behind what was loaded last.
  TargetEntry* target_ = nullptr;     ///< That of what was loaded last.
  std::vector<std::shared_ptr<const manifests::Manifest>> manifests_;
};

/// Ends a load: targets without resources go, the remaining targets get their differences and
/// unfinished writes.
void FinishLoad(Claims& claims, const std::vector<store::DriftRecord>& open_drift,
                const std::vector<store::IntentRecord>& intents);

}  // namespace bindery::controller
