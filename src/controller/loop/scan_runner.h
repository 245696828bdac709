#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <optional>

#include "controller/loop/hint_watch.h"
#include "controller/loop/manifest_source.h"
#include "controller/loop/scan_patience.h"
#include "controller/loop/scan_timing.h"
#include "core/base/work_pool.h"

namespace bindery::controller {

/// Scans the directory on a separate thread, when hints, ScanTiming or the loop ask for it.
///
/// Invariants: never two scans at once; after Stop() none begins, and one that hangs holds up the
/// end no longer than allowed. Belongs to the loop's thread.
class ScanRunner {
 public:
  struct Ended {
    Expected<ManifestSource::Scanned> scan;
    bool usable = false;  ///< False: look again before acting on it.
    MonoTime at;
  };

  /// `ended` is called on the loop's thread, also after Stop(). All must outlive the object.
  ScanRunner(boost::asio::io_context& io, ManifestSource& source, const Clock& clock,
             std::function<void(Ended)> ended);

  void SetLimits(ScanTiming::Limits limits) { timing_.SetLimits(limits); }

  /// Waits for hints from now on, and scans.
  void Start();

  /// Scans now, or again after the scan under way.
  void Scan(ScanMode wanted);

  /// For the scan that ended `at`: whether manifests are missing and have to be looked for once
  /// more.
  void Confirm(bool missing, MonoTime at);

  /// Begins no more scans. `idle` is called when the thread no longer uses the source, and when
  /// `longest` is over and it still does: from then on nothing waits for it.
  void Stop(std::chrono::milliseconds longest, std::function<void()> idle);

  /// Ends the thread, unless the source holds it.
  void Join();

  [[nodiscard]] bool scanning() const { return timing_.scanning(); }
  [[nodiscard]] bool confirming() const { return timing_.confirming(); }
  /// A scan, or the watching of the directory, is under way.
  [[nodiscard]] bool busy() const { return timing_.scanning() || hints_.busy(); }
  /// The end has to wait for the scan.
  [[nodiscard]] bool holds_up() const { return busy() && !abandoned_; }
  /// As ScanPatience::Overdue.
  [[nodiscard]] std::optional<Error> Overdue() const { return patience_.Overdue(clock_.Mono()); }

 private:
  void Schedule(const std::optional<ScanTiming::Next>& next);
  void Finish(Expected<ManifestSource::Scanned> scan);

  boost::asio::io_context& io_;
  ManifestSource& source_;
  const Clock& clock_;
  const std::function<void(Ended)> ended_;
  ScanTiming timing_;
  ScanPatience patience_;
  bool stopped_ = false;
  bool abandoned_ = false;
  boost::asio::steady_timer timer_;  ///< Of the next scan; after Stop() of the longest wait.
  HintWatch hints_;
  WorkPool thread_{1};
};

}  // namespace bindery::controller
