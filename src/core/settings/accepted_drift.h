#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/drift.h"
#include "core/base/clock.h"
#include "core/settings/condition_match.h"

namespace bindery {

/// Which differences are accepted, and why. What is empty or not set does not restrict; the texts
/// are patterns with `*` and `?`, and capitals do not matter.
struct AcceptedDriftRule {
  std::optional<DriftClass> drift_class = {};
  std::string target = {};  ///< The full name of the target.
  std::string role = {};    ///< Of a restriction policy: the relation.
  std::string member = {};  ///< Of a restriction policy: the principal.
  Acceptance acceptance = {};
  /// The manifest of the rule is broken or missing, and may name a later end by now: the rule does
  /// not end.
  bool end_in_doubt = false;
  ConditionMatch condition = {};  ///< Of the grant; of kConditionChanged: the declared one.

  bool operator==(const AcceptedDriftRule&) const = default;
};
using AcceptedDriftRules = std::vector<AcceptedDriftRule>;

/// The time, as far as known: between the two, both included. Equal while the services confirm the
/// local clock.
struct TimeSpan {
  WallTime earliest;
  WallTime latest;
};

/// The meaning of a rule for a difference at some time.
enum class AcceptanceState {
  kNone,   ///< No rule fits, or the time of those that fit is over.
  kHolds,  ///< It is accepted.
  kDoubt,  ///< It was accepted, and whether that is over cannot be told.
};

/// The first matching rule that holds; else a rule that may hold; else null. The pointer is into
/// `rules`.
struct FoundAcceptance {
  AcceptanceState state = AcceptanceState::kNone;
  const AcceptedDriftRule* rule = nullptr;
};
/// `end_of`: null where no rule is about the end of a condition.
[[nodiscard]] FoundAcceptance FindAcceptance(const AcceptedDriftRules& rules,
                                             std::string_view target, const DriftItem& item,
                                             const TimeSpan& now, EndOfCondition end_of = nullptr);

/// A former rule is missing now.
[[nodiscard]] bool IsAnyGone(const AcceptedDriftRules& before, const AcceptedDriftRules& now);

/// The rule restricts something: a rule that fits every difference turns enforcement off.
[[nodiscard]] bool Restricts(const AcceptedDriftRule& rule);

/// Only differences of grants can be accepted: a target that is missing stays an error, and the
/// result of a lookup is not repaired anyway.
[[nodiscard]] bool IsAcceptable(DriftClass drift_class);

/// "until 2026-11-25T00:00:00.000Z by ana: break-glass"; "without an end by ana: …".
[[nodiscard]] std::string AcceptanceInWords(const Acceptance& acceptance);

}  // namespace bindery
