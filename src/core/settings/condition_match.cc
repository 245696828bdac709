#include "core/settings/condition_match.h"

#include "core/text/ascii.h"
#include "core/text/glob.h"

namespace bindery {
namespace {

bool FitsPattern(const std::string& pattern, const std::string& text) {
  return pattern.empty() || MatchesGlob(AsciiLower(pattern), AsciiLower(text));
}

bool Narrows(const std::string& pattern) {
  return pattern.find_first_not_of('*') != std::string::npos;
}

}  // namespace

bool ConditionMatch::Restricts() const {
  return ends_within.count() > 0 || Narrows(title) || Narrows(expression);
}

bool ConditionMatch::Fits(const std::optional<Condition>& condition, WallTime now,
                          EndOfCondition end_of) const {
  if (!Restricts()) return true;
  if (!condition || !FitsPattern(title, condition->title) ||
      !FitsPattern(expression, condition->expression)) {
    return false;
  }
  if (ends_within.count() == 0) return true;
  const std::optional<WallTime> end = end_of == nullptr ? std::nullopt : end_of(*condition);
  return end && *end <= now + ends_within;
}

}  // namespace bindery
