#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "controller/guard_limits.h"
#include "controller/guard_record.h"
#include "controller/held_removals.h"
#include "controller/operator_decisions.h"
#include "controller/recent_removals.h"
#include "controller/removal.h"
#include "core/grant.h"
#include "core/target.h"
#include "store/records.h"

namespace bindery {

/// Bounds what is removed without approval. Over a limit nothing more is removed: the removals
/// wait, together, until an operator approves exactly them by their digest, or until they are no
/// longer wanted. What an operator denied stays where it is, and is not asked about again.
///
/// What counts: all removed within the window, what waits, and what is asked for now. Removals that
/// others caused count apart. What weighs much (GuardLimits::hold_severity) and was declared before
/// waits whatever its number.
///
/// Removals that wait are sticky: neither time nor a later, smaller pass lets them through bit by
/// bit. Only approval does, or a directory that wants less of them so that the rest fits.
///
/// It remembers in three parts: the removal of late (recent), what waits (held), and what operators
/// said (answers). What concerns one of them alone is told to it; what concerns several is told
/// here. Invariant: a decision names each removal once: it goes, waits or is denied.
///
/// Belongs to the loop thread; pure except for internal memory.
class Guard {
 public:
  /// Of one target: what of its removals may be carried out, and what must not.
  struct Decision {
    Removals go;
    Removals wait;
    std::vector<GuardReason> reasons;  ///< Why those wait.
    Removals denied;                   ///< These stay, by an operator's word.
    [[nodiscard]] bool allowed() const { return wait.grants.empty() && denied.grants.empty(); }
  };
  /// What the guard does not know by itself.
  struct Context {
    /// Removals that targets of the pass will ask for that were not read yet.
    std::int64_t expected = 0;
    /// How many grants the directory declares on a provider; null: not to be measured.
    std::function<std::int64_t(const std::string& provider)> declared_on = nullptr;
  };
  /// The outcome of removals that wait already.
  enum class Waiting {
    kStays,
    kIsJudgedAnew,  ///< With the others: as if none waited.
  };

  Guard() { SetLimits({}); }
  void SetLimits(const GuardLimits& limits);
  [[nodiscard]] const GuardLimits& limits() const { return limits_; }

  /// The state of the last run was restored; the directory declares that many grants.
  void BeginRun(std::int64_t held);

  /// Judges removals of different targets as one. Changes nothing.
  [[nodiscard]] std::vector<Decision> Judge(const std::vector<Removals>& together,
                                            const Context& context, Waiting waiting) const;

  /// Counts removals that may be carried out from now on, but for those an approval covers.
  /// Whatever was let through before on the target and not sent is taken back.
  void LetGo(const Removals& removals);
  /// What is counted of that, as it is to be put on record with the write.
  [[nodiscard]] CountedRemovals CountedOf(const Removals& removals) const;

  /// The removals on the target that wait, were denied or were approved.
  [[nodiscard]] std::vector<Grant> Known(const Target& target) const;
  /// Of them, only these, as CanonicalGrant(), are still wanted: the others are forgotten.
  void KeepOnly(const Target& target, const std::set<std::string>& wanted);
  /// The target has nothing to remove any more. True when something waited or was denied.
  bool Withdraw(const Target& target);

  /// Lets through what waits, or was denied, under the digest. Nothing happens when it names
  /// something else. Returns the targets that may go on.
  std::vector<Target> Approve(const std::string& digest);
  /// What waits stays where it is. Returns the targets concerned; none when `digest` names
  /// something else.
  std::vector<Target> Deny(const std::string& digest);

  /// One target of a hold on record, which waits, was denied, or was approved and is not carried
  /// out; of any other hold nothing.
  void Restore(HeldRemovals::Entry held, const HoldRecord& hold);

  // The parts
  [[nodiscard]] const RecentRemovals& recent() const { return recent_; }
  [[nodiscard]] RecentRemovals& recent() { return recent_; }
  [[nodiscard]] const HeldRemovals& held() const { return held_; }
  [[nodiscard]] HeldRemovals& held() { return held_; }
  [[nodiscard]] const OperatorDecisions& answers() const { return answers_; }
  [[nodiscard]] OperatorDecisions& answers() { return answers_; }

 private:
  class Judging;

  GuardLimits limits_;
  RecentRemovals recent_;
  HeldRemovals held_;
  OperatorDecisions answers_;
};

}  // namespace bindery
