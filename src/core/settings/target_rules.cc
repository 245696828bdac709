#include "core/settings/target_rules.h"

#include "core/text/glob.h"

namespace bindery {
namespace {

std::string_view FindCollection(std::string_view name) { return name.substr(0, name.find('/')); }

/// By the text before its first wildcard: "cloudresourcemanager:*", "Project*"; not "*IamBinding".
bool NamesItsKind(std::string_view pattern, std::string_view policy) {
  const std::string_view literal = pattern.substr(0, pattern.find_first_of("*?"));
  const std::size_t colon = policy.find(':');
  if (colon == std::string_view::npos) return !literal.empty() && literal.size() == pattern.size();
  return literal.starts_with(policy.substr(0, colon + 1)) ||
         literal.starts_with(policy.substr(colon + 1));
}

bool NamesItsSort(const TargetRule& rule, const MatchedTarget& target) {
  return NamesItsKind(rule.kind, target.policy) ||
         FindCollection(rule.match) == FindCollection(target.name);
}

}  // namespace

std::vector<ConditionalRule> ListConditionalRules(const TargetRules& rules,
                                                  const MatchedTarget& target) {
  std::vector<ConditionalRule> found;
  for (const TargetRule& rule : rules) {
    const bool conditional = rule.condition.Restricts() && rule.undeclared_roles;
    if (conditional && AppliesTo(rule, target)) {
      found.push_back({rule.condition, *rule.undeclared_roles});
    }
  }
  return found;
}

bool AppliesTo(const TargetRule& rule, const MatchedTarget& target) {
  const bool is_of_kind = rule.kind.empty() || MatchesGlob(rule.kind, target.kind) ||
                          MatchesGlob(rule.kind, target.policy);
  if (!is_of_kind || !MatchesGlob(rule.match, target.name)) return false;
  return !target.is_container || NamesItsSort(rule, target);
}

}  // namespace bindery
