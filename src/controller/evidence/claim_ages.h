#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controller/claims/claims.h"
#include "controller/clock/now.h"
#include "controller/evidence/removal_evidence.h"

namespace bindery::controller {

/// How old the evidence behind each claim is: when its manifest changed or went missing, and
/// whether settled by now. The rule itself is RemovalEvidence.
///
/// Invariants: while a claim of some age is not settled, Settle() looks for it. The age of a claim
/// that is absent is kept until its manifest is found again.
/// Belongs to the loop thread; claims and evidence outlive it.
class ClaimAges {
 public:
  ClaimAges(Claims& claims, RemovalEvidence& evidence) : claims_(claims), evidence_(evidence) {}

  /// Takes over the state of `other` besides claims and evidence.
  void CopyFrom(const ClaimAges& other) { unsettled_ = other.unsettled_; }

  /// As the store has it. `settled`: as EvidenceRecord::settled.
  void Load(ResourceEntry& entry, std::int64_t packed, std::int32_t settled);
  /// The last look found a changed declaration. `fresh`: the manifest is new. Given-up grants may
  /// be in any file that is unread since the claim settled last.
  void NoteChanged(ResourceEntry& entry, bool fresh);
  /// By other rules more may go: nothing counts as settled any more.
  void DoubtAll();
  /// The last look did not find the manifest: the manifest may be in a file that the look, or a
  /// later look, could not read.
  void NoteAbsent(ResourceEntry& entry);
  /// Tells the evidence the number of manifests that went missing. Call before NoteAbsent().
  void NoteMissing(const std::vector<std::string>& names);

  /// Records the claims that have settled by now, and the rules in use when all have: cheap when no
  /// claim waits.
  void Settle(const Now& now);
  /// What the evidence says of the directory as a whole, then of each claim on the target. An
  /// undeclared grant goes when all allow it: none may be half of something.
  [[nodiscard]] std::vector<EvidenceVerdict> Judge(const TargetEntry& target, const Now& now) const;
  /// As RemovalEvidence::Record, with the additions of the claims.
  [[nodiscard]] store::EvidenceRecord Record() const;

  /// The operator approved what goes of the role.
  void AnswerFor(const Target& target, const std::string& role);
  /// The operator waives the settling of grants that the resource does not declare any more.
  void WaiveSettling(const std::string& name);

 private:
  void Note(ResourceEntry& entry, bool fresh, bool absent);
  void Clear(const Now& now);

  Claims& claims_;
  RemovalEvidence& evidence_;
  bool unsettled_ = false;  ///< Some claim may not be settled yet.
};

}  // namespace bindery::controller
