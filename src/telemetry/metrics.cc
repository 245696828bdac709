#include "telemetry/metrics.h"

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/accepted_drift.h"
#include "core/mutex.h"
#include "telemetry/metric_families.h"
#include "telemetry/metric_labels.h"
#include "telemetry/metric_series.h"
#include "telemetry/process_metrics.h"

namespace bindery {
namespace {

using metrics_internal::AcceptedDrift;
using metrics_internal::CallSeries;
using metrics_internal::Controller;
using metrics_internal::Drift;
using metrics_internal::Families;
using metrics_internal::Index;
using metrics_internal::kCauses;
using metrics_internal::kDriftClasses;
using metrics_internal::Kind;
using metrics_internal::KindSeries;
using metrics_internal::kSeverities;
using metrics_internal::Queue;
using metrics_internal::State;
using prometheus::Labels;

constexpr std::array kPriorities = {"0", "1", "2"};
constexpr std::array kWatcherModes = {"inotify", "poll"};

Labels Held(std::string_view kind) { return {{"kind", std::string(kind)}, {"state", "held"}}; }
Labels Priority(std::string_view kind, QueuePriority priority) {
  Labels labels = Queue(kind);
  labels["priority"] = kPriorities.at(Index(priority));
  return labels;
}

double UnixSeconds(WallTime time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

constexpr const char* Compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

void SetTo(prometheus::Gauge& gauge, std::size_t count) { gauge.Set(static_cast<double>(count)); }

constexpr std::array kServerRefusals = {"connections", "cross-site", "host", "idle",   "malformed",
                                        "plan",        "rate",       "slow", "streams"};

/// A counter that somebody else counts.
void RaiseTo(prometheus::Counter& counter, std::uint64_t total) {
  counter.Increment(std::max(0.0, static_cast<double>(total) - counter.Value()));
}

/// The one counter of that item.
prometheus::Counter& DriftCounter(metrics_internal::DriftCounters& counters,
                                  const DriftItem& item) {
  using metrics_internal::Index;
  return *counters.at(Index(item.drift_class)).at(Index(item.severity)).at(Index(item.cause));
}

}  // namespace

class Metrics::Impl {
 public:
  explicit Impl(const MetricsOptions& options)
      : kinds_(options.kinds),
        families_(registry_),
        notifications_(registry_),
        series_(families_),
        process_(registry_) {
    for (const std::string& kind : kinds_) StartAtZero(kind);
    for (auto* single :
         {&families_.detection_bound, &families_.detection_expected, &families_.recheck_rate,
          &families_.guard_holds, &families_.guard_held_removals, &families_.guard_denied_removals,
          &families_.manifest_errors, &families_.manifest_warnings, &families_.last_load,
          &families_.last_load_successful, &families_.last_config_reload,
          &families_.last_config_reload_successful, &families_.newest_audit_entry}) {
      single->Add({});
    }
    families_.store_usable.Add({});
    families_.store_reopenings.Add({});
    families_.store_commit.Add({}, metrics_internal::CommitBuckets());
    for (const char* result : {"written", "failed"}) families_.reports.Add({{"result", result}});
    for (const char* outcome : {"exported", "dropped", "failed"}) {
      families_.spans.Add({{"outcome", outcome}});
    }
    for (const char* state : {"pending", "blocked"}) {
      families_.withheld_targets.Add({{"state", state}});
    }
    families_.last_report.Add({});
    for (const char* result : {"kept", "ignored", "malformed"}) {
      families_.audit_entries.Add({{"result", result}});
    }
    for (const char* reason : kServerRefusals) {
      families_.server_refusals.Add({{"reason", reason}});
    }
    for (const char* mode : kWatcherModes) families_.watcher_mode.Add({{"mode", mode}});
    families_.build_info
        .Add({{"version", options.version}, {"revision", options.commit}, {"compiler", Compiler()}})
        .Set(1);
  }

  [[nodiscard]] Families& families() { return families_; }
  [[nodiscard]] NotificationMetrics& notifications() { return notifications_; }
  /// What was told last, by the one thread that tells it.
  [[nodiscard]] ManifestProblems& manifest_problems() { return manifest_problems_; }
  [[nodiscard]] const std::vector<std::string>& kinds() const { return kinds_; }

  KindSeries& OfKind(std::string_view kind) { return series_.OfKind(kind); }
  CallSeries& OfCall(std::string_view service, std::string_view operation, int status) {
    return series_.OfCall(service, operation, status);
  }

