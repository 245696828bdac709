#pragma once

#include <cstdint>
#include <vector>

#include "core/base/expected.h"
#include "report/values/overview_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// How things stand in each place.
struct PlaceLines {
  std::vector<PlaceLine> first;            ///< The worst ones, worst first.
  std::vector<PlaceLine> most_undeclared;  ///< Those with most undeclared grants, most first.
  std::int64_t total = 0;

  [[nodiscard]] static bool IsSmall() { return true; }
};

/// Goes through all targets and differences.
[[nodiscard]] Expected<PlaceLines> ReadPlaces(const store::ReportReader& store);

}  // namespace bindery::report
