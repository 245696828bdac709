#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/activity.h"
#include "app/progress_bar.h"
#include "controller/loop.h"
#include "core/mutex.h"
#include "server/control.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"
#include "telemetry/span.h"

namespace bindery {

/// Shows what engine and loop do: one log line an outcome, metrics, and the health they imply.
/// Called on the loop thread; Health() from any.
class RunObserver final : public EngineObserver, public LoopObserver {
 public:
  RunObserver(Logger& log, Metrics& metrics, const Clock& clock, ProgressBar& progress);

  // EngineObserver
  void Worked(const TargetReport& report) override;
  void Happened(const Event& event) override;
  void DriftFound(const Target& target, const DriftItem& item) override;
  void DriftCorrected(const Target& target, const DriftItem& item) override;
  void DriftGone(const Target& /*target*/) override { changed_ = true; }
  void WriteContested(const Target& target) override;
  void PolicyRead(const Target& target, bool etag_only) override;
  void Queued(const Target& target, bool retry) override;
  void Taken(const Target& target, std::chrono::nanoseconds waited) override;
  void PassJudged(const PassReport& pass) override;

  // LoopObserver
  void Loaded(const ScanInput& scan, const Engine::Scanned* changes) override;
  /// A scan changed very much since this was last asked. On the loop thread.
  [[nodiscard]] bool TakeLargeLoad() { return std::exchange(large_load_, false); }
  void LoadFailed(const Error& error) override;
  void StoreFailed(const Error& error) override;
  /// What holds until the process ends.
  void Began(bool inotify, int concurrency);
  /// The configuration was loaded, at the start or again; or it could not be.
  void ConfigLoaded(bool successful);
  /// From the store's writer thread: a commit took that long.
  void StoreCommitted(std::chrono::nanoseconds duration);
  /// From any thread: what is wrong with the store's files; null: nothing.
  void StoreState(const Error* fault);
  /// The last commit failed. From any thread.
  [[nodiscard]] bool StoreWritesFail() const;
  void Progress(const Engine& engine) override;

  /// Called on the loop thread with the time when a pass that changed something is over, and once
  /// the first pass is. Set before the loop begins.
  void OnPassOver(std::function<void(WallTime)> told) { pass_over_ = std::move(told); }
  /// Where spans of sampled work go; null: nowhere. Set before the loop begins.
  void TraceTo(std::shared_ptr<SpanSink> spans) { spans_ = std::move(spans); }
  /// Looks whether that is so now.
  void TellOfPass(const Engine& engine);

  /// Sets the gauges that follow from the engine's state. On the loop thread.
  void PublishGauges(const Engine& engine);

  [[nodiscard]] std::vector<HealthCheck> Health() const;
  [[nodiscard]] Activity& activity() { return activity_; }

  /// How `run --once` ends: 0 as declared, 1 differences of that severity or worse left, 2 errors.
  [[nodiscard]] int ExitCode(const Engine& engine, Severity least) const;
  /// Why the manifests could not be loaded at the last scan; empty when they could. On the loop
  /// thread.
  [[nodiscard]] const std::string& load_error() const { return last_load_error_; }

 private:
  void CountWork(const TargetReport& report);
  [[nodiscard]] bool IsNews(const TargetReport& report);
  /// What one pass over the engine's state counts for a kind.
  struct KindGauges {
    std::map<ResourceState, std::size_t> states;
    std::size_t held = 0;  ///< Of the resources, in none of the states.
    std::map<TargetEntry::Difference, std::size_t> drift;
    std::map<DriftClass, std::size_t> accepted;
    std::size_t targets = 0;
    std::size_t grants = 0;
    std::size_t expired = 0;                      ///< Of the grants: their condition ended.
    std::optional<WallTime> next_expiry;          ///< Of those to come the first.
    std::map<std::string, std::size_t> expiring;  ///< By the time within which they end.
    std::optional<WallTime> oldest;
  };

  void RecordWork(const TargetReport& report);
  /// A span of work that began then and ends now.
  [[nodiscard]] Span SpanSince(MonoTime started, const TraceContext& trace) const;
  void NoteWithheld(const Engine& engine);
  void NoteClock(const Engine& engine);
  /// With the lock held: when neither writes nor files fail any more.
  void TellStoreUsable() REQUIRES(mutex_);
  void NoteFirstPass(const Engine& engine);
  [[nodiscard]] bool first_pass_done() const;
  void CountExpiry(const Engine& engine, std::map<std::string, KindGauges>& kinds);
  void PublishExpiry(const std::string& name, const KindGauges& gauges);
  void PublishQueue(const Engine& engine);
  void PublishKind(const Engine& engine, const std::string& name, KindGauges& gauges);
  /// Logs what was not there at the last load, and counts all.
  void TellOfWriters(const ScanInput& scan);
  void TellProblems(const ScanInput& scan, const std::vector<Problem>& conflicts);

  Logger& log_;
  Metrics& metrics_;
  const Clock& clock_;
  Activity activity_;
  ProgressBar& progress_;
  bool large_load_ = false;
  bool loaded_ = false;  ///< Manifests are in force.
  bool told_of_writers_ = false;
  bool changed_ = false;  ///< Something, since a pass was told to be over.
  std::function<void(WallTime)> pass_over_;
  std::shared_ptr<SpanSink> spans_;
  bool load_failed_ = false;
  bool refused_ = false;  ///< Something in the directory has an error.
  std::string last_load_error_;
  std::set<std::string> expiry_labels_;  ///< All there were: one that is no more counts nothing.
  std::set<std::string> known_problems_;
  std::map<Target, WorkAction> standing_;  ///< Held or only observed, and told to be.

  mutable Mutex mutex_;
  std::string load_error_ GUARDED_BY(mutex_) =
      "no scan of the manifests directory was completed yet";
  std::string store_error_ GUARDED_BY(mutex_);  ///< Of the last commit.
  std::string store_fault_ GUARDED_BY(mutex_);  ///< Of its files.
  /// What to know of the clock; empty when it is confirmed.
  std::string clock_note_ GUARDED_BY(mutex_);
  bool first_pass_done_ GUARDED_BY(mutex_) = false;
  std::string withheld_ GUARDED_BY(mutex_);  ///< What waits to be removed, and why; empty: nothing.
};

}  // namespace bindery
