#pragma once

#include <string>

#include "harness/statistics.h"

namespace bindery::bench {

/// One growth as an SVG picture: cost by size, both axes logarithmic, beside the line of exactly
/// proportional cost. Readable on light and on dark ground.
[[nodiscard]] std::string PlotOf(const Growth& growth);

}  // namespace bindery::bench
