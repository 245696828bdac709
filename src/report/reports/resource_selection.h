#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "report/codec/list_selection.h"
#include "report/reports/reports.h"
#include "report/values/resource_counts.h"
#include "report/values/resource_values.h"

namespace bindery::report {

/// Filters, sorts and cuts resources given in sequence. Holds little more than the resources up to
/// the end of the page, however many exist.
class ResourceSelection {
 public:
  ResourceSelection(ResourceFilter filter, const ResourceList& list);

  /// The filter lets it through.
  [[nodiscard]] bool Wants(const ResourceRecord& record) const;

  void Take(ResourceRecord&& record);

  /// The number of taken resources that match the filter.
  [[nodiscard]] std::size_t total() const { return kept_.total(); }

  /// The page, in order. Once, at the end.
  [[nodiscard]] std::vector<ResourceRecord> Page() { return kept_.Page(); }

 private:
  const ResourceFilter filter_;
  const std::string text_;  ///< Of the filter, in lower case.
  ListSelection<ResourceRecord> kept_;
};

/// Counts resources by facets.
class Facets {
 public:
  void Take(const ResourceRecord& record);

  /// Only the most frequent labels.
  [[nodiscard]] FacetCounts Counts() const;

 private:
  std::map<std::string, std::size_t> kinds_;
  std::map<std::string, std::size_t> labels_;
  ResourceCounts states_;
};

}  // namespace bindery::report
