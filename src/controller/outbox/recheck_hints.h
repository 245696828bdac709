#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "controller/claims/claims.h"
#include "controller/clock/now.h"
#include "core/access/target.h"
#include "core/access/target_key.h"
#include "core/text/digest.h"

namespace bindery::controller {

/// Targets with the digest of a policy.
using TargetPolicies = std::vector<std::pair<Target, Sha256Digest>>;

/// Targets of one provider that a scan of the cloud shows with the policy that bindery read last.
struct HintedTargets {
  std::string provider;
  /// With the digest of that policy; null: none. A later scan that shows the same gives the same
  /// object.
  std::shared_ptr<const TargetPolicies> targets = {};
  /// Afterwards the scan says nothing: when either clock is there.
  Now until = {};
};

/// Which targets may be read less often, because scans watch them. A hint decides no write: a hint
/// only puts a read off.
///
/// Invariants: a hint holds while bindery's last read shows the policy that the scan showed. A read
/// is put off only after a read that followed the first hint, and no longer than the exact interval
/// after the last read. Belongs to the loop thread. Reads no clock: callers pass the time.
class RecheckHints {
 public:
  /// The longest time between two reads of a target that scans watch; 0: no read is put off.
  void SetExact(std::chrono::milliseconds exact) { exact_ = exact; }
  [[nodiscard]] std::chrono::milliseconds exact() const { return exact_; }

  /// Takes the place of the earlier hints about the provider; without targets nothing is hinted.
  /// False: the hints are the same as before, and only hold for a different time.
  bool Set(const HintedTargets& hinted, const Claims::Targets& targets);
  /// The hint about the target ends.
  void Drop(const TargetEntry& target);
  /// A read showed the policy: a hint of another policy ends, as the scan is older than the read.
  void NoteSeen(const TargetEntry& target, const Sha256Digest& policy);
  /// The target was read. `phase`, up to the exact interval, is taken off the first period, so that
  /// reads of many targets are spread.
  void NoteRead(const TargetEntry& target, MonoTime now, std::chrono::milliseconds phase);
  [[nodiscard]] bool empty() const { return providers_.empty(); }
  void DropOld(const Now& now);
  [[nodiscard]] bool AnyOld(const Now& now) const;

  /// How scans watch a target.
  enum class Watch {
    kNot,
    kUnread,  ///< The target was not read since the first hint.
    kRead,
  };
  /// Scans watch a target that is as declared, did not drift lately, has no interval of its own,
  /// and is as the scan showed.
  [[nodiscard]] Watch Judge(const TargetEntry& target, const Now& now) const;
  [[nodiscard]] bool Watches(const TargetEntry& target, const Now& now) const {
    return Judge(target, now) != Watch::kNot;
  }
  /// The target need not be read before the time, which leaves `next` until the exact interval is
  /// over; nothing: the target has to be read now.
  [[nodiscard]] std::optional<MonoTime> PutsOff(const TargetEntry& target,
                                                std::chrono::milliseconds next,
                                                const Now& now) const;

 private:
  struct Hint {
    Sha256Digest policy;
    std::optional<MonoTime> read;  ///< The last read, since the first hint.
  };
  struct Hints {
    std::unordered_map<TargetKey, Hint, TargetKey::Hash, TargetKey::Equal> targets;
    Now until;
    /// The hints were made of these; null: some were dropped since.
    std::shared_ptr<const TargetPolicies> made_of;
  };
  /// The hint about the target, of any policy; null: there is none.
  [[nodiscard]] Hint* HintOn(const TargetEntry& target);
  /// The hint, as long as it holds.
  [[nodiscard]] const Hint* Find(const TargetEntry& target, const Now& now) const;

  std::chrono::milliseconds exact_{0};
  std::map<std::string, Hints> providers_;  ///< By name; none without targets.
};

}  // namespace bindery::controller