  void OnRender(std::function<void()> refresh) {
    const MutexLock lock(render_mutex_);
    refresh_ = std::move(refresh);
  }

  std::string Render() {
    const MutexLock lock(render_mutex_);
    if (refresh_) refresh_();
    process_.Refresh();
    return prometheus::TextSerializer().Serialize(registry_.Collect());
  }

 private:
  /// A series that begins when something first happens hides that first time from rate().
  void StartAtZero(const std::string& kind) {
    const Labels controller = Controller(kind);
    OfKind(kind);
    for (auto* counters : {&families_.reconcile_errors, &families_.reconcile_terminal_errors,
                           &families_.reconcile_panics, &families_.reconcile_timeouts}) {
      counters->Add(controller);
    }
    families_.max_concurrent_reconciles.Add(controller);

    for (std::size_t i = 0; i < kPriorities.size(); ++i) {
      families_.queue_depth.Add(Priority(kind, static_cast<QueuePriority>(i)));
    }
    families_.queue_unfinished.Add(Queue(kind));
    families_.queue_longest.Add(Queue(kind));

    for (const ResourceState state : kAllResourceStates) {
      families_.resources.Add(State(kind, state));
    }
    families_.resources.Add(Held(kind));
    families_.targets.Add(Kind(kind));
    families_.grants.Add(Kind(kind));
    families_.contested_writes.Add(Kind(kind));
    for (const DriftClass drift_class : kDriftClasses) {
      if (IsAcceptable(drift_class)) families_.drift_accepted.Add(AcceptedDrift(kind, drift_class));
      for (const Severity severity : kSeverities) {
        for (const DriftCause cause : kCauses) {
          families_.drift_open.Add(Drift(kind, drift_class, severity, cause));
        }
      }
    }
  }

