#include "app/report_writer.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <utility>

#include "app/version.h"
#include "report/drift_document.h"
#include "report/reports.h"

namespace bindery {
namespace {

constexpr std::chrono::seconds kShortestPause(1);
constexpr std::chrono::minutes kLongestPause(5);

ReportFolder FolderOf(const ReportsConfig& config) {
  return ReportFolder({config.directory, config.formats, config.keep, kVersion});
}

/// Work on targets goes first wherever there are fewer processors than threads.
void LowerPriority() {
  constexpr int kNice = 10;
  ::setpriority(PRIO_PROCESS, static_cast<::id_t>(::gettid()), kNice);
}

/// How long a processor worked for this thread. What it waited, also for a processor, is no work:
/// where others are busy that may be many times as long.
std::chrono::nanoseconds WorkOfThread() {
  ::timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

ReportWriter::ReportWriter(Storage store, Logger& log, Metrics& metrics, const Clock& clock,
                           Settings settings)
    : store_(store),
      log_(log),
      metrics_(metrics),
      clock_(clock),
      settings_(std::move(settings)),
      thread_([this] { Run(); }) {}

ReportWriter::~ReportWriter() { End(/*at_once=*/true); }

bool ReportWriter::Finish() {
  End(/*at_once=*/false);
  const MutexLock lock(mutex_);
  return !requested_;
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
    replan_ = true;
    not_before_ = {};
  }
  wake_.NotifyOne();
}

void ReportWriter::Request(WallTime time) {
  {
    const MutexLock lock(mutex_);
    requested_ = time;
  }
  wake_.NotifyOne();
}

std::optional<MonoTime::duration> ReportWriter::DueIn(MonoTime now) const {
  if (!requested_ && !scheduled_) return std::nullopt;
  const MonoTime wanted = requested_ ? now : *scheduled_;
  const MonoTime due = ending_ ? now : std::max(wanted, not_before_);
  return std::max(due - now, MonoTime::duration::zero());
}

void ReportWriter::Run() {
  const MutexLock lock(mutex_);
  if (settings_.low_priority) LowerPriority();
  for (;;) {
    if (replan_) PlanNext();
    if (ending_ && (at_once_ || !requested_)) return;
    const auto wait = DueIn(clock_.Mono());
    if (!wait) {
      wake_.Wait(mutex_);
    } else if (*wait > MonoTime::duration::zero()) {
      wake_.WaitFor(mutex_, *wait);
    } else {
      WriteDue();
    }
  }
}

/// The next report without a reason is due an interval after the newest there is.
void ReportWriter::PlanNext() {
  replan_ = false;
  const Settings settings = settings_;
  std::optional<WallTime> newest;
  WallTime now;
  {
    const MutexRelease released(mutex_);
    newest = FolderOf(settings.reports).Newest();
    now = clock_.Wall();
  }
  scheduled_.reset();
  if (settings.reports.interval.count() == 0 || settings.reports.formats.empty()) return;
  const auto age =
      newest ? std::max(now - *newest, WallTime::duration::zero()) : WallTime::duration::zero();
  const auto left =
      std::max<WallTime::duration>(settings.reports.interval - age, WallTime::duration::zero());
  scheduled_ = clock_.Mono() + std::chrono::duration_cast<MonoTime::duration>(left);
}

void ReportWriter::WriteDue() {
  const Settings settings = settings_;
  const WallTime time = requested_.value_or(clock_.Wall());
  requested_.reset();
  if (settings.reports.formats.empty()) return;
  const bool last = ending_;
  Expected<void> written;
  std::chrono::nanoseconds work{};
  MonoTime ended;
  {
    const MutexRelease released(mutex_);
    const std::chrono::nanoseconds before = WorkOfThread();
    written = Write(settings, time);
    // All that is on record passed through: room that nothing else needs until the next report.
    ::malloc_trim(0);
    Tell(written, time);
    work = WorkOfThread() - before;
    ended = clock_.Mono();
  }
  if (written) {
    constexpr int kShare = 10;
    not_before_ = ended + std::max<MonoTime::duration>(kShortestPause, kShare * work);
    replan_ = true;
    return;
  }
  constexpr int kMostDoublings = 10;
  const auto pause = kShortestPause * (1 << std::min(failures_ - 1, kMostDoublings));
  not_before_ = ended + std::min<MonoTime::duration>(pause, kLongestPause);
  at_once_ = at_once_ || last;
  if (!requested_) requested_ = time;
}

Expected<void> ReportWriter::Write(const Settings& settings, WallTime time) const try {
  // What happened by then may still be on its way to the disk.
  if (auto flushed = store_.writer.Flush(); !flushed) return flushed;
  const ReportFolder folder = FolderOf(settings.reports);
  DriftScope scope = DriftScopeAt(time, {settings.reports.directory, settings.mode,
                                         settings.expiring_within, settings.attribution});
  if (scope.previous) scope.now = std::max(time, *scope.previous + std::chrono::milliseconds(1));
  const auto report = ReadDriftDocument(store_.reader, scope);
  if (!report) return Fail(report.error());
  return folder.Write(**report);
} catch (const std::exception& failure) {
  return Fail(Code::kInternal, failure.what());
}

void ReportWriter::Tell(const Expected<void>& written, WallTime time) {
  metrics_.exports.reports.Increment({written ? "written" : "failed"});
  if (written) metrics_.exports.last_report.Set(time);
  if (written) {
    failures_ = 0;
    if (!std::exchange(last_error_, "").empty()) log_.Info("drift reports can be written again");
    return;
  }
  ++failures_;
  const std::string error = ToString(written.error());
  if (std::exchange(last_error_, error) == error) return;
  log_.Error("a drift report cannot be written; it is tried again", {{"reason", error}});
}

}  // namespace bindery
