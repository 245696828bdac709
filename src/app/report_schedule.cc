#include "app/report_schedule.h"

#include <algorithm>

namespace bindery {
namespace {

constexpr std::chrono::seconds kShortestPause(1);
constexpr std::chrono::minutes kLongestPause(5);

}  // namespace

void ReportSchedule::Reset() {
  replan_ = true;
  not_before_ = {};
}

void ReportSchedule::Plan(std::chrono::milliseconds interval, std::optional<WallTime> newest,
                          const Now& now) {
  scheduled_.reset();
  if (interval.count() == 0) return;
  const auto age = newest ? std::max(now.wall - *newest, WallTime::duration::zero())
                          : WallTime::duration::zero();
  const auto left = std::max<WallTime::duration>(interval - age, WallTime::duration::zero());
  scheduled_ = now.mono + std::chrono::duration_cast<MonoTime::duration>(left);
}

std::optional<MonoTime::duration> ReportSchedule::DueIn(MonoTime now, bool ending) const {
  if (!requested_ && !scheduled_) return std::nullopt;
  const MonoTime wanted = requested_ ? now : *scheduled_;
  const MonoTime due = ending ? now : std::max(wanted, not_before_);
  return std::max(due - now, MonoTime::duration::zero());
}

void ReportSchedule::Written(MonoTime ended, std::chrono::nanoseconds work) {
  constexpr int kShare = 10;
  failures_ = 0;
  not_before_ = ended + std::max<MonoTime::duration>(kShortestPause, kShare * work);
  replan_ = true;
}

void ReportSchedule::Failed(MonoTime ended, WallTime time) {
  constexpr int kMostDoublings = 10;
  const auto pause = kShortestPause * (1 << std::min(failures_, kMostDoublings));
  ++failures_;
  not_before_ = ended + std::min<MonoTime::duration>(pause, kLongestPause);
  if (!requested_) requested_ = time;
}

}  // namespace bindery
