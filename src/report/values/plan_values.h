#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/access/drift.h"
#include "report/codec/json_codec.h"
#include "report/codec/time_bounds.h"
#include "report/values/problem_values.h"

namespace bindery {

enum class PlanAction { kCreate, kUpdate, kDelete, kNone, kHeld };
[[nodiscard]] std::string_view ToString(PlanAction action);  ///< "create", "update", …

/// The state of a target to which nothing is to be done. Only kDeclared is as the manifests say.
enum class PlanStanding {
  kDeclared,
  kObserved,   ///< It differs, and that is only reported (mode observe).
  kReported,   ///< It differs, and no pass changes what differs; PlannedReport::why says why.
  kSuspended,  ///< What is declared there, or some of it, is suspended; nothing else differs.
  kStalled,    ///< What is declared there cannot be brought about; the note says why.
};
[[nodiscard]] std::string_view ToString(PlanStanding standing);  ///< "declared", "observed", …

/// A grant of a plan.
struct PlannedGrant : report::GrantLine {
  std::optional<report::TimeBounds> time_bounds;  ///< Of its condition, when the plan was made.
  std::string waits;  ///< What the change waits for besides an approval; empty: nothing.
  /// For a change of the condition: the present grant.
  std::optional<report::GrantLine> before = {};
  /// What keeps the change from being written: "guard", "evidence" …; empty: nothing.
  std::string gate = {};
};

/// A difference that is only reported.
struct PlannedReport {
  DriftClass drift_class = DriftClass::kMissing;
  Severity severity = Severity::kLow;
  std::string resource;
  PlannedGrant grant;
  std::string desired;
  std::string observed;
  std::string why = {};  ///< Why no pass changes it, whatever the mode is; empty: mode observe.
};

/// The grants of a plan, by their outcome.
struct PlannedGrants {
  PlanAction action = PlanAction::kNone;
  std::vector<PlannedGrant> adds;
  std::vector<PlannedGrant> removes;  ///< With kHeld: what the guard would withhold.
  /// Grants with a changed condition: each is one change, neither gained nor lost.
  std::vector<PlannedGrant> replaces = {};
  std::vector<PlannedGrant> stopped = {};  ///< Differences that a gate keeps from being written.
};

/// The next pass for one target.
struct PlanLine : PlannedGrants {
  std::string target;
  std::string kind;
  std::vector<std::string> resources;
  std::optional<Severity> severity;  ///< Of the worst difference; not set where nothing differs.
  std::string note;                  ///< What else a person should know.
  std::optional<PlanStanding> standing;  ///< Of kNone.
  std::vector<PlannedReport> reported;
  /// A warning: a restriction policy that loses its last binding restricts nobody any more. The
  /// note begins with the warning.
  std::string warning;
};

/// The totals of a plan's lines.
struct PlanCounts {
  std::size_t adds = 0;
  std::size_t removes = 0;
  std::size_t replaces = 0;
  std::size_t targets = 0;  ///< With something to do.
  std::size_t held = 0;     ///< Removals that would wait for approval.
  // Targets in the state with nothing to do.
  std::size_t observed = 0;
  std::size_t suspended = 0;
  std::size_t stalled = 0;
  std::size_t waits = 0;     ///< Removals that wait for something else.
  std::size_t reported = 0;  ///< Open differences that no pass changes.
};

/// Why the guard would hold removals.
struct PlanGuard {
  bool held = true;
  std::string reason;
};

/// A manifest with unknown values.
struct WaitingManifest {
  std::string resource;
  std::string message;
};

/// An unreadable target.
struct UnreadTarget {
  std::string target;
  std::string code;
  std::string message;
};

/// The next pass.
struct PassPlan {
  std::vector<PlanLine> changes;
  PlanCounts summary;
  std::optional<PlanGuard> guard;  ///< Set where it would hold something.
  std::vector<WaitingManifest> waiting;
  std::vector<UnreadTarget> errors;
  std::string load_error;  ///< Why the directory cannot be read; empty: it can.
  std::vector<report::ProblemLine> problems;
  std::vector<report::ExpiredManifest> expired;
  std::optional<Severity> least;  ///< Set where what is below is left out.
  /// Why the effects of deleted manifests are unknown; empty: known.
  std::string deletions_unknown = {};
};

template <>
inline constexpr auto report::kAllOf<PlanAction> =
    std::array{PlanAction::kCreate, PlanAction::kUpdate, PlanAction::kDelete, PlanAction::kNone,
               PlanAction::kHeld};

template <>
inline constexpr auto report::kAllOf<PlanStanding> =
    std::array{PlanStanding::kDeclared, PlanStanding::kObserved, PlanStanding::kReported,
               PlanStanding::kSuspended, PlanStanding::kStalled};

template <>
inline constexpr auto report::kFields<PlannedGrant> =
    std::tuple{report::FieldIfSet{"timeBounds", &PlannedGrant::time_bounds},
               report::FieldIfSet{"waits", &PlannedGrant::waits},
               report::FieldIfSet{"before", &PlannedGrant::before},
               report::FieldIfSet{"gate", &PlannedGrant::gate}};

template <>
inline constexpr auto report::kFields<PlannedReport> =
    std::tuple{report::Field{"class", &PlannedReport::drift_class},
               report::Field{"severity", &PlannedReport::severity},
               report::Field{"resource", &PlannedReport::resource},
               report::Field{"grant", &PlannedReport::grant},
               report::Field{"desired", &PlannedReport::desired},
               report::Field{"observed", &PlannedReport::observed},
               report::FieldIfSet{"why", &PlannedReport::why}};

template <>
inline constexpr auto report::kFields<PlanLine> =
    std::tuple{report::Field{"target", &PlanLine::target},
               report::Field{"kind", &PlanLine::kind},
               report::Field{"action", &PlannedGrants::action},
               report::Field{"adds", &PlannedGrants::adds},
               report::Field{"removes", &PlannedGrants::removes},
               report::FieldIfSet{"replaces", &PlannedGrants::replaces},
               report::FieldIfSet{"stopped", &PlannedGrants::stopped},
               report::Field{"resources", &PlanLine::resources},
               report::Field{"severity", &PlanLine::severity},
               report::Field{"note", &PlanLine::note},
               report::FieldIfSet{"standing", &PlanLine::standing},
               report::FieldIfSet{"reported", &PlanLine::reported},
               report::FieldIfSet{"warning", &PlanLine::warning}};

template <>
inline constexpr auto report::kFields<PlanCounts> =
    std::tuple{report::Field{"adds", &PlanCounts::adds},
               report::Field{"removes", &PlanCounts::removes},
               report::Field{"replaces", &PlanCounts::replaces},
               report::Field{"targets", &PlanCounts::targets},
               report::Field{"held", &PlanCounts::held},
               report::Field{"observed", &PlanCounts::observed},
               report::Field{"suspended", &PlanCounts::suspended},
               report::Field{"stalled", &PlanCounts::stalled},
               report::Field{"waits", &PlanCounts::waits},
               report::Field{"reported", &PlanCounts::reported}};

template <>
inline constexpr auto report::kFields<PlanGuard> = std::tuple{
    report::Field{"held", &PlanGuard::held}, report::Field{"reason", &PlanGuard::reason}};

template <>
inline constexpr auto report::kFields<WaitingManifest> =
    std::tuple{report::Field{"resource", &WaitingManifest::resource},
               report::Field{"message", &WaitingManifest::message}};

template <>
inline constexpr auto report::kFields<UnreadTarget> = std::tuple{
    report::Field{"target", &UnreadTarget::target}, report::Field{"code", &UnreadTarget::code},
    report::Field{"message", &UnreadTarget::message}};

template <>
inline constexpr auto report::kFields<PassPlan> =
    std::tuple{report::Field{"changes", &PassPlan::changes},
               report::Field{"summary", &PassPlan::summary},
               report::FieldIfSet{"guard", &PassPlan::guard},
               report::FieldIfSet{"waiting", &PassPlan::waiting},
               report::FieldIfSet{"errors", &PassPlan::errors},
               report::FieldIfSet{"loadError", &PassPlan::load_error},
               report::FieldIfSet{"problems", &PassPlan::problems},
               report::FieldIfSet{"expired", &PassPlan::expired},
               report::FieldIfSet{"leastSeverity", &PassPlan::least},
               report::FieldIfSet{"deletionsUnknown", &PassPlan::deletions_unknown}};

}  // namespace bindery
