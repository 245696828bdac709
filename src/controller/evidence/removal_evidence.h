#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "controller/claims/claim_age.h"
#include "controller/claims/evidence_verdict.h"
#include "controller/clock/now.h"
#include "controller/evidence/directory_rest.h"
#include "controller/evidence/evidence_question.h"
#include "controller/evidence/unread_items.h"
#include "manifests/files/directory_facts.h"
#include "store/ports/records.h"

namespace bindery::controller {

/// Decides whether a grant may be removed because the directory does not declare the grant: the
/// only place of the rule.
///
/// The rule. A removal needs evidence that is
///  - complete (UnreadItems): no unread file or folder may hold the missing part. An item that was
///    unread with the same bytes before the part went missing cannot hold the part. For a manifest
///    that was never known before, any unread item may hold its other half.
///  - settled (DirectoryRest): the directory said the same for `settle`, at two looks at least, and
///    nothing was being written and no git command was under way. Time stamps that are older than
///    `settle` serve at the first look of a run. In a directory that never rests it is enough that
///    the manifest itself, and whatever may have held it, did not change for several times as long.
///  - of the same ground (EvidenceQuestion): the directory and its volumes are the same, and the
///    configuration places the manifests at the same targets. Otherwise an operator is asked
///    (EvidenceAnswer::kAsk). An approval of the guard's hold answers for the claims of the hold
///    only.
///
/// Looks are numbered, and are told here: each part sees every one of them. Invariant: a claim is
/// cleared (look 0) only by a look at which the three hold. Belongs to the loop thread. Pure:
/// callers pass the time.
class RemovalEvidence {
 public:
  /// What an earlier run knew. Before the first look.
  void Load(const store::EvidenceRecord& record);
  [[nodiscard]] store::EvidenceRecord Record() const;
  /// Something of Record() changed since this was called last.
  [[nodiscard]] bool TakeNews();

  /// Before the first look, for what is only looked at: the directory may be on another ground, and
  /// time stamps are old by the local clock. Nobody is asked.
  void TakeAnyGround() {
    takes_any_ground_ = true;
    rest_.TrustLocalClock();
  }
  /// A look at the directory succeeded. Call before the result comes into force.
  void Looked(const manifests::DirectoryFacts& facts, const std::string& digest, const Now& now);
  /// The rules of removal, as a digest.
  void SetRules(std::string rules) { rules_ = std::move(rules); }
  /// The rules differ from the rules of the last settling.
  [[nodiscard]] bool HasOtherRules() const { return !settled_by_.empty() && settled_by_ != rules_; }
  /// All is settled by the rules in force.
  void SettledByRules();

  /// Whether what a claim of the age does not declare may be removed.
  [[nodiscard]] EvidenceVerdict Judge(const ClaimAge& age, const Now& now) const;
  /// Whether the time has come to clear claims: call Judge() for each, and clear the claims with
  /// kYes.
  [[nodiscard]] bool MayClear(const Now& now) const;
  /// A manifest that this look did not find may be in an item that the look could not read.
  [[nodiscard]] bool MayHoldMissing() const { return unread_.GetHolder(look_) != nullptr; }

  /// The number of the last look, and of the changes that it found.
  [[nodiscard]] std::int32_t look() const { return look_; }
  /// A claim of an earlier run is as old as that look: those to come are later. Before the first
  /// look.
  void KnowLook(std::int32_t look) { look_ = std::max(look_, look); }

  // The parts
  [[nodiscard]] const UnreadItems& unread() const { return unread_; }
  [[nodiscard]] const DirectoryRest& rest() const { return rest_; }
  [[nodiscard]] DirectoryRest& rest() { return rest_; }
  [[nodiscard]] const EvidenceQuestion& question() const { return question_; }
  [[nodiscard]] EvidenceQuestion& question() { return question_; }

 private:
  std::int32_t look_ = 0;
  UnreadItems unread_;
  DirectoryRest rest_;
  EvidenceQuestion question_;
  std::string rules_;
  std::string settled_by_;  ///< The rules by which all was settled last; empty: not known.
  bool news_of_rules_ = false;
  bool takes_any_ground_ = false;
};

}  // namespace bindery::controller
