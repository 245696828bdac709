#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/access/status.h"
#include "report/codec/json_codec.h"
#include "report/values/activity_values.h"
#include "report/values/drift_values.h"
#include "report/values/event_values.h"
#include "report/values/problem_values.h"
#include "report/values/resource_counts.h"
#include "report/values/work_history.h"

namespace bindery {

/// The removals waiting for approval.
struct GuardCounts {
  std::int64_t holds = 0;
  std::int64_t removals = 0;
};

/// The last accepted scan of the directory.
struct GenerationLine {
  std::int64_t id = 0;
  WallTime time{};
  std::int64_t files = 0;
  std::int64_t manifests = 0;
};

/// A resource that is not ready.
struct AttentionLine {
  std::string name;
  std::string kind;
  ResourceState state = ResourceState::kReconciling;
  std::string reason;
  std::string message;
  WallTime since{};
};

/// Why resources are not ready, and how many are not for that.
struct AttentionCause {
  ResourceState state = ResourceState::kReconciling;
  std::string reason;
  std::int64_t resources = 0;
  std::string example;  ///< The first of these resources by name.
  std::string message;  ///< Of the example.
  WallTime since{};     ///< Of the resource that is longest so.
};

/// Removals that wait for approval.
struct WaitingHold {
  std::string digest;
  WallTime created_at{};
  std::string reason;
  std::int64_t removals = 0;
};

/// The targets of a project, a folder or an organization; of a provider where names have none.
struct PlaceLine {
  std::string place;  ///< "projects/acme"
  std::int64_t targets = 0;
  std::int64_t differing = 0;    ///< Targets with differences.
  std::int64_t differences = 0;  ///< Open and held.
  std::int64_t undeclared = 0;
  std::int64_t grants = 0;
  std::optional<Severity> severity;  ///< Of the worst difference; not set where there is none.
};

/// All state at a glance.
struct Overview {
  WallTime generated_at{};
  ResourceCounts resources;
  DriftSummary drift;
  GuardCounts guard;
  ProblemCounts problems;
  std::optional<GenerationLine> generation;  ///< Not set before the first one.
  std::vector<AttentionLine> attention;      ///< The first that are not ready, worst first.
  std::vector<EventLine> events;             ///< The newest, newest first.
  std::vector<AttentionCause> causes;        ///< Of all that are not ready, worst first.
  std::vector<WaitingHold> holds;            ///< The first, oldest first.
  std::vector<PlaceLine> places;             ///< The first, worst first.
  std::int64_t place_count = 0;
  std::vector<PlaceLine> most_undeclared;  ///< The first by undeclared grants, most first.
  std::vector<ExpiringGrants> expiring;    ///< The first to end.
};

/// A health check in the overview.
struct HealthLine {
  std::string name;
  bool ok = true;
  std::string detail;  ///< Why not.
};

/// The overview with the daemon's own knowledge.
struct DaemonOverview : Overview {
  std::vector<HealthLine> health;
  ActivityReport activity;
  std::string mode;     ///< Of resources that name none themselves: "enforce", "observe".
  WorkHistory history;  ///< Of 30 days.
};

template <>
inline constexpr auto report::kFields<GuardCounts> = std::tuple{
    report::Field{"holds", &GuardCounts::holds}, report::Field{"removals", &GuardCounts::removals}};

template <>
inline constexpr auto report::kFields<GenerationLine> = std::tuple{
    report::Field{"id", &GenerationLine::id}, report::Field{"time", &GenerationLine::time},
    report::Field{"files", &GenerationLine::files},
    report::Field{"manifests", &GenerationLine::manifests}};

template <>
inline constexpr auto report::kFields<AttentionLine> =
    std::tuple{report::Field{"name", &AttentionLine::name},
               report::Field{"kind", &AttentionLine::kind},
               report::Field{"state", &AttentionLine::state},
               report::Field{"reason", &AttentionLine::reason},
               report::Field{"message", &AttentionLine::message},
               report::Field{"since", &AttentionLine::since}};

template <>
inline constexpr auto report::kFields<AttentionCause> =
    std::tuple{report::Field{"state", &AttentionCause::state},
               report::Field{"reason", &AttentionCause::reason},
               report::Field{"resources", &AttentionCause::resources},
               report::Field{"example", &AttentionCause::example},
               report::Field{"message", &AttentionCause::message},
               report::Field{"since", &AttentionCause::since}};

template <>
inline constexpr auto report::kFields<WaitingHold> =
    std::tuple{report::Field{"digest", &WaitingHold::digest},
               report::Field{"createdAt", &WaitingHold::created_at},
               report::Field{"reason", &WaitingHold::reason},
               report::Field{"removals", &WaitingHold::removals}};

template <>
inline constexpr auto report::kFields<PlaceLine> =
    std::tuple{report::Field{"place", &PlaceLine::place},
               report::Field{"targets", &PlaceLine::targets},
               report::Field{"differing", &PlaceLine::differing},
               report::Field{"differences", &PlaceLine::differences},
               report::Field{"undeclared", &PlaceLine::undeclared},
               report::Field{"grants", &PlaceLine::grants},
               report::Field{"severity", &PlaceLine::severity}};

template <>
inline constexpr auto report::kFields<Overview> =
    std::tuple{report::Field{"generatedAt", &Overview::generated_at},
               report::Field{"resources", &Overview::resources},
               report::Field{"drift", &Overview::drift},
               report::Field{"guard", &Overview::guard},
               report::Field{"problems", &Overview::problems},
               report::Field{"generation", &Overview::generation},
               report::Field{"attention", &Overview::attention},
               report::Field{"events", &Overview::events},
               report::Field{"causes", &Overview::causes},
               report::Field{"holds", &Overview::holds},
               report::Field{"places", &Overview::places},
               report::Field{"placeCount", &Overview::place_count},
               report::Field{"mostUndeclared", &Overview::most_undeclared},
               report::Field{"expiring", &Overview::expiring}};

template <>
inline constexpr auto report::kFields<HealthLine> =
    std::tuple{report::Field{"name", &HealthLine::name}, report::Field{"ok", &HealthLine::ok},
               report::Field{"detail", &HealthLine::detail}};

template <>
inline constexpr auto report::kFields<DaemonOverview> = std::tuple_cat(
    report::kFields<Overview>, std::tuple{report::Field{"health", &DaemonOverview::health},
                                          report::Field{"activity", &DaemonOverview::activity},
                                          report::Field{"mode", &DaemonOverview::mode},
                                          report::Field{"history", &DaemonOverview::history}});

}  // namespace bindery
