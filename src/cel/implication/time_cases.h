#pragma once

// Private to src/cel/implication.

#include <vector>

#include "cel/expiry/time_bounds.h"
#include "cel/expiry/time_moments.h"
#include "cel/implication/truth.h"

namespace bindery::cel {

/// Whether time alone decides the test. A test that has a value at no moment does not count: the
/// service may know what is not known here.
[[nodiscard]] bool IsOfTime(const TimeMoments& test);

/// A range of moments at which no test changes.
struct TimeCase {
  TimeRange range;
  std::vector<Truth> truths;  ///< Of each test.
};

/// All moments, in order.
[[nodiscard]] std::vector<TimeCase> ListTimeCases(const std::vector<TimeMoments>& tests);

}  // namespace bindery::cel
