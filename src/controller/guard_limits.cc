#include "controller/guard_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/glob.h"
#include "core/time_text.h"

namespace bindery {
namespace {

/// "7 grants would be removed", with what was removed before. All others wait once that is said, so
/// which of them waited before is not told.
std::string CountText(const RemovalCount& count, const GuardLimits& limits) {
  std::string text = GrantsText(count.All()) + " would be removed";
  if (count.before == 0) return text;
  return text + fmt::format(" within {} ({} already {})", FormatDuration(limits.window),
                            count.before, count.before == 1 ? "is" : "are");
}

}  // namespace

std::string GuardHeldText(const std::string& reason) {
  return "removals on its target are held by the guard (" + reason + "): bindery guard";
}

void Retell(std::string& reason, std::string& part, const std::string& now) {
  const std::size_t at = part.empty() ? std::string::npos : reason.find(part);
  if (at != std::string::npos) reason.replace(at, part.size(), now);
  part = now;
}

std::string GrantsText(std::int64_t count) {
  return fmt::format("{} grant{}", count, count == 1 ? "" : "s");
}

std::string OverNumber(const RemovalCount& count, const GuardLimits& limits) {
  if (count.All() <= limits.max_removed_grants) return "";
  return fmt::format("{}, more than guard.maxRemovedGrants ({})", CountText(count, limits),
                     limits.max_removed_grants);
}

bool GuardGroup::Has(std::string_view kind) const {
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const std::string& pattern) { return MatchesGlob(pattern, kind); });
}

std::string OverGroup(const RemovalCount& count, const GuardGroup& group,
                      const GuardLimits& limits) {
  if (count.All() <= group.max_removed_grants) return "";
  return fmt::format("{}, more than {} ({})", CountText(count, limits), group.key,
                     group.max_removed_grants);
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

std::string OverFraction(const RemovalCount& count, std::int64_t held, const std::string& whose,
                         bool small, const GuardLimits& limits) {
  if (!IsOverFraction(count.All(), held, small, limits)) return "";
  const bool half = count.All() < kFractionFrom;
  return fmt::format("{} of the {} {} held, more than {}guard.maxRemovedFraction ({})",
                     CountText(count, limits), held, whose, half ? "half of them and " : "",
                     limits.max_removed_fraction);
}

}  // namespace bindery
