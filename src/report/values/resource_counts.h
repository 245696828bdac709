#pragma once

#include <cstdint>
#include <tuple>

#include "core/access/status.h"
#include "report/codec/json_codec.h"

namespace bindery::report {

/// How many resources there are, in all and in each state: counted here for every command, page,
/// report, answer and metric that counts resources.
struct ResourceCounts {
  std::int64_t total = 0;
  std::int64_t ready = 0;
  std::int64_t suspended = 0;
  std::int64_t reconciling = 0;
  std::int64_t stalled = 0;
  /// Among stalled resources: the guard holds their removals, or an operator denied them.
  std::int64_t held = 0;
  /// Among all: the declaration cannot be made true (IsFailing).
  std::int64_t failing = 0;

  /// Counts this many resources with the status.
  void Take(const ResourceStatus& status, std::int64_t resources = 1);
};

/// The resource cannot be kept as declared, and not because somebody asked for that.
[[nodiscard]] bool IsFailure(const ResourceStatus& status);

/// The declaration of the resource cannot be made true, or is not to be: it counts as out of step,
/// whether or not a difference is on record. Only the reason of the status is looked at.
[[nodiscard]] bool IsFailing(const ResourceStatus& status);

template <>
inline constexpr auto kFields<ResourceCounts> =
    std::tuple{Field{"total", &ResourceCounts::total},
               Field{"ready", &ResourceCounts::ready},
               Field{"suspended", &ResourceCounts::suspended},
               Field{"reconciling", &ResourceCounts::reconciling},
               Field{"stalled", &ResourceCounts::stalled},
               Field{"held", &ResourceCounts::held},
               Field{"failing", &ResourceCounts::failing}};

}  // namespace bindery::report
