#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/drift.h"

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

/// What a kind says of grants that give more than is declared: undeclared ones and those whose
/// condition differs. The functions are pure, may be null, and say nothing where the general rules
/// must decide.
struct GrantSeverities {
  SeverityRules rules = {};  ///< Tried first.
  std::optional<Severity> (*of_grant)(const Grant& grant) = nullptr;
  /// How bad it is for somebody to lose the grant, where that is worse than for an ordinary role.
  std::optional<Severity> (*of_loss)(const Grant& grant) = nullptr;
};

/// What a difference is judged by.
struct JudgedDifference {
  DriftClass drift_class = DriftClass::kMissing;
  std::string_view kind;
  const Grant& grant;
  bool title_only = false;
  /// What the kind says of it. That comes before the built-in rules; may be null.
  const GrantSeverities* widening = nullptr;
  /// The condition that is there permits no more than the declared one.
  bool permits_less = false;
};

/// The rules that come with the program, for all kinds; the last one of each class fits everything.
/// docs/drift.md shows them, and those of the kinds.
[[nodiscard]] const SeverityRules& BuiltInSeverities();

/// What the first rule that fits says: of `own`, which may be nullptr, then of the kind's, then of
/// the built-in ones.
[[nodiscard]] Severity SeverityOf(const JudgedDifference& difference, const SeverityRules* own);

/// How bad it is for somebody to lose that grant: what the first of `own` says that fits an
/// undeclared grant, and else the kind's `widening`, which may be null: what weighs more than an
/// ordinary role. docs/drift.md shows them.
[[nodiscard]] Severity SeverityOfLoss(std::string_view kind, const Grant& grant,
                                      const SeverityRules* own, const GrantSeverities* widening);

/// "low", "medium", "high" or "critical"; nothing for any other word.
[[nodiscard]] std::optional<Severity> ParseSeverity(std::string_view text);

}  // namespace bindery
