#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "controller/claims/removal.h"
#include "controller/guard/guard_reason.h"
#include "core/access/grant.h"
#include "core/access/target.h"
#include "core/base/json.h"

namespace bindery::controller {

/// The removals that wait for an operator, by target, with their description.
///
/// Invariant: what waits becomes less only by Unhold, LetGo, KeepOnly and TakeAll, or as Hold
/// replaces it: time has no part in it. Belongs to the loop thread; pure except for internal
/// memory.
class HeldRemovals {
 public:
  /// The waiting removals of a target.
  struct Entry {
    Removals removals;
    std::vector<GuardReason> reasons;
  };

  /// Puts removals among those that wait, replacing what waited for the target. Where a reason
  /// counts all removals, what waits elsewhere for such a reason is told by the same count.
  void Hold(Removals removals, std::vector<GuardReason> reasons);
  /// Ends the waiting of all removals of the target. True when a removal waited.
  bool Unhold(const Target& target);
  /// Ends the waiting of these removals.
  void LetGo(const Removals& removals);
  /// Ends the waiting of the removals of the target that are not wanted any more.
  void KeepOnly(const Target& target, const std::function<bool(const Grant&)>& wanted);
  /// An operator has answered: nothing waits any longer. Returns what did, by target key.
  std::map<std::string, Entry> TakeAll();

  /// The limits have changed.
  void NoteOtherLimits();
  /// Waiting removals may be judged again: the number is smaller, or the limits have changed.
  [[nodiscard]] bool MayRelease() const;
  /// The removals were judged again, and the present entries still wait.
  void JudgedAnew();

  [[nodiscard]] const std::map<std::string, Entry>& by_target() const { return entries_; }
  /// By target key; null: nothing waits on the target.
  [[nodiscard]] const Entry* Find(const std::string& key) const;
  [[nodiscard]] bool Has(const Target& target) const { return Find(target.Key()) != nullptr; }
  [[nodiscard]] std::int64_t Grants() const;

  /// Names what waits now; empty when nothing does. Neither order nor reason is part of it.
  [[nodiscard]] std::string Digest() const;
  /// Why the removals of the target wait; empty when none do.
  [[nodiscard]] std::string GetReason(const Target& target) const;
  /// The reason of all waiting removals.
  [[nodiscard]] std::string Reason() const;
  /// Each as HeldItem() (guard_record.h), for the store and for people.
  [[nodiscard]] Json Items() const;

 private:
  std::map<std::string, Entry> entries_;  ///< By target key.
  std::int64_t most_ = 0;                 ///< Grants that waited since it was judged last.
  bool limits_changed_ = false;           ///< Since then.
};

}  // namespace bindery::controller
