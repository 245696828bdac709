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

namespace bindery {

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
  std::optional<report::TimeBounds> time_bounds;
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
  std::vector<report::ProblemLine> problems;
  // Of a page of a list only.
  std::optional<std::size_t> total;  ///< That the filter lets through, also beyond the page.
  std::optional<std::size_t> offset;
  std::optional<std::size_t> limit;
  std::optional<FacetCounts> facets;  ///< Of all resources.
  std::optional<Staleness> stale;     ///< Of a command, where no daemon runs.
};

template <>
inline constexpr auto report::kFields<ReportedCondition> =
    std::tuple{report::Field{"type", &ReportedCondition::type},
               report::Field{"status", &ReportedCondition::status},
               report::Field{"reason", &ReportedCondition::reason},
               report::Field{"message", &ReportedCondition::message},
               report::Field{"lastTransitionTime", &ReportedCondition::last_transition_time}};

template <>
inline constexpr auto report::kFields<ReportedStatus> =
    std::tuple{report::Field{"ready", &ReportedStatus::ready},
               report::Field{"state", &ReportedStatus::state},
               report::Field{"reason", &ReportedStatus::reason},
               report::Field{"message", &ReportedStatus::message},
               report::Field{"generation", &ReportedStatus::generation},
               report::Field{"observedGeneration", &ReportedStatus::observed_generation},
               report::Field{"conditions", &ReportedStatus::conditions}};

template <>
inline constexpr auto report::kFields<ReportedResource> =
    std::tuple{report::Field{"name", &ReportedResource::name},
               report::Field{"apiVersion", &ReportedResource::api_version},
               report::Field{"kind", &ReportedResource::kind},
               report::Field{"target", &ReportedResource::target},
               report::Field{"provider", &ReportedResource::provider},
               report::Field{"source", &ReportedResource::source},
               report::Field{"labels", &ReportedResource::labels},
               report::Field{"accepted", &ReportedResource::accepted},
               report::Field{"preview", &ReportedResource::preview},
               report::Field{"suspended", &ReportedResource::suspended},
               report::Field{"observedAt", &ReportedResource::observed_at},
               report::Field{"status", &ReportedResource::status},
               report::Field{"inputs", &ReportedResource::inputs},
               report::Field{"outputs", &ReportedResource::outputs},
               report::FieldIfSet{"mode", &ReportedResource::mode},
               report::FieldIfSet{"timeBounds", &ReportedResource::time_bounds}};

template <>
inline constexpr auto report::kFields<StateCounts> =
    std::tuple{report::Field{"Ready", &StateCounts::ready},
               report::Field{"Suspended", &StateCounts::suspended},
               report::Field{"Reconciling", &StateCounts::reconciling},
               report::Field{"Stalled", &StateCounts::stalled}};

template <>
inline constexpr auto report::kFields<FacetCounts> = std::tuple{
    report::Field{"kinds", &FacetCounts::kinds}, report::Field{"states", &FacetCounts::states},
    report::Field{"labels", &FacetCounts::labels}};

template <>
inline constexpr auto report::kFields<ListedResources> =
    std::tuple{report::Field{"resources", &ListedResources::resources},
               report::Field{"problems", &ListedResources::problems},
               report::FieldIfSet{"total", &ListedResources::total},
               report::FieldIfSet{"offset", &ListedResources::offset},
               report::FieldIfSet{"limit", &ListedResources::limit},
               report::FieldIfSet{"facets", &ListedResources::facets},
               report::FieldIfSet{"stale", &ListedResources::stale}};

}  // namespace bindery
