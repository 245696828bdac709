#include "harness/verdict.h"

namespace bindery::bench {

Verdict JudgeGrowth(const Results& results) {
  Verdict verdict;
  for (const Growth& growth : results.growths) {
    if (growth.points.size() > 1) verdict.judged = true;
    const auto step = SuperlinearStep(growth);
    if (!step) continue;
    verdict.faults.push_back(growth.workload + " grows faster than its size: from " +
                             Digits(growth.points[*step - 1].size) + " to " +
                             Digits(growth.points[*step].size) + " " + growth.items);
  }
  for (const Slope& slope : results.slopes) {
    if (slope.points.size() > 1) verdict.judged = true;
    if (slope.points.size() < 2 || slope.met()) continue;
    verdict.faults.push_back(slope.workload + ": " + slope.what + " grows with the slope " +
                             Digits(slope.value()) + ", not " + Digits(slope.most) + " at most");
  }
  return verdict;
}

Verdict JudgeTargets(const Results& results) {
  Verdict verdict;
  for (const Figure& figure : results.figures) {
    if (!figure.has_target()) continue;
    verdict.judged = true;
    if (!figure.met()) {
      verdict.faults.push_back(figure.workload + " misses its target: " + figure.what);
    }
  }
  return verdict;
}

}  // namespace bindery::bench
