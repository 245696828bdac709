#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/access/status.h"
#include "report/codec/json_codec.h"
#include "report/codec/source_line.h"
#include "report/codec/staleness.h"
#include "report/codec/time_bounds.h"
#include "report/values/problem_values.h"

namespace bindery::report {

/// A condition of kstatus.
struct ReportedCondition {
  ResourceState type = ResourceState::kReady;
  std::string status;  ///< "True" or "False".
  std::string reason;
  std::string message;
  WallTime last_transition_time{};
};

struct ReportedStatus {
  bool ready = false;
  ResourceState state = ResourceState::kReconciling;
  std::string reason;
  std::string message;
  std::int64_t generation = 0;
  std::int64_t observed_generation = 0;
  std::vector<ReportedCondition> conditions;  ///< Ready first.
};

/// A resource on record, also with a manifest that is not in force.
struct ReportedResource {
  std::string name;
  std::string api_version;
  std::string kind;
  std::string target;
  std::string provider;
  std::optional<SourceLine> source;
  std::map<std::string, std::string> labels;
  bool accepted = false;  ///< Its manifest is in force.
  bool preview = false;
  bool suspended = false;
  WallTime observed_at{};
  ReportedStatus status;
  Json inputs;
  Json outputs;
  std::string mode;  ///< Empty: the configuration's.
  std::optional<TimeBounds> time_bounds;
};

/// How many resources are in each state.
struct StateCounts {
  std::int64_t ready = 0;
  std::int64_t suspended = 0;
  std::int64_t reconciling = 0;
  std::int64_t stalled = 0;

  [[nodiscard]] std::int64_t Sum() const { return ready + suspended + reconciling + stalled; }
};

/// How many resources there are of each kind, in each state and with each of the labels that most
/// have ("name=value").
struct FacetCounts {
  std::map<std::string, std::size_t> kinds;
  StateCounts states;
  std::map<std::string, std::size_t> labels;
};

/// Resources on record, and the problems of their manifests.
struct ListedResources {
  std::vector<ReportedResource> resources;
  std::vector<ProblemLine> problems;
  // Of a page of a list only.
  std::optional<std::size_t> total;  ///< That the filter lets through, also beyond the page.
  std::optional<std::size_t> offset;
  std::optional<std::size_t> limit;
  std::optional<FacetCounts> facets;  ///< Of all resources.
  std::optional<Staleness> stale;     ///< Of a command, where no daemon runs.
};

template <>
inline constexpr auto kFields<ReportedCondition> = std::tuple{
    Field{"type", &ReportedCondition::type}, Field{"status", &ReportedCondition::status},
    Field{"reason", &ReportedCondition::reason}, Field{"message", &ReportedCondition::message},
    Field{"lastTransitionTime", &ReportedCondition::last_transition_time}};

template <>
inline constexpr auto kFields<ReportedStatus> =
    std::tuple{Field{"ready", &ReportedStatus::ready},
               Field{"state", &ReportedStatus::state},
               Field{"reason", &ReportedStatus::reason},
               Field{"message", &ReportedStatus::message},
               Field{"generation", &ReportedStatus::generation},
               Field{"observedGeneration", &ReportedStatus::observed_generation},
               Field{"conditions", &ReportedStatus::conditions}};

template <>
inline constexpr auto kFields<ReportedResource> =
    std::tuple{Field{"name", &ReportedResource::name},
               Field{"apiVersion", &ReportedResource::api_version},
               Field{"kind", &ReportedResource::kind},
               Field{"target", &ReportedResource::target},
               Field{"provider", &ReportedResource::provider},
               Field{"source", &ReportedResource::source},
               Field{"labels", &ReportedResource::labels},
               Field{"accepted", &ReportedResource::accepted},
               Field{"preview", &ReportedResource::preview},
               Field{"suspended", &ReportedResource::suspended},
               Field{"observedAt", &ReportedResource::observed_at},
               Field{"status", &ReportedResource::status},
               Field{"inputs", &ReportedResource::inputs},
               Field{"outputs", &ReportedResource::outputs},
               FieldIfSet{"mode", &ReportedResource::mode},
               FieldIfSet{"timeBounds", &ReportedResource::time_bounds}};

template <>
inline constexpr auto kFields<StateCounts> = std::tuple{
    Field{"Ready", &StateCounts::ready}, Field{"Suspended", &StateCounts::suspended},
    Field{"Reconciling", &StateCounts::reconciling}, Field{"Stalled", &StateCounts::stalled}};

template <>
inline constexpr auto kFields<FacetCounts> =
    std::tuple{Field{"kinds", &FacetCounts::kinds}, Field{"states", &FacetCounts::states},
               Field{"labels", &FacetCounts::labels}};

template <>
inline constexpr auto kFields<ListedResources> = std::tuple{
    Field{"resources", &ListedResources::resources}, Field{"problems", &ListedResources::problems},
    FieldIfSet{"total", &ListedResources::total},    FieldIfSet{"offset", &ListedResources::offset},
    FieldIfSet{"limit", &ListedResources::limit},    FieldIfSet{"facets", &ListedResources::facets},
    FieldIfSet{"stale", &ListedResources::stale}};

}  // namespace bindery::report
