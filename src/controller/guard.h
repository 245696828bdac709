#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/grant.h"
#include "core/json.h"
#include "core/target.h"

namespace bindery {

/// How much may be taken away at once.
struct GuardLimits {
  std::int64_t max_removed_grants = 50;
  double max_removed_fraction =
      0.25;  ///< Of what the directory held; counts from kFractionFrom removals on.
};
inline constexpr std::int64_t kFractionFrom = 10;

/// What one target's plan would take away.
struct Removals {
  Target target;
  std::vector<Grant> grants;
  std::vector<std::string> resources;  ///< The manifests of the target, for people.
};

/// Bounds what a pass removes. Over a limit nothing more is removed: the removals wait, together,
/// until an operator approves exactly them by their digest, or until they are no longer wanted.
///
/// Removals that wait are sticky: a later, smaller pass does not let them through bit by bit. Only
/// approval, or a pass over a new generation that fits the limits as a whole, does.
///
/// Belongs to the loop thread; pure but for its own memory.
class Guard {
 public:
  struct Verdict {
    bool allowed = true;
    std::string reason;  ///< Which limit, when not allowed.
  };

  void SetLimits(GuardLimits limits) { limits_ = limits; }

  /// A new generation comes into force: what was removed so far no longer counts.
  /// `held_before` is how many grants the directory declared before it.
  void BeginPass(std::int64_t held_before);

  /// What was removed in the last interval no longer counts.
  void BeginInterval();

  /// Judges removals as one: all of them may go, or none. Does not change anything.
  [[nodiscard]] Verdict Judge(const std::vector<Removals>& together) const;

  /// Like Judge, for the removals of one target met by a re-check: also not allowed while that
  /// target's removals wait.
  [[nodiscard]] Verdict JudgeLater(const Removals& removals) const;

  /// Counts removals that are going to be carried out, unless an approval covers them. Until they
  /// are carried out, spending again on the same target replaces what was spent: a write that fails
  /// and is repeated counts once.
  void Spend(const Removals& removals);

  /// What was let through on that target is carried out; an approval has served its purpose.
  void CarriedOut(const Target& target);

  /// Puts removals among those that wait, replacing what waited for that target.
  void Hold(Removals removals, const std::string& reason);

  /// The target has nothing to remove any more. True when something waited.
  bool Withdraw(const Target& target);

  /// An operator approved every one of these.
  [[nodiscard]] bool IsApproved(const Removals& removals) const;
  [[nodiscard]] bool IsHeld(const Target& target) const { return held_.contains(target.Key()); }
  [[nodiscard]] std::vector<Removals> Held() const;
  [[nodiscard]] std::int64_t HeldGrants() const;

  /// Names what waits now; empty when nothing does.
  [[nodiscard]] std::string Digest() const;
  /// Which limit it was that made them wait.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  /// The same, of all that has come to wait since.
  [[nodiscard]] std::string ReasonNow() const;
  /// [{"target", "kind", "resources", "removes": [grant…]}], for the store and for people.
  [[nodiscard]] Json Items() const;

  /// Lets through what waits. Nothing happens when `digest` names something else.
  /// Returns the targets that may go on.
  std::vector<Target> Approve(const std::string& digest);

  /// Removals approved before a restart.
  void RestoreApproval(const Target& target, const std::vector<Grant>& grants);

 private:
  [[nodiscard]] std::int64_t RemovedElsewhere(const std::vector<Removals>& than) const;
  [[nodiscard]] std::string TooMany(std::int64_t count) const;
  [[nodiscard]] static std::string GrantKey(const Grant& grant);

  GuardLimits limits_;
  std::int64_t removed_ = 0;
  std::map<std::string, std::int64_t> under_way_;  ///< Of removed_: not known to be carried out.
  std::int64_t held_before_ = 0;
  std::map<std::string, Removals> held_;
  std::map<std::string, std::set<std::string>> approved_;  ///< Target key to grant keys.
  std::string reason_;
};

}  // namespace bindery
