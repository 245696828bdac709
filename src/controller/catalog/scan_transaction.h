#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/claims/claims.h"
#include "controller/claims/links.h"
#include "controller/claims/scan_input.h"
#include "controller/claims/scan_state.h"
#include "controller/evidence/claim_ages.h"
#include "controller/placing/placer.h"

namespace bindery::controller {

/// Brings one scan into force: decides which claims come, move, are taken over and leave, and
/// selects the changes to record and the targets to check.
///
/// Use: TakeFormerNames, then admission, then BringIntoForce, once each, in this order,
/// without further changes of the claims in between; then Finish. Invariants: a claim
/// moves to its successor without a removal in between. Nothing is removed from the cloud
/// here: leaving claims are only marked, and their targets checked. Each changed resource
/// is recorded once, in its final state. Lives for one scan; all arguments outlive the
/// object.
class ScanTransaction {
 public:
  /// The objects that the transaction changes.
  struct Parts {
    Claims& claims;
    Links& links;
    ClaimAges& ages;
    RemovalEvidence& evidence;
    ScanState& state;
    Placer placer;  ///< Only read.
  };
  ScanTransaction(const Parts& parts, const ScanInput& scan, const Now& now);

  /// A manifest with a former name (options.aliases) is the same resource.
  void TakeFormerNames();
  /// Admitted manifests come into force.
  void BringIntoForce(const admission::AdmissionResult& result);
  /// `all_wait`: every target is due already, and none was taken up; told as changed are then only
  /// those the scan touches, also where it makes all others be looked at.
  [[nodiscard]] ScanOutcome Finish(bool all_wait);

 private:
  // scan_moves.cc: claims with a new owner
  void Rename(const std::string& from, const std::string& to);
  void MoveClaims(const admission::AdmissionResult& result);
  void LeaveBehind(ResourceEntry& entry);
  [[nodiscard]] bool TakeOver(const std::string& name, const admission::Placement& placement);

  // scan_transaction.cc: claims that come and go
  void NoteScanned(bool unknown_content);
  void Accept(const admission::Admitted& admitted);
  void NotePreview(const TypeToken& token);
  void TellAccepted();
  void NoteRejected(const admission::Rejected& rejected);
  void NoteMissing(const std::string& name);
  void NoteFrozen(const std::string& name, const admission::AdmissionResult& result);
  void HoldBack(const admission::AdmissionResult& result);
  void DropUnaccepted(const admission::AdmissionResult& result);
  void SetContested(const std::vector<admission::Placement>& contested);
  void HoldBackDependents();
  void Forget(const std::string& name);
  void MarkDirty(ResourceEntry& entry);
  void RecordDirty();
  void Tell(EventType type, std::string what, const ResourceEntry& entry, std::string message);
  [[nodiscard]] std::vector<TargetKey> AllTargets();
  [[nodiscard]] std::vector<TargetKey> ChangedTargets();

  const Parts parts_;
  const ScanInput& scan_;
  const Now now_;
  ScanOutcome outcome_;
  bool check_all_ = false;             ///< What is undeclared is treated otherwise now.
  std::set<TargetKey> changed_;        ///< Targets it touches.
  std::vector<ResourceEntry*> dirty_;  ///< To be recorded when it is done.
  /// Manifests that came into force, and whether a former manifest of the name was in force.
  std::vector<std::pair<ResourceEntry*, bool>> news_;
  std::vector<std::string> gone_lookups_;  ///< Whose manifest is gone, or looks elsewhere now.
};

}  // namespace bindery::controller
