#include "app/observers.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/time_text.h"
#include "report/reports.h"

namespace bindery {
namespace {

using Millis = std::chrono::duration<double, std::milli>;

std::int64_t ToMillis(std::chrono::nanoseconds duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

/// What a severity is known of counts by that.
bool IsJudgedByItsDrift(const ResourceStatus& status) {
  return status.reason == reason::kDriftObserved || status.reason == reason::kPrincipalDeleted;
}

}  // namespace

RunObserver::RunObserver(Logger& log, Metrics& metrics, const Clock& clock, ProgressBar& progress)
    : log_(log), metrics_(metrics), clock_(clock), progress_(progress) {}

void RunObserver::Queued(const Target& target, bool retry) {
  metrics_.queue_adds.Increment({target.kind.str()});
  if (retry) metrics_.queue_retries.Increment({target.kind.str()});
}

void RunObserver::Taken(const Target& target, std::chrono::nanoseconds waited) {
  metrics_.queue_duration.Observe(waited, {target.kind.str()});
  metrics_.active_workers.Increment({target.kind.str()});
  activity_.WorkBegan(clock_.Mono());
}

void RunObserver::Worked(const TargetReport& report) {
  const std::string& kind = report.target.kind;
  activity_.WorkEnded(clock_.Mono());
  CountWork(report);
  changed_ = changed_ || report.action == WorkAction::kWritten;

  if (report.trace.sampled && spans_ != nullptr) RecordWork(report);

  const bool news = report.action != WorkAction::kUnchanged && IsNews(report);
  const LogLevel level = report.action == WorkAction::kFailed ? LogLevel::kWarn
                         : news                               ? LogLevel::kInfo
                                                              : LogLevel::kDebug;
  if (level < log_.level()) return;
  const std::string line = "target " + std::string(ToString(report.action));
  const LogFields fields = {{"target", report.target.name},
                            {"kind", kind},
                            {"resource", report.resources},
                            {"reason", report.message},
                            {"durationMs", ToMillis(report.duration)}};
  log_.Write(level, line, fields);
}

void RunObserver::CountWork(const TargetReport& report) {
  const std::string& kind = report.target.kind;
  metrics_.queue_work_duration.Observe(report.duration, {kind});
  metrics_.active_workers.Decrement({kind});
  metrics_.reconciles.Increment({kind, ToString(report.result)});
  metrics_.reconcile_time.Observe(report.duration, {kind});
  if (report.result == WorkResult::kError) metrics_.reconcile_errors.Increment({kind});
  if (report.error && IsTerminal(*report.error)) {
    metrics_.reconcile_terminal_errors.Increment({kind});
  }
  if (report.unexpected) metrics_.reconcile_panics.Increment({kind});
  if (report.error == Code::kDeadlineExceeded) metrics_.reconcile_timeouts.Increment({kind});
  if (report.lateness.count() > 0) metrics_.lateness.Observe(report.lateness, {kind});
}

/// What stays as it is from check to check is told once.
bool RunObserver::IsNews(const TargetReport& report) {
  if (report.action != WorkAction::kHeld && report.action != WorkAction::kObserved) {
    if (!standing_.empty()) standing_.erase(report.target);
    return true;
  }
  return std::exchange(standing_[report.target], report.action) != report.action;
}

void RunObserver::Happened(const Event& event) {
  // What waits, or no longer does, or was decided on: a report shows it.
  changed_ = changed_ || event.reason.starts_with("Guard");
  // Worked() tells of these in a line of its own.
  if (event.reason == "PolicyWritten") return;
  LogLevel level = LogLevel::kInfo;
  if (event.type == EventType::kWarning) {
    level = LogLevel::kWarn;
  } else if (event.reason == "ManifestAccepted") {
    // One for every manifest at the first start: "manifests loaded" says it in one line.
    level = LogLevel::kDebug;
  }
  if (level < log_.level()) return;
  const LogFields fields = {{"event", event.reason},
                            {"resource", event.resource},
                            {"target", event.target},
                            {"actor", event.actor}};
  log_.Write(level, event.message, fields);
}

void RunObserver::DriftFound(const Target& target, const DriftItem& item) {
  changed_ = true;
  metrics_.drift_found.Increment({target.kind.str(), ToString(item.drift_class),
                                  ToString(item.severity), ToString(item.cause)});
  if (LogLevel::kDebug < log_.level()) return;
  log_.Debug("drift", {{"target", target.name},
                       {"class", ToString(item.drift_class)},
                       {"severity", ToString(item.severity)},
                       {"cause", ToString(item.cause)},
                       {"role", item.grant.role},
                       {"principal", item.grant.principal},
                       {"resource", item.resource}});
}

void RunObserver::DriftCorrected(const Target& target, const DriftItem& item) {
  changed_ = true;
  metrics_.drift_corrected.Increment({target.kind.str(), ToString(item.drift_class),
                                      ToString(item.severity), ToString(item.cause)});
}

void RunObserver::WriteContested(const Target& target) {
  metrics_.contested_writes.Increment({target.kind.str()});
}

void RunObserver::PolicyRead(const Target& target, bool etag_only) {
  metrics_.policy_reads.Increment({target.kind.str(), etag_only ? "etag" : "full"});
}

void RunObserver::TellProblems(const ScanInput& scan, const std::vector<Problem>& conflicts) {
  // By code and severity.
  std::map<std::pair<std::string, std::string>, std::size_t> counts;
  std::set<std::string> known;
  refused_ = false;
  for (const auto* list : {&scan.problems, &conflicts}) {
    for (const Problem& problem : *list) {
      const bool error = problem.severity == ProblemSeverity::kError;
      ++counts[{problem.code, error ? "error" : "warning"}];
      refused_ = refused_ || error;
      const std::string text = problem.Text();
      const bool told = known_problems_.contains(text);
      if (!known.insert(text).second || told) continue;
      const LogFields fields = {{"code", problem.code}, {"resource", problem.resource}};
      if (error) {
        log_.Error(text, fields);
      } else {
        log_.Warn(text, fields);
      }
    }
  }
  known_problems_ = std::move(known);
  std::size_t errors = 0;
  std::size_t warnings = 0;
  for (const auto& [problem, count] : counts) {
    (problem.second == "error" ? errors : warnings) += count;
  }
  metrics_.manifest_errors.Set(errors);
  metrics_.manifest_warnings.Set(warnings);
  metrics_.manifest_problems.Clear();
  for (const auto& [problem, count] : counts) {
    metrics_.manifest_problems.Set(count, {problem.first, problem.second});
  }
}

/// Once: it does not change while the daemon runs.
void RunObserver::TellOfWriters(const ScanInput& scan) {
  if (scan.facts.writers_unknown.empty() || std::exchange(told_of_writers_, true)) return;
  log_.Info(
      "cannot tell which manifest files are open for writing: they belong to another user and "
      "there "
      "is no CAP_LEASE, or their file system has no leases; a file that was opened before the "
      "start "
      "is judged by its time stamps alone",
      {{"file", scan.facts.writers_unknown}});
}

void RunObserver::Loaded(const ScanInput& scan, const Engine::Scanned* changes) {
  load_failed_ = false;
  if (!last_load_error_.empty()) {
    log_.Info("the manifests directory can be read again");
    last_load_error_.clear();
  }
  metrics_.last_load_successful.Set(1);
  metrics_.last_load.Set(clock_.Wall());
  {
    const MutexLock lock(mutex_);
    load_error_.clear();
  }
  TellOfWriters(scan);
  if (changes == nullptr) return;
  constexpr std::size_t kMany = 500;
  const bool first = !std::exchange(loaded_, true);
  const std::size_t load = first ? scan.manifests : changes->changed_targets;
  large_load_ = large_load_ || load >= kMany;
  for (const std::string& preview : changes->previews) {
    log_.Warn("package is a preview: its behaviour may change", {{"apiVersion", preview}});
  }
  TellProblems(scan, changes->conflicts);
  log_.Info("manifests loaded", {{"files", scan.files.size()},
                                 {"manifests", scan.manifests},
                                 {"problems", scan.problems.size() + changes->conflicts.size()},
                                 {"changedTargets", changes->changed_targets},
                                 {"digest", scan.digest.substr(0, 12)}});
}

void RunObserver::LoadFailed(const Error& error) {
  load_failed_ = true;
  metrics_.last_load_successful.Set(0);
  const std::string text = ToString(error);
  {
    const MutexLock lock(mutex_);
    load_error_ = text;
  }
  if (std::exchange(last_load_error_, text) == text) return;
  log_.Error("the manifests cannot be loaded; what is in force stays in force", {{"reason", text}});
}

void RunObserver::StoreFailed(const Error& error) {
  const MutexLock lock(mutex_);
  const std::string text = ToString(error);
  if (std::exchange(store_error_, text) == text) return;
  log_.Error("the store cannot be written", {{"reason", text}});
  metrics_.store_usable.Set(0);
}

void RunObserver::Began(bool inotify, int concurrency) {
  metrics_.watcher_mode.Set(inotify, {"inotify"});
  metrics_.watcher_mode.Set(!inotify, {"poll"});
  for (const std::string& kind : metrics_.kinds()) {
    metrics_.max_concurrent_reconciles.Set(concurrency, {kind});
  }
}

void RunObserver::ConfigLoaded(bool successful) {
  metrics_.last_config_reload_successful.Set(successful);
  if (successful) metrics_.last_config_reload.Set(clock_.Wall());
}

void RunObserver::StoreCommitted(std::chrono::nanoseconds duration) {
  metrics_.store_commit.Observe(duration);
  const MutexLock lock(mutex_);
  if (store_error_.empty()) return;
  store_error_.clear();
  TellStoreUsable();
}

void RunObserver::StoreState(const Error* fault) {
  const MutexLock lock(mutex_);
  const std::string text = fault == nullptr ? "" : ToString(*fault);
  if (std::exchange(store_fault_, text) == text) return;
  if (text.empty()) return TellStoreUsable();
  log_.Error("the store cannot be used: nothing is written to any cloud", {{"reason", text}});
  metrics_.store_usable.Set(0);
}

void RunObserver::TellStoreUsable() {
  if (!store_error_.empty() || !store_fault_.empty()) return;
  log_.Info("the store can be used again");
  metrics_.store_usable.Set(1);
}

bool RunObserver::StoreWritesFail() const {
  const MutexLock lock(mutex_);
  return !store_error_.empty();
}

void RunObserver::TellOfPass(const Engine& engine) {
  if (!changed_ || !pass_over_ || !first_pass_done() || !engine.Settled(0)) return;
  changed_ = false;
  pass_over_(clock_.Wall());
}

bool RunObserver::first_pass_done() const {
  const MutexLock lock(mutex_);
  return first_pass_done_;
}

void RunObserver::Progress(const Engine& engine) {
  NoteWithheld(engine);
  NoteClock(engine);
  NoteFirstPass(engine);
  TellOfPass(engine);
}

void RunObserver::NoteClock(const Engine& engine) {
  const ClockJudgement judged = engine.time().Judge({clock_.Mono(), clock_.Wall()});
  const MutexLock lock(mutex_);
  clock_note_ = judged.disputed() ? judged.Why() + ": nothing is removed by time" : "";
}

void RunObserver::NoteWithheld(const Engine& engine) {
  const WithheldTargets::Summary now = engine.removals().withheld().Summarise();
  const std::size_t targets = now.pending + now.blocked;
  const MutexLock lock(mutex_);
  withheld_.clear();
  if (targets == 0) return;
  withheld_ = std::to_string(targets) + (targets == 1 ? " target has" : " targets have") +
              " removals that wait: " + now.why;
}

void RunObserver::NoteFirstPass(const Engine& engine) {
  {
    const MutexLock lock(mutex_);
    if (first_pass_done_) return;  // What follows looks at every target.
  }
  std::size_t checked = 0;
  const auto& targets = engine.catalog().claims().targets();
  for (const auto& [key, target] : targets) {
    if (target.checked) ++checked;
  }
  bool first = false;
  {
    const MutexLock lock(mutex_);
    const bool done = load_error_.empty() && checked == targets.size() && engine.Settled(0);
    first = done && !first_pass_done_;
    first_pass_done_ = first_pass_done_ || done;
  }
  changed_ = changed_ || first;
  progress_.Show(checked, targets.size());
  if (first) log_.Info("first pass done", {{"targets", targets.size()}});
}

std::vector<HealthCheck> RunObserver::Health() const {
  const MutexLock lock(mutex_);
  const std::string& store = store_fault_.empty() ? store_error_ : store_fault_;
  return {{"store", store.empty(), store},
          {"manifests", load_error_.empty(), load_error_},
          {"removals", true, "", /*liveness=*/false, withheld_},
          {"first-pass", first_pass_done_, "not every target was checked yet"},
          {"clock", true, "", /*liveness=*/false, clock_note_}};
}

int RunObserver::ExitCode(const Engine& engine, Severity least) const {
  // What is refused before its name is known has no resource that could say so.
  if (load_failed_ || refused_) return 2;
  int code = engine.guard().Digest().empty() ? 0 : 1;
  for (const auto& [name, entry] : engine.catalog().claims().resources()) {
    const ResourceStatus& status = *entry.status;
    if (status.state == ResourceState::kReady || status.state == ResourceState::kSuspended)
      continue;
    if (IsFailure(status)) return 2;
    if (!IsJudgedByItsDrift(status)) code = 1;
  }
  for (const auto& [key, target] : engine.catalog().claims().targets()) {
    for (const auto& [item, drift] : *target.open_drift) {
      if (drift.severity >= least) code = 1;
    }
  }
  return code;
}

}  // namespace bindery
