#include "core/severity_rules.h"

#include <algorithm>
#include <cctype>

#include "core/glob.h"

namespace bindery {
namespace {

constexpr const char* kIam = "*IamBinding";
constexpr const char* kRestriction = "RestrictionPolicy";

/// What gives more access than declared. Roles that let their holder change access itself, or
/// everything, are those of owners; of restriction policies the weak relations only look or run.
void AddGrave(SeverityRules& rules, DriftClass drift_class) {
  for (const char* everybody : {"allUsers", "allAuthenticatedUsers"}) {
    rules.push_back({drift_class, kIam, "", everybody, false, Severity::kCritical});
  }
  for (const char* owner : {"roles/owner", "roles/editor", "*admin*", "*owner"}) {
    rules.push_back({drift_class, kIam, owner, "", false, Severity::kCritical});
  }
  for (const char* weak : {"viewer", "runner", "resolver"}) {
    rules.push_back({drift_class, kRestriction, weak, "", false, Severity::kMedium});
  }
  rules.push_back({drift_class, kRestriction, "", "org:*", false, Severity::kCritical});
}

SeverityRules MakeLosses() {
  SeverityRules rules;
  AddGrave(rules, DriftClass::kUndeclared);
  return rules;
}

void AddWidening(SeverityRules& rules, DriftClass drift_class) {
  AddGrave(rules, drift_class);
  rules.push_back({drift_class, "", "", "", false, Severity::kHigh});
}

SeverityRules MakeBuiltIn() {
  SeverityRules rules;
  rules.push_back({DriftClass::kConditionChanged, "", "", "", true, Severity::kLow});
  AddWidening(rules, DriftClass::kUndeclared);
  AddWidening(rules, DriftClass::kConditionChanged);
  rules.push_back({DriftClass::kTargetMissing, "", "", "", false, Severity::kHigh});
  rules.push_back({DriftClass::kMissing, "", "", "", false, Severity::kMedium});
  rules.push_back({DriftClass::kPrincipalDeleted, "", "", "", false, Severity::kLow});
  rules.push_back({DriftClass::kLookupChanged, "", "", "", false, Severity::kLow});
  return rules;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// The texts of a difference as patterns are compared with them.
struct Judged {
  const JudgedDifference& difference;
  std::string kind = Lower(difference.kind);
  std::string role = Lower(difference.grant.role);
  std::string member = Lower(difference.grant.principal);
};

bool Fits(const std::string& pattern, const std::string& text) {
  return pattern.empty() || MatchesGlob(Lower(pattern), text);
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

Severity FirstThatFits(const JudgedDifference& difference, const SeverityRules* own,
                       const SeverityRules* built_in) {
  const Judged judged{difference};
  for (const SeverityRules* rules : {own, built_in}) {
    if (rules == nullptr) continue;
    const auto rule =
        std::find_if(rules->begin(), rules->end(),
                     [&](const SeverityRule& candidate) { return Fits(candidate, judged); });
    if (rule != rules->end()) return rule->severity;
  }
  return Severity::kMedium;
}

}  // namespace

Severity SeverityOf(const JudgedDifference& difference, const SeverityRules* own) {
  return FirstThatFits(difference, own, &BuiltInSeverities());
}

Severity SeverityOfLoss(std::string_view kind, const Grant& grant, const SeverityRules* own) {
  static const SeverityRules kLosses = MakeLosses();
  return FirstThatFits({DriftClass::kUndeclared, kind, grant}, own, &kLosses);
}

std::optional<Severity> ParseSeverity(std::string_view text) {
  const Severity severity = SeverityFromString(text);
  if (ToString(severity) != text) return std::nullopt;
  return severity;
}

}  // namespace bindery
