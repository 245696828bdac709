#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controller/guard/guard_reason.h"
#include "core/access/drift.h"

namespace bindery::controller {

/// Maximum of guard.window.
inline constexpr std::chrono::hours kLongestGuardWindow(7 * 24);

/// A limit of its own for the policies of some kinds.
struct GuardGroup {
  std::string key;  ///< Of the configuration, for messages: "guard.maxRemovedFromContainers".
  std::vector<std::string> kinds;  ///< Patterns of Target::kind.
  std::int64_t max_removed_grants = 0;

  [[nodiscard]] bool Has(std::string_view kind) const;
  bool operator==(const GuardGroup&) const = default;
};

/// How much may be taken away without anybody's approval.
struct GuardLimits {
  std::int64_t max_removed_grants = 50;
  double max_removed_fraction = 0.25;  ///< Of what the directory held; see OverFraction().
  /// How long a removal counts.
  std::chrono::milliseconds window{std::chrono::hours(1)};
  /// How long a removal of a foreign addition counts, apart.
  std::chrono::milliseconds foreign_window{std::chrono::minutes(5)};
  /// A removal of a formerly declared grant waits from this severity on, whatever the number;
  /// nothing: only numbers count.
  std::optional<Severity> hold_severity = Severity::kHigh;
  std::vector<GuardGroup> groups = {};  ///< Each counts by itself.

  bool operator==(const GuardLimits&) const = default;
};

/// From this many removals on, the fraction of a provider and of a target applies.
inline constexpr std::int64_t kFractionFrom = 10;
/// This number always passes the fraction of the directory, also for a small directory.
inline constexpr std::int64_t kFreeOfFraction = 3;

/// The numbers for the comparison with a limit.
struct GuardCount {
  std::int64_t asked = 0;    ///< Would be removed now.
  std::int64_t before = 0;   ///< Were removed within the window.
  std::int64_t waiting = 0;  ///< Wait for an approval, or are known to come.
  [[nodiscard]] std::int64_t All() const { return asked + before + waiting; }
};

/// The message of a resource whose removals wait for the reason.
[[nodiscard]] std::string GuardHeldText(const std::string& reason);

/// Why the number exceeds the limit; nothing: within the limit. The scope, and the name of a group,
/// are the caller's to fill in.
[[nodiscard]] std::optional<GuardReason> OverNumber(const GuardCount& count, std::int64_t most,
                                                    std::chrono::milliseconds window);

/// Why that is more than guard.maxRemovedFraction of what was held; nothing: it is not, or nothing
/// was held. Fewer than ten removals are measured only where `small`, and then by half of what was
/// held instead: three pass in any case. Of all of it, 1, nothing is over. The scope is the
/// caller's to fill in.
[[nodiscard]] std::optional<GuardReason> OverFraction(const GuardCount& count, std::int64_t held,
                                                      bool small, const GuardLimits& limits);

}  // namespace bindery::controller
