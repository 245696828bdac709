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

namespace bindery::report {

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
struct PlannedGrant : GrantLine {
  std::optional<TimeBounds> time_bounds;  ///< Of its condition, when the plan was made.
  std::string waits;  ///< What the change waits for besides an approval; empty: nothing.
  /// For a change of the condition: the present grant.
  std::optional<GrantLine> before = {};
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

  /// Adds the totals of further lines.
  PlanCounts& operator+=(const PlanCounts& more);
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
  std::vector<ProblemLine> problems;
  std::vector<ExpiredManifest> expired;
  std::optional<Severity> least;  ///< Set where what is below is left out.
  /// Why the effects of deleted manifests are unknown; empty: known.
  std::string deletions_unknown = {};
};

template <>
inline constexpr auto kAllOf<PlanAction> =
    std::array{PlanAction::kCreate, PlanAction::kUpdate, PlanAction::kDelete, PlanAction::kNone,
               PlanAction::kHeld};

template <>
inline constexpr auto kAllOf<PlanStanding> =
    std::array{PlanStanding::kDeclared, PlanStanding::kObserved, PlanStanding::kReported,
               PlanStanding::kSuspended, PlanStanding::kStalled};

template <>
inline constexpr auto kFields<PlannedGrant> = std::tuple{
    FieldIfSet{"timeBounds", &PlannedGrant::time_bounds}, FieldIfSet{"waits", &PlannedGrant::waits},
    FieldIfSet{"before", &PlannedGrant::before}, FieldIfSet{"gate", &PlannedGrant::gate}};

template <>
inline constexpr auto kFields<PlannedReport> = std::tuple{
    Field{"class", &PlannedReport::drift_class}, Field{"severity", &PlannedReport::severity},
    Field{"resource", &PlannedReport::resource}, Field{"grant", &PlannedReport::grant},
    Field{"desired", &PlannedReport::desired},   Field{"observed", &PlannedReport::observed},
    FieldIfSet{"why", &PlannedReport::why}};

template <>
inline constexpr auto kFields<PlanLine> =
    std::tuple{Field{"target", &PlanLine::target},
               Field{"kind", &PlanLine::kind},
               Field{"action", &PlannedGrants::action},
               Field{"adds", &PlannedGrants::adds},
               Field{"removes", &PlannedGrants::removes},
               FieldIfSet{"replaces", &PlannedGrants::replaces},
               FieldIfSet{"stopped", &PlannedGrants::stopped},
               Field{"resources", &PlanLine::resources},
               Field{"severity", &PlanLine::severity},
               Field{"note", &PlanLine::note},
               FieldIfSet{"standing", &PlanLine::standing},
               FieldIfSet{"reported", &PlanLine::reported},
               FieldIfSet{"warning", &PlanLine::warning}};

template <>
inline constexpr auto kFields<PlanCounts> = std::tuple{
    Field{"adds", &PlanCounts::adds},           Field{"removes", &PlanCounts::removes},
    Field{"replaces", &PlanCounts::replaces},   Field{"targets", &PlanCounts::targets},
    Field{"held", &PlanCounts::held},           Field{"observed", &PlanCounts::observed},
    Field{"suspended", &PlanCounts::suspended}, Field{"stalled", &PlanCounts::stalled},
    Field{"waits", &PlanCounts::waits},         Field{"reported", &PlanCounts::reported}};

inline PlanCounts& PlanCounts::operator+=(const PlanCounts& more) {
  std::apply([&](const auto&... field) { ((this->*field.value += more.*field.value), ...); },
             kFields<PlanCounts>);
  return *this;
}

template <>
inline constexpr auto kFields<PlanGuard> =
    std::tuple{Field{"held", &PlanGuard::held}, Field{"reason", &PlanGuard::reason}};

template <>
inline constexpr auto kFields<WaitingManifest> = std::tuple{
    Field{"resource", &WaitingManifest::resource}, Field{"message", &WaitingManifest::message}};

template <>
inline constexpr auto kFields<UnreadTarget> =
    std::tuple{Field{"target", &UnreadTarget::target}, Field{"code", &UnreadTarget::code},
               Field{"message", &UnreadTarget::message}};

template <>
inline constexpr auto kFields<PassPlan> =
    std::tuple{Field{"changes", &PassPlan::changes},
               Field{"summary", &PassPlan::summary},
               FieldIfSet{"guard", &PassPlan::guard},
               FieldIfSet{"waiting", &PassPlan::waiting},
               FieldIfSet{"errors", &PassPlan::errors},
               FieldIfSet{"loadError", &PassPlan::load_error},
               FieldIfSet{"problems", &PassPlan::problems},
               FieldIfSet{"expired", &PassPlan::expired},
               FieldIfSet{"leastSeverity", &PassPlan::least},
               FieldIfSet{"deletionsUnknown", &PassPlan::deletions_unknown}};

}  // namespace bindery::report
