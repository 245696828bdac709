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
inline constexpr auto report::kFields<Overview> =
    std::tuple{report::Field{"generatedAt", &Overview::generated_at},
               report::Field{"resources", &Overview::resources},
               report::Field{"drift", &Overview::drift},
               report::Field{"guard", &Overview::guard},
               report::Field{"problems", &Overview::problems},
               report::Field{"generation", &Overview::generation},
               report::Field{"attention", &Overview::attention},
               report::Field{"events", &Overview::events}};

template <>
inline constexpr auto report::kFields<HealthLine> =
    std::tuple{report::Field{"name", &HealthLine::name}, report::Field{"ok", &HealthLine::ok},
               report::Field{"detail", &HealthLine::detail}};

template <>
inline constexpr auto report::kFields<DaemonOverview> = std::tuple_cat(
    report::kFields<Overview>, std::tuple{report::Field{"health", &DaemonOverview::health},
                                          report::Field{"activity", &DaemonOverview::activity}});

}  // namespace bindery
