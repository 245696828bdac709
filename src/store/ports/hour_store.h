#pragma once

#include <cstdint>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"

namespace bindery::store {

/// A number that goes up and down, within some time.
struct HourRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::int64_t last = 0;
  bool operator==(const HourRange&) const = default;
};

/// What the daemon saw and did within an hour.
struct HourRecord {
  WallTime hour{};          ///< The begin of the hour in UTC.
  HourRange open;           ///< Open and held differences.
  HourRange undeclared;     ///< Grants that no manifest declares.
  std::int64_t found = 0;   ///< Differences not of an edit, also those corrected at once.
  std::int64_t writes = 0;  ///< Policies written.
  std::int64_t errors = 0;  ///< Work on targets that ended in an error.
  std::int64_t calls = 0;   ///< Calls to clouds.
  bool operator==(const HourRecord&) const = default;
};

/// The hours on record, for charts: of the acting daemon, whichever replica that was.
///
/// Threads: any. Errors: reading as HistoryReader.
class HourStore {
 public:
  /// As many hours stay on record: those nearest to the last one that was added to.
  static constexpr int kMostHours = 1'000;

  virtual ~HourStore() = default;

  /// Adds the numbers to the hour: counts are summed up, ranges widened. Does not block; a failed
  /// write leaves the numbers out.
  virtual void AddToHour(const HourRecord& more) = 0;

  /// The hours that begin within the time, its ends included, oldest first; hours without a record
  /// are missing.
  [[nodiscard]] virtual Expected<std::vector<HourRecord>> Hours(WallTime from,
                                                                WallTime until) const = 0;
};

}  // namespace bindery::store
