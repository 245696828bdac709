#pragma once

#include <string>

#include "report/codec/json_codec.h"

namespace bindery::report {

/// No daemon keeps a store up to date: what reports show is of the last reading.
struct Staleness {
  std::string reason;  ///< Why not, in words.
  WallTime last_observed_at{};
};

template <>
inline constexpr auto kFields<Staleness> = std::tuple{
    Field{"reason", &Staleness::reason}, Field{"lastObservedAt", &Staleness::last_observed_at}};

}  // namespace bindery::report
