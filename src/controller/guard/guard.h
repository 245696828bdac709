#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "controller/claims/removal.h"
#include "controller/guard/guard_limits.h"
#include "controller/guard/guard_record.h"
#include "controller/guard/held_removals.h"
#include "controller/guard/operator_decisions.h"
#include "controller/guard/recent_removals.h"
#include "core/access/grant.h"
#include "core/access/target.h"
#include "store/ports/records.h"

namespace bindery::controller {

/// Bounds what is removed without approval. Over a limit nothing more is removed: the removals
/// wait, together, until an operator approves exactly them by their digest, or until they are no
/// longer wanted. What an operator denied stays where it is, and is not asked about again.
///
/// The counted removals: all within the window, all that wait, and the present request. Removals
/// with a foreign cause count apart. A formerly declared grant of high severity
/// (GuardLimits::hold_severity) waits whatever the number.
///
/// Waiting removals are sticky: neither time nor a later, smaller pass lets them through bit by
/// bit. Only an approval does, or a directory with fewer removals, so that the rest fits.
///
/// The memory has three parts: recent removals (recent), waiting removals (held), and the decisions
/// of operators (answers). Events of a single part go to the part; events of several parts go
/// through the guard. Invariant: a decision names each removal once: the removal goes, waits or is
/// denied.
///
/// Belongs to the loop thread; pure except for internal memory.
class Guard {
 public:
  /// For a target: the removals that may be carried out, and the removals that must not.
  struct Decision {
    Removals go;
    Removals wait;
    std::vector<GuardReason> reasons;  ///< Why those wait.
    Removals denied;                   ///< These stay, by an operator's word.
    [[nodiscard]] bool allowed() const { return wait.grants.empty() && denied.grants.empty(); }
  };
  /// What the guard does not know by itself.
  struct Context {
    /// Expected removals of targets of the pass that were not read yet.
    std::int64_t expected = 0;
    /// How many grants the directory declares on a provider; null: not to be measured.
    std::function<std::int64_t(const std::string& provider)> declared_on = nullptr;
    bool judged_anew = false;  ///< What waits is judged with the others, as if none waited.
  };

  Guard() { SetLimits({}); }
  void SetLimits(const GuardLimits& limits);
  [[nodiscard]] const GuardLimits& limits() const { return limits_; }

  /// The state of the last run was restored; the directory declares that many grants.
  void BeginRun(std::int64_t held);

  /// Judges removals of different targets as one. Changes nothing.
  [[nodiscard]] std::vector<Decision> Judge(const std::vector<Removals>& together,
                                            const Context& context) const;

  /// Counts removals that may be carried out from now on, but for those an approval covers.
  /// Whatever was let through before on the target and not sent is taken back. Returns the counted
  /// removals for the record of the write.
  CountedRemovals LetGo(const Removals& removals);

  /// The removals on the target that wait, were denied or were approved.
  [[nodiscard]] std::vector<Grant> Known(const Target& target) const;
  /// Forgets the removals of the target that are not wanted any more.
  void KeepOnly(const Target& target, const std::function<bool(const Grant&)>& wanted);
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
  void Restore(HeldRemovals::Entry held, const store::HoldRecord& hold);

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

}  // namespace bindery::controller
