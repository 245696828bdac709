#pragma once

#include <string>
#include <vector>

#include "harness/results.h"

namespace bindery::bench {

/// What a judgement of the results found.
struct Verdict {
  bool judged = false;              ///< False when the results hold nothing of the kind.
  std::vector<std::string> faults;  ///< A sentence each.
};

/// Finds the costs that grow faster than their size, and the slopes above their targets.
[[nodiscard]] Verdict JudgeGrowth(const Results& results);
/// Finds the figures that miss their targets.
[[nodiscard]] Verdict JudgeTargets(const Results& results);

}  // namespace bindery::bench
