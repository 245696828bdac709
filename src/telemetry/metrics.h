#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/clock.h"
#include "core/drift.h"
#include "core/status.h"
#include "telemetry/notification_metrics.h"

namespace bindery {

/// How a reconciliation of one target ended, in controller-runtime's words.
enum class ReconcileResult {
  kSuccess,
  kError,
  kRequeue,       ///< To be done again at once.
  kRequeueAfter,  ///< To be done again after a time it asked for.
};

/// Why a target is queued; the label `priority` is 2, 1 and 0.
enum class QueuePriority { kPeriodic, kRetry, kChange };

/// How changes of the manifest directory are noticed.
enum class WatcherMode { kInotify, kPoll };

struct MetricsOptions {
  std::vector<std::string>
      kinds;  ///< All kinds that may appear: their series exist, at zero, from the start.
  std::string version;
  std::string commit = {};  ///< That it was built from; empty: not known.
};

/// Everything bindery counts and measures, under the names of docs/metrics.md. Methods say what
/// happened; names, labels and units are this class' business. Label values come from small fixed
/// sets: kinds, services, operations, codes, providers. Thread-safe.
class Metrics {
 public:
  using Seconds = std::chrono::duration<double>;

  explicit Metrics(const MetricsOptions& options);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  /// The text exposition format, of this moment. Runs what OnRender was given.
  [[nodiscard]] std::string Render();

  /// Called at the start of each Render, one at a time: sets gauges that are cheaper to ask for
  /// than to keep.
  void OnRender(std::function<void()> refresh);

  // The controller_runtime_ family. `controller` is the kind in lower case.
  void SetMaxConcurrentReconciles(int count);
  void ReconcileStarted(std::string_view kind);
  void ReconcileFinished(std::string_view kind, ReconcileResult result, Seconds duration);
  /// Besides ReconcileFinished: an error that trying again cannot mend.
  void ReconcileFailedTerminally(std::string_view kind);
  /// Besides ReconcileFinished: an exception got as far as the worker.
  void ReconcilePanicked(std::string_view kind);
  /// Besides ReconcileFinished: it took longer than it may.
  void ReconcileTimedOut(std::string_view kind);

  // The workqueue_ family; `name` and `controller` are the kind in lower case.
  void QueueAdded(std::string_view kind);
  void QueueRetried(std::string_view kind);
  void QueueTaken(std::string_view kind, Seconds waited);
  void QueueDone(std::string_view kind, Seconds worked);
  void SetQueueDepth(std::string_view kind, QueuePriority priority, std::size_t depth);
  void SetUnfinishedWork(std::string_view kind, Seconds total, Seconds longest);

  // What is kept, and how true it is.
  void SetResources(std::string_view kind, ResourceState state, std::size_t count);
  /// How many wait for an operator's word on removals, or stay as they are by one.
  void SetHeld(std::string_view kind, std::size_t count);
  void SetTargets(std::string_view kind, std::size_t count);
  void SetGrants(std::string_view kind, std::size_t count);
  /// How many grants have a condition that ended, and when the next one ends; nothing: none does.
  void SetGrantExpiry(std::string_view kind, std::size_t expired, std::optional<WallTime> next);
  /// How many end within that time: "7d", one of a few.
  void SetGrantsExpiring(std::string_view kind, std::string_view within, std::size_t count);
  /// How far the local clock is ahead of the services', whether they confirm it, and how many
  /// resources wait for that.
  void SetClock(Seconds ahead, bool confirmed, std::size_t waiting);
  /// Targets that are written rarely, as they are changed back and forth.
  void SetOscillating(std::size_t targets);
  void SetOpenDrift(std::string_view kind, DriftClass drift_class, Severity severity,
                    DriftCause cause, std::size_t count);
  void SetAcceptedDrift(std::string_view kind, DriftClass drift_class, std::size_t count);
  void DriftFound(std::string_view kind, const DriftItem& item);
  void WriteContested(std::string_view kind);
  void DriftCorrected(std::string_view kind, const DriftItem& item);
  /// Of the kind's target that was not observed for the longest time.
  void SetOldestObservation(std::string_view kind, WallTime time);
  /// What the plan of re-checks promises: the longest and the expected time that drift goes unseen,
  /// and the observations a minute it takes.
  void SetRechecks(Seconds bound, Seconds expected, double per_minute);
  /// A periodic observation began that long after it was due.
  void ReconcileWasLate(std::string_view kind, Seconds lateness);

  // The clouds. `status` 0: no answer came.
  void ApiRequest(std::string_view service, std::string_view operation, int status,
                  Seconds duration);
  /// What is known of one quota. `quota_project` is empty where the service counts otherwise.
  struct Quota {
    double headroom = 1;          ///< 1: nothing is used; 0: calls wait.
    double calls_per_second = 0;  ///< 0: no limit is known.
    Seconds paused{0};            ///< How long no call may go.
    std::uint64_t refusals = 0;   ///< Since the start.
  };
  void SetQuota(std::string_view provider, std::string_view quota_project, const Quota& quota);
  /// `openings`: how often calls to the host began to wait since the start.
  void SetHost(std::string_view host, bool away, std::uint64_t openings);

  // Guard, manifests, configuration, watcher, store.
  struct GuardCounts {
    std::size_t holds = 0;
    std::size_t held_removals = 0;
    std::size_t denied_removals = 0;
  };
  void SetGuard(const GuardCounts& counts);
  /// Targets with removals that wait for the directory to settle, or for a person.
  void SetWithheld(std::size_t pending, std::size_t blocked);
  void SetManifestErrors(std::size_t errors, std::size_t warnings);
  /// How many problems there are by code and severity; of those that are not named, none any more.
  /// Codes are those of the checks, and few.
  using ManifestProblems = std::map<std::pair<std::string, std::string>, std::size_t>;
  void SetManifestProblems(const ManifestProblems& problems);
  void ManifestsLoaded(bool successful, WallTime time);
  void ConfigReloaded(bool successful, WallTime time);
  void SetWatcherMode(WatcherMode mode);
  void StoreCommitted(Seconds duration);
  void SetStoreUsable(bool usable);
  /// How many times the store was opened again because its files were lost, since the process
  /// began.
  void StoreReopened(std::size_t times);
  /// A drift report about what was to be seen at `time` was written, or could not be.
  void ReportWritten(bool successful, WallTime time);
  /// `outcome`: "exported", "dropped" (there was no room to wait) or "failed".
  void SpansEnded(std::string_view outcome, std::size_t count);

  /// Somebody was not served by the daemon's own endpoints: "host", "idle", …; see docs/metrics.md.
  void ServerRefused(std::string_view reason);

  /// Those of webhooks.
  [[nodiscard]] NotificationMetrics& notifications();
  /// What became of what was read of audit logs, and the newest entry there ever was.
  struct AuditCounts {
    std::int64_t kept = 0;
    std::int64_t ignored = 0;
    std::int64_t malformed = 0;
    std::optional<WallTime> newest = {};
  };
  void AuditEntriesRead(const AuditCounts& counts);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bindery
