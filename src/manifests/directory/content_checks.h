#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "manifests/directory/listing.h"

namespace bindery::manifests {

/// Selects files to read again despite unchanged stamps: each once in a period, at a separate time,
/// with a new time in each period so that no file always falls into the same pause. Pure: callers
/// pass the time of the looks, by the local clock.
class ContentChecks {
 public:
  /// 0: none.
  explicit ContentChecks(std::chrono::milliseconds period) : period_(period) {}

  /// A look at the time has found `listing`: marks the files whose time came since the last look.
  /// The first look of a run marks none.
  void Mark(std::int64_t now_ns, Listing& listing);

 private:
  [[nodiscard]] bool IsDue(std::uint64_t file, std::int64_t from_ms, std::int64_t to_ms) const;

  std::chrono::milliseconds period_;
  std::int64_t last_ms_ = 0;  ///< Of the last look; 0: there was none.
};

/// Whether some file is read whatever is known of it.
[[nodiscard]] bool HasMarked(const Listing& listing);

}  // namespace bindery::manifests
