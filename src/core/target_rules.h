#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/condition_match.h"
#include "core/mode.h"

namespace bindery {

/// What happens to a write that takes access which is hard to get back.
enum class UnsafeWrite { kRefuse, kAllow };

/// Settings of the targets that it matches. What is not set is for a later rule, or the default.
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

/// The outcome of undeclared grants under some conditions.
struct ConditionalRule {
  ConditionMatch condition = {};
  UndeclaredRoles undeclared = UndeclaredRoles::kKeep;
};

/// What rules are compared with.
struct MatchedTarget {
  std::string_view name;
  std::string_view kind;    ///< Of a manifest: "TopicIamBinding"; may be empty.
  std::string_view policy;  ///< Target::kind.
  bool is_container = false;
};

/// The rule applies to the target. To a container only a rule applies that names its sort: by a
/// `kind` whose text before the first wildcard is its service or resource, or by a `match` whose
/// text up to the first "/" is that of the name. A pattern such as "*" is written for what is in
/// containers.
[[nodiscard]] bool AppliesTo(const TargetRule& rule, const MatchedTarget& target);

/// The setting of the first rule that applies and has it; nothing: none does.
template <typename Value>
[[nodiscard]] std::optional<Value> SettingOf(const TargetRules& rules, const MatchedTarget& target,
                                             std::optional<Value> TargetRule::*setting) {
  for (const TargetRule& rule : rules) {
    const bool of_all = !rule.condition.Restricts();
    if (of_all && rule.*setting && AppliesTo(rule, target)) return rule.*setting;
  }
  return std::nullopt;
}

/// The rules that apply and are about conditions, in order.
[[nodiscard]] std::vector<ConditionalRule> ConditionalRulesOf(const TargetRules& rules,
                                                              const MatchedTarget& target);

}  // namespace bindery