  const std::vector<std::string> kinds_;
  prometheus::Registry registry_;
  ManifestProblems manifest_problems_;
  Families families_;
  NotificationMetrics notifications_;
  metrics_internal::Series series_;
  Mutex render_mutex_;
  metrics_internal::ProcessMetrics process_ GUARDED_BY(render_mutex_);
  std::function<void()> refresh_ GUARDED_BY(render_mutex_);
};

Metrics::Metrics(const MetricsOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Metrics::~Metrics() = default;

std::string Metrics::Render() { return impl_->Render(); }
void Metrics::OnRender(std::function<void()> refresh) { impl_->OnRender(std::move(refresh)); }

void Metrics::SetMaxConcurrentReconciles(int count) {
  for (const std::string& kind : impl_->kinds()) {
    impl_->families().max_concurrent_reconciles.Add(Controller(kind)).Set(count);
  }
}

void Metrics::ReconcileStarted(std::string_view kind) {
  impl_->OfKind(kind).active_workers.Increment();
}

void Metrics::ReconcileFinished(std::string_view kind, ReconcileResult result, Seconds duration) {
  KindSeries& series = impl_->OfKind(kind);
  series.active_workers.Decrement();
  series.reconciles.at(Index(result))->Increment();
  series.reconcile_time.Observe(duration.count());
  if (result == ReconcileResult::kError) {
    impl_->families().reconcile_errors.Add(Controller(kind)).Increment();
  }
}

void Metrics::ReconcileFailedTerminally(std::string_view kind) {
  impl_->families().reconcile_terminal_errors.Add(Controller(kind)).Increment();
}
void Metrics::ReconcilePanicked(std::string_view kind) {
  impl_->families().reconcile_panics.Add(Controller(kind)).Increment();
}
void Metrics::ReconcileTimedOut(std::string_view kind) {
  impl_->families().reconcile_timeouts.Add(Controller(kind)).Increment();
}

void Metrics::QueueAdded(std::string_view kind) { impl_->OfKind(kind).queue_adds.Increment(); }
void Metrics::QueueRetried(std::string_view kind) { impl_->OfKind(kind).queue_retries.Increment(); }
void Metrics::QueueTaken(std::string_view kind, Seconds waited) {
  impl_->OfKind(kind).queue_duration.Observe(waited.count());
}
void Metrics::QueueDone(std::string_view kind, Seconds worked) {
  impl_->OfKind(kind).queue_work_duration.Observe(worked.count());
}
void Metrics::SetQueueDepth(std::string_view kind, QueuePriority priority, std::size_t depth) {
  SetTo(impl_->families().queue_depth.Add(Priority(kind, priority)), depth);
}
void Metrics::SetUnfinishedWork(std::string_view kind, Seconds total, Seconds longest) {
  impl_->families().queue_unfinished.Add(Queue(kind)).Set(total.count());
  impl_->families().queue_longest.Add(Queue(kind)).Set(longest.count());
}

void Metrics::SetResources(std::string_view kind, ResourceState state, std::size_t count) {
  SetTo(impl_->families().resources.Add(State(kind, state)), count);
}
void Metrics::SetHeld(std::string_view kind, std::size_t count) {
  SetTo(impl_->families().resources.Add(Held(kind)), count);
}
void Metrics::SetTargets(std::string_view kind, std::size_t count) {
  SetTo(impl_->families().targets.Add(Kind(kind)), count);
}
void Metrics::SetGrants(std::string_view kind, std::size_t count) {
  SetTo(impl_->families().grants.Add(Kind(kind)), count);
}
void Metrics::SetGrantExpiry(std::string_view kind, std::size_t expired,
                             std::optional<WallTime> next) {
  SetTo(impl_->families().grants_expired.Add(Kind(kind)), expired);
  impl_->families()
      .next_grant_expiry.Add(Kind(kind))
      .Set(next ? UnixSeconds(*next) : std::numeric_limits<double>::infinity());
}
void Metrics::SetGrantsExpiring(std::string_view kind, std::string_view within, std::size_t count) {
  Labels labels = Kind(kind);
  labels.emplace("within", within);
  SetTo(impl_->families().grants_expiring.Add(labels), count);
}
void Metrics::SetClock(Seconds ahead, bool confirmed, std::size_t waiting) {
  impl_->families().clock_disagreement.Add({}).Set(ahead.count());
  impl_->families().clock_confirmed.Add({}).Set(confirmed ? 1 : 0);
  SetTo(impl_->families().removals_awaiting_time.Add({}), waiting);
}
void Metrics::SetOscillating(std::size_t targets) {
  SetTo(impl_->families().oscillating_targets.Add({}), targets);
}
void Metrics::SetOpenDrift(std::string_view kind, DriftClass drift_class, Severity severity,
                           DriftCause cause, std::size_t count) {
  SetTo(impl_->families().drift_open.Add(Drift(kind, drift_class, severity, cause)), count);
}
void Metrics::SetAcceptedDrift(std::string_view kind, DriftClass drift_class, std::size_t count) {
  SetTo(impl_->families().drift_accepted.Add(AcceptedDrift(kind, drift_class)), count);
}
void Metrics::DriftFound(std::string_view kind, const DriftItem& item) {
  DriftCounter(impl_->OfKind(kind).drift_found, item).Increment();
}
void Metrics::WriteContested(std::string_view kind) {
  impl_->families().contested_writes.Add(Kind(kind)).Increment();
}
void Metrics::DriftCorrected(std::string_view kind, const DriftItem& item) {
  DriftCounter(impl_->OfKind(kind).drift_corrected, item).Increment();
}
void Metrics::SetOldestObservation(std::string_view kind, WallTime time) {
  impl_->families().oldest_observation.Add(Kind(kind)).Set(UnixSeconds(time));
}
void Metrics::SetRechecks(Seconds bound, Seconds expected, double per_minute) {
  impl_->families().detection_bound.Add({}).Set(bound.count());
  impl_->families().detection_expected.Add({}).Set(expected.count());
  impl_->families().recheck_rate.Add({}).Set(per_minute);
}
void Metrics::ReconcileWasLate(std::string_view kind, Seconds lateness) {
  impl_->OfKind(kind).lateness.Observe(lateness.count());
}

void Metrics::ApiRequest(std::string_view service, std::string_view operation, int status,
                         Seconds duration) {
  CallSeries& series = impl_->OfCall(service, operation, status);
  series.duration.Observe(duration.count());
  series.requests.Increment();
}

void Metrics::SetQuota(std::string_view provider, std::string_view quota_project,
                       const Quota& quota) {
  Families& families = impl_->families();
  const prometheus::Labels labels = {{"provider", std::string(provider)},
                                     {"quota_project", std::string(quota_project)}};
  families.quota_headroom.Add(labels).Set(quota.headroom);
  families.quota_rate.Add(labels).Set(quota.calls_per_second);
  families.quota_paused.Add(labels).Set(quota.paused.count());
  RaiseTo(families.quota_refusals.Add(labels), quota.refusals);
}

void Metrics::SetHost(std::string_view host, bool away, std::uint64_t openings) {
  const prometheus::Labels labels = {{"host", std::string(host)}};
  impl_->families().circuit_open.Add(labels).Set(away ? 1 : 0);
  RaiseTo(impl_->families().circuit_openings.Add(labels), openings);
}

void Metrics::SetGuard(const GuardCounts& counts) {
  SetTo(impl_->families().guard_holds.Add({}), counts.holds);
  SetTo(impl_->families().guard_held_removals.Add({}), counts.held_removals);
  SetTo(impl_->families().guard_denied_removals.Add({}), counts.denied_removals);
}
void Metrics::SetWithheld(std::size_t pending, std::size_t blocked) {
  SetTo(impl_->families().withheld_targets.Add({{"state", "pending"}}), pending);
  SetTo(impl_->families().withheld_targets.Add({{"state", "blocked"}}), blocked);
}
void Metrics::SetManifestErrors(std::size_t errors, std::size_t warnings) {
  SetTo(impl_->families().manifest_errors.Add({}), errors);
  SetTo(impl_->families().manifest_warnings.Add({}), warnings);
}
void Metrics::SetManifestProblems(const ManifestProblems& problems) {
  ManifestProblems& told = impl_->manifest_problems();
  for (auto& [problem, count] : told) count = 0;
  for (const auto& [problem, count] : problems) told[problem] = count;
  for (const auto& [problem, count] : told) {
    const prometheus::Labels labels = {{"code", problem.first}, {"severity", problem.second}};
    SetTo(impl_->families().manifest_problems.Add(labels), count);
  }
}
void Metrics::ManifestsLoaded(bool successful, WallTime time) {
  impl_->families().last_load_successful.Add({}).Set(successful ? 1 : 0);
  if (successful) impl_->families().last_load.Add({}).Set(UnixSeconds(time));
}
void Metrics::ConfigReloaded(bool successful, WallTime time) {
  impl_->families().last_config_reload_successful.Add({}).Set(successful ? 1 : 0);
  if (successful) impl_->families().last_config_reload.Add({}).Set(UnixSeconds(time));
}
void Metrics::SetWatcherMode(WatcherMode mode) {
  for (std::size_t i = 0; i < kWatcherModes.size(); ++i) {
    const prometheus::Labels labels = {{"mode", kWatcherModes.at(i)}};
    SetTo(impl_->families().watcher_mode.Add(labels), i == Index(mode) ? 1 : 0);
  }
}
void Metrics::StoreCommitted(Seconds duration) {
  const auto& buckets = metrics_internal::CommitBuckets();
  impl_->families().store_commit.Add({}, buckets).Observe(duration.count());
}

void Metrics::ServerRefused(std::string_view reason) {
  impl_->families().server_refusals.Add({{"reason", std::string(reason)}}).Increment();
}

void Metrics::SetStoreUsable(bool usable) {
  impl_->families().store_usable.Add({}).Set(usable ? 1 : 0);
}

void Metrics::StoreReopened(std::size_t times) {
  impl_->families().store_reopenings.Add({}).Increment(static_cast<double>(times));
}

void Metrics::SpansEnded(std::string_view outcome, std::size_t count) {
  impl_->families()
      .spans.Add({{"outcome", std::string(outcome)}})
      .Increment(static_cast<double>(count));
}

void Metrics::ReportWritten(bool successful, WallTime time) {
  impl_->families().reports.Add({{"result", successful ? "written" : "failed"}}).Increment();
  if (successful) impl_->families().last_report.Add({}).Set(UnixSeconds(time));
}

NotificationMetrics& Metrics::notifications() { return impl_->notifications(); }

void Metrics::AuditEntriesRead(const AuditCounts& counts) {
  auto& entries = impl_->families().audit_entries;
  entries.Add({{"result", "kept"}}).Increment(static_cast<double>(counts.kept));
  entries.Add({{"result", "ignored"}}).Increment(static_cast<double>(counts.ignored));
  entries.Add({{"result", "malformed"}}).Increment(static_cast<double>(counts.malformed));
  auto& newest = impl_->families().newest_audit_entry.Add({});
  if (counts.newest) newest.Set(UnixSeconds(*counts.newest));
}

}  // namespace bindery
