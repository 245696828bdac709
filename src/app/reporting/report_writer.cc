#include "app/reporting/report_writer.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "app/process/version.h"
#include "core/base/thread_work.h"
#include "report/reports/reports.h"
#include "report/values/drift_document.h"

namespace bindery::app {
namespace {

/// Work on targets goes first wherever there are fewer processors than threads.
void LowerPriority() {
  constexpr int kNice = 10;
  ::setpriority(PRIO_PROCESS, static_cast<::id_t>(::gettid()), kNice);
}

}  // namespace

ReportWriter::ReportWriter(Storage store, telemetry::Logger& log, telemetry::Metrics& metrics,
                           const Clock& clock, Settings settings)
    : store_(std::move(store)),
      log_(log),
      metrics_(metrics),
      clock_(clock),
      settings_(std::move(settings)),
      thread_([this] { Run(); }) {}

ReportWriter::~ReportWriter() { End(/*at_once=*/true); }

report::ReportFolder ReportWriter::GetFolder(const config::ReportsConfig& config) const {
  return report::ReportFolder({.directory = config.directory,
                               .formats = config.formats,
                               .keep = config.keep,
                               .max_bytes = static_cast<std::uintmax_t>(config.max_bytes),
                               .version = kVersion,
                               .dropped = &at_once_});
}

bool ReportWriter::Finish() {
  End(/*at_once=*/false);
  const MutexLock lock(mutex_);
  return !schedule_.requested();
}

void ReportWriter::End(bool at_once) {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
    at_once_ = at_once;
  }
  wake_.NotifyOne();
  if (thread_.joinable()) thread_.join();
}

void ReportWriter::Configure(Settings settings) {
  {
    const MutexLock lock(mutex_);
    settings_ = std::move(settings);
    schedule_.Reset();
  }
  wake_.NotifyOne();
}

void ReportWriter::Request(WallTime time) {
  {
    const MutexLock lock(mutex_);
    schedule_.Request(time);
  }
  wake_.NotifyOne();
}

void ReportWriter::RequestIfUnreported(WallTime time) {
  {
    const MutexLock lock(mutex_);
    schedule_.RequestIfUnreported(time);
  }
  wake_.NotifyOne();
}

void ReportWriter::Run() {
  const MutexLock lock(mutex_);
  if (settings_.low_priority) LowerPriority();
  for (;;) {
    if (schedule_.TakeReplan()) PlanNext();
    if (const auto unsure = schedule_.TakeUnsure()) FindOut(*unsure);
    if (ending_ && (at_once_ || !schedule_.requested())) return;
    const auto wait = schedule_.DueIn(clock_.Mono(), ending_);
    if (!wait) {
      wake_.Wait(mutex_);
    } else if (*wait > MonoTime::duration::zero()) {
      wake_.WaitFor(mutex_, *wait);
    } else {
      WriteDue();
    }
  }
}

void ReportWriter::PlanNext() {
  const Settings settings = settings_;
  std::optional<WallTime> newest;
  WallTime now;
  {
    const MutexRelease released(mutex_);
    const report::ReportFolder folder = GetFolder(settings.reports);
    folder.RemoveUnfinished();
    newest = folder.Newest();
    now = clock_.Wall();
  }
  ReportDistances distances = {settings.reports.minimum_interval, settings.reports.interval};
  if (settings.reports.formats.empty()) distances = {};
  schedule_.Plan(distances, newest, {clock_.Mono(), now});
}

void ReportWriter::FindOut(WallTime time) {
  const config::ReportsConfig reports = settings_.reports;
  bool unreported = false;
  {
    const MutexRelease released(mutex_);
    unreported = HasUnreported(reports);
  }
  if (unreported) schedule_.Request(time);
}

/// What a report is written for has events on record; an idle check has none. A difference that
/// others put right has none either: it waits for the next report.
bool ReportWriter::HasUnreported(const config::ReportsConfig& config) const {
  const std::optional<WallTime> newest = GetFolder(config).Newest();
  if (!newest) return true;
  store::EventFilter last;
  last.limit = 1;
  const auto events = store_.reader.Events(last);
  return !events || (!events->empty() && events->back().second.time > *newest);
}

void ReportWriter::WriteDue() {
  const Settings settings = settings_;
  const WallTime time = schedule_.Begin().value_or(clock_.Wall());
  if (settings.reports.formats.empty()) return;
  const bool last = ending_;
  Expected<void> written;
  std::chrono::nanoseconds work{};
  MonoTime ended;
  {
    const MutexRelease released(mutex_);
    const std::chrono::nanoseconds before = WorkOfThread();
    written = Write(settings, time);
    // The whole record passed through memory, which nothing else needs until the next report.
    ::malloc_trim(0);
    if (!at_once_) Tell(written, time);
    work = WorkOfThread() - before;
    ended = clock_.Mono();
  }
  if (written) return schedule_.Written(ended, work);
  schedule_.Failed(ended, time);
  at_once_ = at_once_ || last;
}

Expected<void> ReportWriter::Write(const Settings& settings, WallTime time) const try {
  // Events until then may still be on the way to the disk.
  if (auto flushed = store_.writer.Flush(); !flushed) return flushed;
  const report::ReportFolder folder = GetFolder(settings.reports);
  report::DriftScope scope = report::DriftScopeAt(time, {settings.reports.directory,
                                                         settings.mode,
                                                         settings.expiring_within,
                                                         settings.attribution,
                                                         {},
                                                         {},
                                                         store_.unmanaged});
  if (scope.previous) scope.now = std::max(time, *scope.previous + std::chrono::milliseconds(1));
  const auto report = report::ReadDriftDocument(store_.reader, scope);
  if (!report) return Fail(report.error());
  return folder.Write(**report);
} catch (const std::exception& failure) {
  return Fail(Code::kInternal, failure.what());
}

void ReportWriter::Tell(const Expected<void>& written, WallTime time) {
  metrics_.exports.reports.Increment({written ? "written" : "failed"});
  if (written) metrics_.exports.last_report.Set(time);
  if (written) {
    if (!std::exchange(last_error_, "").empty()) log_.Info("drift reports can be written again");
    return;
  }
  const std::string error = ToString(written.error());
  if (std::exchange(last_error_, error) == error) return;
  log_.Error("a drift report cannot be written; it is tried again", {{"reason", error}});
}

}  // namespace bindery::app
