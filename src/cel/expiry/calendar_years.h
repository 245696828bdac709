#pragma once

// Private to src/cel/expiry.

#include <cstdint>
#include <optional>
#include <string_view>

#include "cel/evaluation/time.h"

namespace bindery::cel {

/// The first moment of the year in the zone: all earlier moments are of earlier years there.
/// Nothing: no such zone or year exists, or the clocks of the zone are put forward or back within
/// two days of that moment.
[[nodiscard]] std::optional<Timestamp> BeginOfYear(std::int64_t year, std::string_view zone);

}  // namespace bindery::cel
