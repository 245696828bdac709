#include "core/settings/severity_rules.h"

#include <algorithm>

#include "core/text/ascii.h"
#include "core/text/glob.h"

namespace bindery {
namespace {

SeverityRules MakeBuiltIn() {
  SeverityRules rules;
  rules.push_back({DriftClass::kConditionChanged, "", "", "", true, Severity::kLow});
  rules.push_back({DriftClass::kUndeclared, "", "", "", false, Severity::kHigh});
  rules.push_back({DriftClass::kConditionChanged, "", "", "", false, Severity::kHigh});
  rules.push_back({DriftClass::kTargetMissing, "", "", "", false, Severity::kHigh});
  rules.push_back({DriftClass::kMissing, "", "", "", false, Severity::kMedium});
  rules.push_back({DriftClass::kPrincipalDeleted, "", "", "", false, Severity::kLow});
  rules.push_back({DriftClass::kLookupChanged, "", "", "", false, Severity::kLow});
  return rules;
}

/// The texts of a difference for the comparison with patterns.
struct Judged {
  const JudgedDifference& difference;
  std::string kind = AsciiLower(difference.kind);
  std::string role = AsciiLower(difference.grant.role);
  std::string member = AsciiLower(difference.grant.principal);
};

bool Fits(const std::string& pattern, const std::string& text) {
  return pattern.empty() || MatchesGlob(AsciiLower(pattern), text);
}

bool Fits(const SeverityRule& rule, const Judged& judged) {
  if (rule.drift_class && *rule.drift_class != judged.difference.drift_class) return false;
  if (rule.title_only && !judged.difference.title_only) return false;
  return Fits(rule.kind, judged.kind) && Fits(rule.role, judged.role) &&
         Fits(rule.member, judged.member);
}

}  // namespace

const SeverityRules& BuiltInSeverities() {
  static const SeverityRules kRules = MakeBuiltIn();
  return kRules;
}

namespace {

std::optional<Severity> FirstThatFits(const Judged& judged, const SeverityRules* rules) {
  if (rules == nullptr) return std::nullopt;
  const auto rule = std::find_if(rules->begin(), rules->end(), [&](const SeverityRule& candidate) {
    return Fits(candidate, judged);
  });
  return rule == rules->end() ? std::nullopt : std::optional(rule->severity);
}

std::optional<Severity> KindSays(
    const Judged& judged, std::optional<Severity> (*GrantSeverities::*function)(const Grant&)) {
  const GrantSeverities* kind = judged.difference.widening;
  if (kind == nullptr) return std::nullopt;
  if (const auto severity = FirstThatFits(judged, &kind->rules)) return severity;
  const auto ask = kind->*function;
  return ask == nullptr ? std::nullopt : ask(judged.difference.grant);
}

/// The difference gives somebody more than is declared.
bool Widens(const JudgedDifference& difference) {
  if (difference.drift_class == DriftClass::kUndeclared) return true;
  return difference.drift_class == DriftClass::kConditionChanged && !difference.title_only &&
         !difference.permits_less;
}

}  // namespace

Severity JudgeSeverity(const JudgedDifference& difference, const SeverityRules* own) {
  const Judged judged{difference};
  if (const auto severity = FirstThatFits(judged, own)) return *severity;
  // Access is missing, and nobody has more than is declared.
  if (difference.permits_less && !difference.title_only) return Severity::kMedium;
  if (Widens(difference)) {
    if (const auto severity = KindSays(judged, &GrantSeverities::of_grant)) return *severity;
  }
  return FirstThatFits(judged, &BuiltInSeverities()).value_or(Severity::kMedium);
}

Severity SeverityOfLoss(std::string_view kind, const Grant& grant, const SeverityRules* own,
                        const GrantSeverities* widening) {
  const JudgedDifference difference{DriftClass::kUndeclared, kind, grant, false, widening};
  const Judged judged{difference};
  if (const auto severity = FirstThatFits(judged, own)) return *severity;
  return KindSays(judged, &GrantSeverities::of_loss).value_or(Severity::kMedium);
}

std::optional<Severity> ParseSeverity(std::string_view text) {
  const Severity severity = SeverityFromString(text);
  if (ToString(severity) != text) return std::nullopt;
  return severity;
}

}  // namespace bindery
