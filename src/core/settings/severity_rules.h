#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/drift.h"

namespace bindery {

/// Says how bad differences of some sort are. What is empty or not set does not restrict. The texts
/// are patterns with `*` and `?`; capitals do not matter.
struct SeverityRule {
  std::optional<DriftClass> drift_class = {};
  std::string kind = {};
  std::string role = {};    ///< Of a restriction policy: the relation.
  std::string member = {};  ///< Of a restriction policy: the principal.
  /// Only where the conditions differ in title or description: both hold at the same times.
  bool title_only = false;
  Severity severity = Severity::kMedium;

  bool operator==(const SeverityRule&) const = default;
};
using SeverityRules = std::vector<SeverityRule>;

/// A kind's severities of grants beyond the declaration: undeclared grants, and grants with a
/// different condition. The functions are pure, may be null, and return nothing where the general
/// rules must decide.
struct GrantSeverities {
  SeverityRules rules = {};  ///< Tried first.
  std::optional<Severity> (*of_grant)(const Grant& grant) = nullptr;
  /// The severity of losing the grant, if higher than for an ordinary role.
  std::optional<Severity> (*of_loss)(const Grant& grant) = nullptr;
};

/// The inputs of a severity.
struct JudgedDifference {
  DriftClass drift_class = DriftClass::kMissing;
  std::string_view kind;
  const Grant& grant;
  bool title_only = false;
  /// The kind's severities, with precedence over the built-in rules; may be null.
  const GrantSeverities* widening = nullptr;
  /// The present condition permits no more than the declared condition.
  bool permits_less = false;
};

/// The built-in rules for all kinds; the last rule of each class fits everything. docs/drift.md
/// shows these rules, and the rules of the kinds.
[[nodiscard]] const SeverityRules& BuiltInSeverities();

/// The severity by the first matching rule: of `own`, which may be nullptr, of the kind's, of the
/// built-in rules, in this order.
[[nodiscard]] Severity JudgeSeverity(const JudgedDifference& difference, const SeverityRules* own);

/// The severity of a principal's loss of the grant: by the first rule of `own` for an undeclared
/// grant, else by the kind's `widening`, which may be null: roles with more weight than an ordinary
/// role. docs/drift.md shows the severities.
[[nodiscard]] Severity SeverityOfLoss(std::string_view kind, const Grant& grant,
                                      const SeverityRules* own, const GrantSeverities* widening);

/// "low", "medium", "high" or "critical"; nothing for any other word.
[[nodiscard]] std::optional<Severity> ParseSeverity(std::string_view text);

}  // namespace bindery
