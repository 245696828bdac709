#include "controller/guard/guard_limits.h"

#include <algorithm>

#include "core/text/glob.h"

namespace bindery::controller {
std::string GuardHeldText(const std::string& reason) {
  return "removals on its target are held by the guard (" + reason + "): bindery guard";
}

bool GuardGroup::Has(std::string_view kind) const {
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const std::string& pattern) { return MatchesGlob(pattern, kind); });
}

std::optional<GuardReason> OverNumber(const GuardCount& count, std::int64_t most,
                                      std::chrono::milliseconds window) {
  if (count.All() <= most) return std::nullopt;
  return GuardReason{.limit = GuardReason::Limit::kNumber,
                     .count = count.All(),
                     .before = count.before,
                     .window = window,
                     .most = most};
}

std::optional<GuardReason> OverFraction(const GuardCount& count, std::int64_t held, bool small,
                                        const GuardLimits& limits) {
  const std::int64_t all = count.All();
  if (held <= 0 || limits.max_removed_fraction >= 1) return std::nullopt;
  if (static_cast<double>(all) <= limits.max_removed_fraction * static_cast<double>(held)) {
    return std::nullopt;
  }
  const bool few = all < kFractionFrom;
  const std::int64_t half = (held + 1) / 2;
  if (few && (!small || all <= std::max(kFreeOfFraction, half))) return std::nullopt;
  return GuardReason{.limit = GuardReason::Limit::kFraction,
                     .count = all,
                     .before = count.before,
                     .window = limits.window,
                     .held = held,
                     .fraction = limits.max_removed_fraction,
                     .half = few};
}

}  // namespace bindery::controller
