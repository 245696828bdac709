#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/status.h"
#include "report/codec/json_codec.h"
#include "report/values/activity_values.h"
#include "report/values/drift_values.h"
#include "report/values/event_values.h"
#include "report/values/problem_values.h"
#include "report/values/resource_counts.h"
#include "report/values/work_history.h"

namespace bindery::report {

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

/// PlaceLine::place of targets in a cloud with projects, where neither the name nor a scan tells
/// the project.
inline constexpr std::string_view kUnknownPlace = "unknown";

/// The targets of a project, a folder or an organization; of a provider where a cloud has none.
struct PlaceLine {
  std::string place;  ///< "projects/acme", the name of a provider, or kUnknownPlace.
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
inline constexpr auto kFields<GuardCounts> =
    std::tuple{Field{"holds", &GuardCounts::holds}, Field{"removals", &GuardCounts::removals}};

template <>
inline constexpr auto kFields<GenerationLine> = std::tuple{
    Field{"id", &GenerationLine::id}, Field{"time", &GenerationLine::time},
    Field{"files", &GenerationLine::files}, Field{"manifests", &GenerationLine::manifests}};

template <>
inline constexpr auto kFields<AttentionLine> =
    std::tuple{Field{"name", &AttentionLine::name},       Field{"kind", &AttentionLine::kind},
               Field{"state", &AttentionLine::state},     Field{"reason", &AttentionLine::reason},
               Field{"message", &AttentionLine::message}, Field{"since", &AttentionLine::since}};

template <>
inline constexpr auto kFields<AttentionCause> = std::tuple{
    Field{"state", &AttentionCause::state},         Field{"reason", &AttentionCause::reason},
    Field{"resources", &AttentionCause::resources}, Field{"example", &AttentionCause::example},
    Field{"message", &AttentionCause::message},     Field{"since", &AttentionCause::since}};

template <>
inline constexpr auto kFields<WaitingHold> =
    std::tuple{Field{"digest", &WaitingHold::digest}, Field{"createdAt", &WaitingHold::created_at},
               Field{"reason", &WaitingHold::reason}, Field{"removals", &WaitingHold::removals}};

template <>
inline constexpr auto kFields<PlaceLine> = std::tuple{
    Field{"place", &PlaceLine::place},           Field{"targets", &PlaceLine::targets},
    Field{"differing", &PlaceLine::differing},   Field{"differences", &PlaceLine::differences},
    Field{"undeclared", &PlaceLine::undeclared}, Field{"grants", &PlaceLine::grants},
    Field{"severity", &PlaceLine::severity}};

template <>
inline constexpr auto kFields<Overview> =
    std::tuple{Field{"generatedAt", &Overview::generated_at},
               Field{"resources", &Overview::resources},
               Field{"drift", &Overview::drift},
               Field{"guard", &Overview::guard},
               Field{"problems", &Overview::problems},
               Field{"generation", &Overview::generation},
               Field{"attention", &Overview::attention},
               Field{"events", &Overview::events},
               Field{"causes", &Overview::causes},
               Field{"holds", &Overview::holds},
               Field{"places", &Overview::places},
               Field{"placeCount", &Overview::place_count},
               Field{"mostUndeclared", &Overview::most_undeclared},
               Field{"expiring", &Overview::expiring}};

template <>
inline constexpr auto kFields<HealthLine> =
    std::tuple{Field{"name", &HealthLine::name}, Field{"ok", &HealthLine::ok},
               Field{"detail", &HealthLine::detail}};

template <>
inline constexpr auto kFields<DaemonOverview> =
    std::tuple_cat(kFields<Overview>, std::tuple{Field{"health", &DaemonOverview::health},
                                                 Field{"activity", &DaemonOverview::activity},
                                                 Field{"mode", &DaemonOverview::mode},
                                                 Field{"history", &DaemonOverview::history}});

}  // namespace bindery::report
