#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "controller/guard_limits.h"
#include "controller/guard_record.h"
#include "controller/now.h"
#include "controller/removal.h"
#include "controller/removal_window.h"
#include "core/json.h"
#include "store/records.h"

namespace bindery {

/// Bounds what is removed without approval. Over a limit nothing more is removed: the removals
/// wait, together, until an operator approves exactly them by their digest, or until they are no
/// longer wanted. What an operator denied stays where it is, and is not asked about again.
///
/// What counts: all that was removed within the window, what waits, and what is asked for now.
/// Removals that others caused count apart. What weighs much (GuardLimits::hold_severity) and was
/// declared before waits whatever its number.
///
/// Removals that wait are sticky: neither time nor a later, smaller pass lets them through bit by
/// bit. Only approval does, or a directory that wants less of them so that the rest fits.
///
/// Belongs to the loop thread; pure but for its own memory.
class Guard {
 public:
  /// Of one target: what of its removals may be carried out, and what must not.
  struct Decision {
    Removals go;
    Removals wait;
    std::string reason;         ///< Why those wait.
    std::string of_all;         ///< What of that counts all removals; empty: nothing.
    std::vector<Grant> denied;  ///< These stay, by an operator's word.
    [[nodiscard]] bool allowed() const { return wait.grants.empty() && denied.empty(); }
  };
  /// What the guard does not know by itself.
  struct Context {
    /// Removals that targets of the pass will ask for that were not read yet.
    std::int64_t expected = 0;
    /// How many grants the directory declares on a provider; null: not to be measured.
    std::function<std::int64_t(const std::string& provider)> declared_on = nullptr;
  };
  /// What becomes of removals that wait already.
  enum class Waiting {
    kStays,
    kIsJudgedAnew,  ///< With the others: as if none waited.
  };

  Guard() { SetLimits({}); }
  void SetLimits(const GuardLimits& limits);
  [[nodiscard]] const GuardLimits& limits() const { return limits_; }

  /// To be called before anything else is done at a later moment.
  void PassTime(const Now& now);

  /// What was removed before the start is known by now; the directory declares that many grants.
  void BeginRun(std::int64_t held);
  /// A new generation comes into force; `held_before` is how many grants the directory declared
  /// before it.
  void BeginPass(std::int64_t held_before);

  /// Judges removals of different targets as one. Changes nothing.
  [[nodiscard]] std::vector<Decision> Judge(const std::vector<Removals>& together,
                                            const Context& context, Waiting waiting) const;

  /// Counts removals that may be carried out from now on, but for those an approval covers.
  /// Whatever was let through before on that target and not sent is taken back.
  void LetGo(const Removals& removals);
  /// What is counted of that, as it is to be put on record with the write.
  using Counted = CountedRemovals;
  [[nodiscard]] Counted CountedOf(const Removals& removals) const;
  /// What was let through is not going to be sent.
  void TakeBack(const Target& target);
  /// It is being sent.
  void Sent(const Target& target);
  enum class Outcome { kHappened, kMayHaveHappened, kNothingHappened };
  void Answered(const Target& target, Outcome outcome);
  /// These are gone: an approval of them has served its purpose.
  void CarriedOut(const Target& target, const std::vector<Grant>& grants);

  /// That is what the target would lose now: what waits, was denied or approved and is not among it
  /// is forgotten.
  void Refresh(const Removals& wanted);
  /// Puts removals among those that wait, replacing what waited for that target. `of_all`: the part
  /// of the reason that counts all removals; what waits elsewhere for such a reason is told by the
  /// same count.
  void Hold(Removals removals, const std::string& reason, const std::string& of_all = {});
  /// What waits there waits no longer.
  void Unhold(const Target& target) { held_.erase(target.Key()); }
  /// The target has nothing to remove any more. True when something waited or was denied.
  bool Withdraw(const Target& target);

  /// What waits may be judged again: it has become less, or the limits have changed.
  [[nodiscard]] bool MayRelease() const;
  /// It was, and these are what still waits.
  void JudgedAnew();

  /// An operator approved every one of these.
  [[nodiscard]] bool IsApproved(const Removals& removals) const;
  [[nodiscard]] bool HasApproval(const Target& target) const;
  [[nodiscard]] bool IsHeld(const Target& target) const { return held_.contains(target.Key()); }
  [[nodiscard]] std::vector<Removals> Held() const;
  [[nodiscard]] std::int64_t HeldGrants() const;
  [[nodiscard]] std::int64_t DeniedGrants() const;

  /// Names what waits now; empty when nothing does.
  [[nodiscard]] std::string Digest() const;
  /// Why the removals of that target wait; empty when none do.
  [[nodiscard]] std::string ReasonOf(const Target& target) const;
  /// Of all that waits.
  [[nodiscard]] std::string Reason() const;
  /// [{"target", "kind", "scope", "provider", "resources", "reason", "removes": [grant…]}], for the
  /// store and for people; a grant with "severity" and "cause".
  [[nodiscard]] Json Items() const;
  /// The same, of what was denied under that digest and is still wanted.
  [[nodiscard]] Json DeniedItems(const std::string& digest) const;

  /// Lets through what waits, or was denied, under that digest. Nothing happens when it names
  /// something else. Returns the targets that may go on.
  std::vector<Target> Approve(const std::string& digest);
  /// What waits stays where it is. Returns the targets concerned; none when `digest` names
  /// something else.
  std::vector<Target> Deny(const std::string& digest);

  // What the last run left.

  /// One target of a hold on record, which waits, was denied, or was approved and is not carried
  /// out; of any other hold nothing.
  void Restore(HeldOnRecord held, const HoldRecord& hold);
  void RestoreApproval(const Removals& removals);
  /// Grants that a write has removed, or may have.
  void RestoreRemoved(const RemovalRecord& removal);

 private:
  struct HeldRemovals {
    Removals removals;
    std::string reason;
    std::string of_all = {};  ///< As in a decision. Not known of those an earlier run held.
  };
  struct DeniedRemovals {
    HeldRemovals held;
    std::string digest;
  };
  class Judging;

  [[nodiscard]] bool IsApproved(const std::string& key, const Grant& grant) const;
  [[nodiscard]] bool IsDenied(const std::string& key, const Grant& grant) const;

  GuardLimits limits_;
  Now now_{};
  RemovalWindow declared_;  ///< Grants that the directory declared.
  RemovalWindow adopted_;
  RemovalWindow foreign_;
  HighestWithin held_before_;
  std::map<std::string, HeldRemovals> held_;               ///< By target key.
  std::multimap<std::string, DeniedRemovals> denied_;      ///< By target key.
  std::map<std::string, std::set<std::string>> approved_;  ///< Target key to grant keys.
  std::int64_t most_held_ = 0;
  bool limits_changed_ = false;
};

}  // namespace bindery
