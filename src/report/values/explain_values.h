#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "report/codec/json_codec.h"
#include "report/codec/staleness.h"
#include "report/codec/time_bounds.h"
#include "report/values/attributions.h"
#include "report/values/event_values.h"
#include "report/values/guard_values.h"
#include "report/values/plan_values.h"
#include "report/values/problem_values.h"
#include "report/values/resource_values.h"
#include "report/values/revision_values.h"

namespace bindery {

/// The state of a declared grant, or of the grant in its place.
enum class GrantState {
  kInForce,
  kNotYet,            ///< Its condition starts later.
  kExpired,           ///< Its condition ended.
  kNever,             ///< Its condition holds at no time.
  kMissing,           ///< Declared, and not in the policy.
  kConditionDiffers,  ///< In the policy under another condition.
  kPrincipalDeleted,  ///< The policy has it as a deleted principal.
  kUndeclared,        ///< In the policy, and no manifest declares it.
  kJustInTime,        ///< A service gave it on request: no difference.
  kDeclared,          ///< By another manifest.
  kNotInForce,        ///< As its manifest is not.
  kLeaving,           ///< Its manifest is gone, and it goes.
  kStays,             ///< No manifest declares it (any more), and it stays.
  kGone,              ///< As its manifest is.
  kUnknown,           ///< Its target was not read yet.
};
inline constexpr std::array kAllGrantStates = {GrantState::kInForce,
                                               GrantState::kNotYet,
                                               GrantState::kExpired,
                                               GrantState::kNever,
                                               GrantState::kMissing,
                                               GrantState::kConditionDiffers,
                                               GrantState::kPrincipalDeleted,
                                               GrantState::kUndeclared,
                                               GrantState::kJustInTime,
                                               GrantState::kDeclared,
                                               GrantState::kNotInForce,
                                               GrantState::kLeaving,
                                               GrantState::kStays,
                                               GrantState::kGone,
                                               GrantState::kUnknown};
[[nodiscard]] std::string_view ToString(GrantState state);  ///< "in force", "not yet", …

struct ExplainedGrant {
  report::GrantLine grant;
  GrantState state = GrantState::kUnknown;
  std::string reason;  ///< Why it is in that state.
  WallTime since{};    ///< When it was first seen to differ; not set where it does not.
  std::optional<report::TimeBounds> time_bounds;   ///< Of its condition.
  std::optional<report::Attribution> attribution;  ///< Where it differs and reports say who did it.
};

/// The grants of the target at its last reading.
struct ObservedGrants {
  WallTime observed_at{};
  bool exists = false;
  std::string etag;
  std::vector<report::GrantLine> grants;  ///< Of what the resource claims there.
  std::size_t other_grants = 0;           ///< Those that it does not claim.
};

/// The next pass for one resource.
struct NextPass : PlannedGrants {
  bool known = true;
  std::string text = "nothing";  ///< What it does, or why that is nothing or not known.
  std::string note;              ///< Of the plan.
};

/// The explanation of a resource's state.
struct Explanation : ReportedResource {
  bool lookup = false;
  bool manifest_gone = false;  ///< It is on its way out, or stays without a manifest.
  std::vector<report::GrantLine> desired;
  std::optional<ObservedGrants> observed;  ///< Not set before its target was read.
  std::vector<ExplainedGrant> grants;
  std::vector<HoldLine> holds;  ///< On its target.
  std::vector<report::ProblemLine> problems;
  std::vector<EventLine> events;  ///< Its last ones, oldest first.
  // Told by some only: the API, a command where no daemon runs, and a command that makes a plan.
  std::optional<std::vector<RevisionLine>> revisions;  ///< Of its target, newest first.
  std::optional<Staleness> stale;
  std::optional<NextPass> next;
};

template <>
inline constexpr auto report::kAllOf<GrantState> = kAllGrantStates;

template <>
inline constexpr auto report::kFields<ExplainedGrant> =
    std::tuple{report::Field{"grant", &ExplainedGrant::grant},
               report::Field{"state", &ExplainedGrant::state},
               report::Field{"reason", &ExplainedGrant::reason},
               report::Field{"since", &ExplainedGrant::since},
               report::Field{"timeBounds", &ExplainedGrant::time_bounds},
               report::FieldIfSet{"attribution", &ExplainedGrant::attribution}};

template <>
inline constexpr auto report::kFields<ObservedGrants> = std::tuple{
    report::Field{"observedAt", &ObservedGrants::observed_at},
    report::Field{"exists", &ObservedGrants::exists}, report::Field{"etag", &ObservedGrants::etag},
    report::Field{"grants", &ObservedGrants::grants},
    report::Field{"otherGrants", &ObservedGrants::other_grants}};

template <>
inline constexpr auto report::kFields<NextPass> =
    std::tuple{report::Field{"known", &NextPass::known},
               report::Field{"text", &NextPass::text},
               report::Field{"action", &PlannedGrants::action},
               report::Field{"adds", &PlannedGrants::adds},
               report::Field{"removes", &PlannedGrants::removes},
               report::FieldIfSet{"replaces", &PlannedGrants::replaces},
               report::FieldIfSet{"stopped", &PlannedGrants::stopped},
               report::Field{"note", &NextPass::note}};

template <>
inline constexpr auto report::kFields<Explanation> =
    std::tuple_cat(report::kFields<ReportedResource>,
                   std::tuple{report::Field{"lookup", &Explanation::lookup},
                              report::Field{"manifestGone", &Explanation::manifest_gone},
                              report::Field{"desired", &Explanation::desired},
                              report::Field{"observed", &Explanation::observed},
                              report::Field{"grants", &Explanation::grants},
                              report::Field{"holds", &Explanation::holds},
                              report::Field{"problems", &Explanation::problems},
                              report::Field{"events", &Explanation::events},
                              report::FieldIfSet{"revisions", &Explanation::revisions},
                              report::FieldIfSet{"stale", &Explanation::stale},
                              report::FieldIfSet{"next", &Explanation::next}});

}  // namespace bindery
