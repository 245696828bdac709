#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings/condition_match.h"
#include "core/settings/mode.h"

namespace bindery {

/// The treatment of a write that removes access which is hard to restore.
enum class UnsafeWrite { kRefuse, kAllow };

/// Settings of the matching targets. An unset field is left to a later rule, or the default.
struct TargetRule {
  std::string match = {};  ///< A pattern of the target's name, with `*` and `?`.
  /// A pattern of the kind of a manifest of the target, or of its policy; empty: any.
  std::string kind = {};
  std::optional<UndeclaredRoles> undeclared_roles = {};
  std::optional<UnsafeWrite> self_lockout = {};
  std::optional<UnsafeWrite> last_owner = {};
  /// Where it restricts, `undeclared_roles` is about undeclared grants under such conditions, in
  /// declared roles too, and nothing else is set.
  ConditionMatch condition = {};

  bool operator==(const TargetRule&) const = default;
};
using TargetRules = std::vector<TargetRule>;

/// The treatment of undeclared grants under some conditions.
struct ConditionalRule {
  ConditionMatch condition = {};
  UndeclaredRoles undeclared = UndeclaredRoles::kKeep;
};

/// The inputs of rules.
struct MatchedTarget {
  std::string_view name;
  std::string_view kind;    ///< Of a manifest: "TopicIamBinding"; may be empty.
  std::string_view policy;  ///< Target::kind.
  bool is_container = false;
};

/// The rule applies to the target. Only a rule that names their sort applies to containers: by a
/// `kind` whose text before the first wildcard is the service or resource, or by a `match` whose
/// text up to the first "/" is the name's. A pattern such as "*" is meant for the content of
/// containers.
[[nodiscard]] bool AppliesTo(const TargetRule& rule, const MatchedTarget& target);

/// The setting of the first applying rule with the setting; nothing: no such rule.
template <typename Value>
[[nodiscard]] std::optional<Value> FindSetting(const TargetRules& rules,
                                               const MatchedTarget& target,
                                               std::optional<Value> TargetRule::*setting) {
  for (const TargetRule& rule : rules) {
    const bool of_all = !rule.condition.Restricts();
    if (of_all && rule.*setting && AppliesTo(rule, target)) return rule.*setting;
  }
  return std::nullopt;
}

/// The applying rules with a condition, in order.
[[nodiscard]] std::vector<ConditionalRule> ListConditionalRules(const TargetRules& rules,
                                                                const MatchedTarget& target);

}  // namespace bindery
