#include "app/reporting/report_schedule.h"

#include <algorithm>

namespace bindery::app {
namespace {

constexpr std::chrono::seconds kShortestPause(1);
constexpr std::chrono::minutes kLongestPause(5);

}  // namespace

void ReportSchedule::Reset() {
  replan_ = true;
  not_before_ = {};
}

void ReportSchedule::Plan(ReportDistances distances, std::optional<WallTime> newest,
                          const controller::Now& now) {
  const auto age = newest ? std::max(now.wall - *newest, WallTime::duration::zero())
                          : WallTime::duration::zero();
  const auto old_enough = [&](std::chrono::milliseconds distance) {
    const auto left = std::max<WallTime::duration>(distance - age, WallTime::duration::zero());
    return now.mono + std::chrono::duration_cast<MonoTime::duration>(left);
  };
  apart_ = newest ? old_enough(distances.least) : MonoTime{};
  scheduled_.reset();
  if (distances.most.count() != 0) scheduled_ = old_enough(distances.most);
}

std::optional<MonoTime::duration> ReportSchedule::DueIn(MonoTime now, bool ending) const {
  if (!requested_ && !scheduled_) return std::nullopt;
  const MonoTime wanted = requested_ ? now : *scheduled_;
  const MonoTime due = ending ? now : std::max({wanted, not_before_, apart_});
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

}  // namespace bindery::app
