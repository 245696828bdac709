#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/error.h"

namespace bindery::controller {

/// Tells when scans of the directory go on without a result for too long: a scan that
/// does not end, as on a file system that hangs, or many unusable scans in sequence, as in a
/// directory that never stops changing. Pure; belongs to the loop thread.
class ScanPatience {
 public:
  /// Long enough for a large directory on a slow disk, short enough to be noticed.
  static constexpr std::chrono::seconds kLongest{30};

  void Began(MonoTime now);
  /// `why`: what the scan failed with, if it did. Must not be null unless the scan was usable, or
  /// the directory changed while it was read.
  void Ended(bool usable, const Error* why);

  /// Why no result has come for the long time; the text stays the same for the same failure.
  [[nodiscard]] std::optional<Error> Overdue(MonoTime now) const;

 private:
  std::optional<MonoTime> since_;  ///< The first scan without a result, under way or ended.
  bool running_ = false;
  std::string last_;  ///< Why the last one that ended had none.
};

}  // namespace bindery::controller
