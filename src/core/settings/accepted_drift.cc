#include "core/settings/accepted_drift.h"

#include <algorithm>

#include "core/text/ascii.h"
#include "core/text/glob.h"
#include "core/text/time_text.h"

namespace bindery {
namespace {

bool MatchesWhateverTheCase(const std::string& pattern, std::string_view text) {
  return pattern.empty() || MatchesGlob(AsciiLower(pattern), AsciiLower(text));
}

bool Accepts(const AcceptedDriftRule& rule, std::string_view target, const DriftItem& item,
             WallTime now, EndOfCondition end_of) {
  if (rule.drift_class && *rule.drift_class != item.drift_class) return false;
  return MatchesWhateverTheCase(rule.target, target) &&
         MatchesWhateverTheCase(rule.role, item.grant.role) &&
         MatchesWhateverTheCase(rule.member, item.grant.principal) &&
         rule.condition.Fits(item.grant.condition, now, end_of);
}

AcceptanceState GetState(const AcceptedDriftRule& rule, const TimeSpan& now) {
  const std::optional<WallTime>& until = rule.acceptance.until;
  if (!until || *until > now.latest || rule.end_in_doubt) return AcceptanceState::kHolds;
  return *until > now.earliest ? AcceptanceState::kDoubt : AcceptanceState::kNone;
}

}  // namespace

FoundAcceptance FindAcceptance(const AcceptedDriftRules& rules, std::string_view target,
                               const DriftItem& item, const TimeSpan& now, EndOfCondition end_of) {
  FoundAcceptance found;
  if (!IsAcceptable(item.drift_class)) return found;
  for (const AcceptedDriftRule& rule : rules) {
    if (!Accepts(rule, target, item, now.latest, end_of)) continue;
    const AcceptanceState state = GetState(rule, now);
    if (state == AcceptanceState::kHolds) return {state, &rule};
    if (state == AcceptanceState::kDoubt && found.rule == nullptr) found = {state, &rule};
  }
  return found;
}

bool IsAnyGone(const AcceptedDriftRules& before, const AcceptedDriftRules& now) {
  return std::any_of(before.begin(), before.end(), [&now](const AcceptedDriftRule& rule) {
    return std::find(now.begin(), now.end(), rule) == now.end();
  });
}

bool Restricts(const AcceptedDriftRule& rule) {
  const auto narrows = [](const std::string& pattern) {
    return pattern.find_first_not_of('*') != std::string::npos;
  };
  return rule.drift_class || narrows(rule.target) || narrows(rule.role) || narrows(rule.member) ||
         rule.condition.Restricts();
}

bool IsAcceptable(DriftClass drift_class) {
  return drift_class != DriftClass::kTargetMissing && drift_class != DriftClass::kLookupChanged &&
         drift_class != DriftClass::kJustInTime && !IsNote(drift_class);
}

std::string AcceptanceInWords(const Acceptance& acceptance) {
  const std::string end = acceptance.until ? "until " + FormatRfc3339(*acceptance.until)
                                           : std::string("without an end");
  return end + " by " + acceptance.owner + ": " + acceptance.reason;
}

}  // namespace bindery
