#pragma once

#include <vector>

#include "core/base/expected.h"
#include "report/values/overview_values.h"
#include "report/values/resource_counts.h"
#include "report/values/resource_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// What pages tell of all resources together.
struct ResourceFront {
  ResourceCounts counts;
  std::vector<AttentionLine> attention;  ///< The first that are not ready, worst first.
  std::vector<AttentionCause> causes;    ///< Of all that are not ready, worst first.
  FacetCounts facets;

  [[nodiscard]] static bool IsSmall() { return true; }
};

/// Goes through all resources.
[[nodiscard]] Expected<ResourceFront> ReadResourceFront(const ReportReader& store);

}  // namespace bindery::report
