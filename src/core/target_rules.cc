#include "core/target_rules.h"

#include "core/glob.h"

namespace bindery {
namespace {

std::string_view CollectionOf(std::string_view name) { return name.substr(0, name.find('/')); }

bool NamesItsSort(const TargetRule& rule, const MatchedTarget& target) {
  const bool names_kind = rule.kind.find_first_not_of("*?") != std::string::npos;
  return names_kind || CollectionOf(rule.match) == CollectionOf(target.name);
}

}  // namespace

bool AppliesTo(const TargetRule& rule, const MatchedTarget& target) {
  const bool is_of_kind = rule.kind.empty() || MatchesGlob(rule.kind, target.kind) ||
                          MatchesGlob(rule.kind, target.policy);
  if (!is_of_kind || !MatchesGlob(rule.match, target.name)) return false;
  return !target.is_container || NamesItsSort(rule, target);
}

}  // namespace bindery
