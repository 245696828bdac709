#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "controller/clock/now.h"
#include "core/base/clock.h"

namespace bindery::app {

/// How far apart reports are.
struct ReportDistances {
  std::chrono::milliseconds least{};  ///< What is requested earlier waits.
  std::chrono::milliseconds most{};   ///< Without a request; 0: no limit.
};

/// When drift reports are written: as soon as one is requested, and an interval after the newest
/// one without a request.
///
/// Invariants: a pause follows each report, so that reports take at most a tenth of a processor;
/// after a failure the pause doubles with each failure in a row, and requests stay open. A report
/// waits for the minimum distance from the newest report. Reads no clock: callers pass the time.
/// Not thread-safe.
class ReportSchedule {
 public:
  /// Everything up to `time` is to be reported.
  void Request(WallTime time) { requested_ = time; }
  /// The same if it turns out that something is not reported yet.
  void RequestIfUnreported(WallTime time) { unsure_ = time; }
  /// The time of RequestIfUnreported(), once.
  [[nodiscard]] std::optional<WallTime> TakeUnsure() {
    return std::exchange(unsure_, std::nullopt);
  }
  [[nodiscard]] bool requested() const { return requested_.has_value(); }

  /// For new settings: Plan() is to be called, and a pause is over.
  void Reset();

  /// True once after the construction, Reset() and Written(): Plan() is to be called.
  [[nodiscard]] bool TakeReplan() { return std::exchange(replan_, false); }

  /// Plans the next report. `newest`: of the reports there are.
  void Plan(ReportDistances distances, std::optional<WallTime> newest, const controller::Now& now);

  /// How long to wait until a report is due; nullopt when none is. `ending`: neither pauses
  /// nor the least distance count.
  [[nodiscard]] std::optional<MonoTime::duration> DueIn(MonoTime now, bool ending) const;

  /// A report begins: takes the request, if any.
  [[nodiscard]] std::optional<WallTime> Begin() { return std::exchange(requested_, std::nullopt); }

  /// The report is written. `work`: its processor time.
  void Written(MonoTime ended, std::chrono::nanoseconds work);

  /// The report of `time` failed; it is requested again unless a new request came
  /// meanwhile.
  void Failed(MonoTime ended, WallTime time);

 private:
  bool replan_ = true;
  std::optional<WallTime> requested_;
  std::optional<WallTime> unsure_;  ///< Of RequestIfUnreported().
  std::optional<MonoTime> scheduled_;
  MonoTime not_before_{};
  MonoTime apart_{};  ///< From then on the newest report is old enough.
  int failures_ = 0;  ///< In a row.
};

}  // namespace bindery::app
