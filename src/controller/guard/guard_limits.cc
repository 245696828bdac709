#include "controller/guard/guard_limits.h"

#include <algorithm>

#include "core/text/glob.h"

namespace bindery {
namespace {

GuardReason ReasonOf(GuardReason::Limit limit, const GuardCount& count, const GuardLimits& limits) {
  GuardReason reason;
  reason.limit = limit;
  reason.count = count.All();
  reason.before = count.before;
  reason.window = limits.window;
  return reason;
}

}  // namespace

std::string GuardHeldText(const std::string& reason) {
  return "removals on its target are held by the guard (" + reason + "): bindery guard";
}

std::optional<GuardReason> OverNumber(const GuardCount& count, const GuardLimits& limits) {
  if (count.All() <= limits.max_removed_grants) return std::nullopt;
  GuardReason reason = ReasonOf(GuardReason::Limit::kNumber, count, limits);
  reason.most = limits.max_removed_grants;
  return reason;
}

bool GuardGroup::Has(std::string_view kind) const {
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const std::string& pattern) { return MatchesGlob(pattern, kind); });
}

std::optional<GuardReason> OverGroup(const GuardCount& count, const GuardGroup& group,
                                     const GuardLimits& limits) {
  if (count.All() <= group.max_removed_grants) return std::nullopt;
  GuardReason reason = ReasonOf(GuardReason::Limit::kGroup, count, limits);
  reason.most = group.max_removed_grants;
  reason.name = group.key;
  return reason;
}

bool IsOverFraction(std::int64_t count, std::int64_t held, bool small, const GuardLimits& limits) {
  if (held <= 0 || limits.max_removed_fraction >= 1) return false;
  if (static_cast<double>(count) <= limits.max_removed_fraction * static_cast<double>(held)) {
    return false;
  }
  if (count >= kFractionFrom) return true;
  const std::int64_t half = (held + 1) / 2;
  return small && count > std::max(kFreeOfFraction, half);
}

std::optional<GuardReason> OverFraction(const GuardCount& count, std::int64_t held, bool small,
                                        const GuardLimits& limits) {
  if (!IsOverFraction(count.All(), held, small, limits)) return std::nullopt;
  GuardReason reason = ReasonOf(GuardReason::Limit::kFraction, count, limits);
  reason.held = held;
  reason.fraction = limits.max_removed_fraction;
  reason.half = count.All() < kFractionFrom;
  return reason;
}

}  // namespace bindery
