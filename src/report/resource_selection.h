#pragma once

#include <vector>

#include "core/json.h"
#include "report/reports.h"

namespace bindery::report {

struct ResourceSelection {
  std::vector<const ResourceRecord*> page;  ///< In order; of the records given.
  std::size_t total = 0;                    ///< That the filter lets through.
};

/// Filters, sorts and cuts. `records` must outlive what is returned.
[[nodiscard]] ResourceSelection SelectResources(const std::vector<ResourceRecord>& records,
                                                const ResourceFilter& filter,
                                                const ResourceList& list);

/// {"kinds": {kind: n}, "states": {state: n}, "labels": {"name=value": n}}, each by name; of the
/// labels only the most frequent ones.
[[nodiscard]] Json FacetsOf(const std::vector<ResourceRecord>& records);

}  // namespace bindery::report
