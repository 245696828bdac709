#include "core/settings/protected_principals.h"

#include <algorithm>

#include "core/text/glob.h"

namespace bindery {
namespace {

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

bool MatchesAny(const std::vector<std::string>& patterns, std::string_view principal) {
  if (patterns.empty()) return false;
  const std::string lower = LowerCase(principal);
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return MatchesGlob(LowerCase(pattern), lower);
  });
}

}  // namespace

bool ProtectedPrincipals::Adds(std::string_view principal) const {
  return MatchesAny(add, principal);
}

bool ProtectedPrincipals::Protects(std::string_view principal,
                                   const std::optional<Condition>& condition, WallTime now,
                                   EndOfCondition end_of) const {
  return std::any_of(grants.begin(), grants.end(), [&](const ProtectedGrants& rule) {
    const bool fits = rule.principal.empty() || MatchesAny({rule.principal}, principal);
    return fits && rule.condition.Fits(condition, now, end_of);
  });
}

bool ProtectedPrincipals::Removes(std::string_view principal) const {
  return MatchesAny(remove, principal);
}

}  // namespace bindery
