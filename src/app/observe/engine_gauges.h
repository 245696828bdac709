#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "app/observe/count_pause.h"
#include "controller/engine/engine.h"
#include "core/access/status.h"
#include "core/base/clock.h"
#include "report/values/resource_counts.h"
#include "telemetry/metrics.h"

namespace bindery::app {

/// What the metrics show of the state of all resources and targets. On the loop thread.
class EngineGauges {
 public:
  /// Both must outlive the object.
  EngineGauges(telemetry::Metrics& metrics, const Clock& clock)
      : metrics_(metrics), clock_(clock) {}

  /// The number of targets that may be in work, of each kind.
  void SetConcurrency(int concurrency) { concurrency_ = concurrency; }

  /// Sets the gauges that follow from the engine's state: of the kinds with series from the start,
  /// and of kinds with manifests or targets now or at an earlier call. Of many entries the counts
  /// by kind may be those of an earlier call: see docs/metrics.md.
  void Publish(const controller::Engine& engine);

 private:
  /// The counts of one pass over the engine's state, for a kind.
  struct KindGauges {
    /// How many resources have the status at this address: most statuses are shared.
    std::unordered_map<const ResourceStatus*, std::int64_t> statuses;
    report::ResourceCounts resources;
    std::map<controller::TargetEntry::Difference, std::size_t> drift;
    std::map<DriftClass, std::size_t> accepted;
    std::size_t undeclared = 0;  ///< Grants that no manifest declares.
    std::size_t targets = 0;
    std::size_t grants = 0;
    std::size_t expired = 0;                      ///< Of the grants: their condition ended.
    std::optional<WallTime> next_expiry;          ///< Of those to come the first.
    std::map<std::string, std::size_t> expiring;  ///< By the time within which they end.
    std::optional<WallTime> oldest;
  };

  /// A walk over 100,000 entries compares addresses, and no texts.
  struct AllKinds {
    /// The name stays where it is as long as this object.
    KindGauges& Get(const std::string& name);

    std::map<std::string, KindGauges> by_name;
    std::unordered_map<const std::string*, KindGauges*> by_address;
  };

  void PublishCounts(const controller::Engine& engine);
  static void CountResources(const controller::Engine& engine, AllKinds& kinds);
  void CountExpiry(const controller::Engine& engine, std::map<std::string, KindGauges>& kinds);
  void PublishExpiry(const std::string& name, const KindGauges& gauges);
  void PublishQueue(const controller::Engine& engine);
  void PublishKind(const controller::Engine& engine, const std::string& name, KindGauges& gauges);

  telemetry::Metrics& metrics_;
  const Clock& clock_;
  int concurrency_ = 0;
  CountPause pause_;
  std::set<std::string> expiry_labels_;  ///< All there were: one that is no more counts nothing.
  /// The kinds that are shown, each with the sorts of differences that were ever open.
  std::map<std::string, std::set<controller::TargetEntry::Difference>> shown_;
};

}  // namespace bindery::app
