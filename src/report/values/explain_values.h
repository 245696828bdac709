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

namespace bindery::report {

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
  GrantLine grant;
  GrantState state = GrantState::kUnknown;
  std::string reason;  ///< Why it is in that state.
  WallTime since{};    ///< When it was first seen to differ; not set where it does not.
  std::optional<TimeBounds> time_bounds;   ///< Of its condition.
  std::optional<Attribution> attribution;  ///< Where it differs and reports say who did it.
};

/// The grants of the target at its last reading.
struct ObservedGrants {
  WallTime observed_at{};
  bool exists = false;
  std::string etag;
  std::vector<GrantLine> grants;  ///< Of what the resource claims there.
  std::size_t other_grants = 0;   ///< Those that it does not claim.
};

/// The next pass for one resource.
struct NextPass : PlannedGrants {
  bool known = true;
  std::string text = "nothing";  ///< What it does, or why that is nothing or not known.
  std::string note;              ///< Of the plan.
};

/// The explanation of a resource's state.
struct Explanation : ReportedResource {
  std::string claim;   ///< As ResourceRecord::role; not in JSON, as the next.
  std::string policy;  ///< Target::kind of its target.
  bool lookup = false;
  bool manifest_gone = false;  ///< It is on its way out, or stays without a manifest.
  std::vector<GrantLine> desired;
  std::optional<ObservedGrants> observed;  ///< Not set before its target was read.
  std::vector<ExplainedGrant> grants;
  std::vector<HoldLine> holds;  ///< On its target.
  std::vector<ProblemLine> problems;
  std::vector<EventLine> events;  ///< Its last ones, oldest first.
  // Told by some only: the API, a command where no daemon runs, and a command that makes a plan.
  std::optional<std::vector<RevisionLine>> revisions;  ///< Of its target, newest first.
  std::optional<Staleness> stale;
  std::optional<NextPass> next;
};

template <>
inline constexpr auto kAllOf<GrantState> = kAllGrantStates;

template <>
inline constexpr auto kFields<ExplainedGrant> =
    std::tuple{Field{"grant", &ExplainedGrant::grant},
               Field{"state", &ExplainedGrant::state},
               Field{"reason", &ExplainedGrant::reason},
               Field{"since", &ExplainedGrant::since},
               Field{"timeBounds", &ExplainedGrant::time_bounds},
               FieldIfSet{"attribution", &ExplainedGrant::attribution}};

template <>
inline constexpr auto kFields<ObservedGrants> = std::tuple{
    Field{"observedAt", &ObservedGrants::observed_at}, Field{"exists", &ObservedGrants::exists},
    Field{"etag", &ObservedGrants::etag}, Field{"grants", &ObservedGrants::grants},
    Field{"otherGrants", &ObservedGrants::other_grants}};

template <>
inline constexpr auto kFields<NextPass> =
    std::tuple{Field{"known", &NextPass::known},
               Field{"text", &NextPass::text},
               Field{"action", &PlannedGrants::action},
               Field{"adds", &PlannedGrants::adds},
               Field{"removes", &PlannedGrants::removes},
               FieldIfSet{"replaces", &PlannedGrants::replaces},
               FieldIfSet{"stopped", &PlannedGrants::stopped},
               Field{"note", &NextPass::note}};

template <>
inline constexpr auto kFields<Explanation> = std::tuple_cat(
    kFields<ReportedResource>,
    std::tuple{Field{"lookup", &Explanation::lookup},
               Field{"manifestGone", &Explanation::manifest_gone},
               Field{"desired", &Explanation::desired}, Field{"observed", &Explanation::observed},
               Field{"grants", &Explanation::grants}, Field{"holds", &Explanation::holds},
               Field{"problems", &Explanation::problems}, Field{"events", &Explanation::events},
               FieldIfSet{"revisions", &Explanation::revisions},
               FieldIfSet{"stale", &Explanation::stale}, FieldIfSet{"next", &Explanation::next}});

}  // namespace bindery::report
