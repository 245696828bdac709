#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/codec/list_selection.h"
#include "report/reports/reports.h"
#include "report/values/resource_counts.h"
#include "report/values/resource_values.h"

namespace bindery::report {

/// The place of a resource in a list.
struct ListedPlace {
  std::int64_t rank = 0;
  std::string text;
  int line = 0;
  std::string name;  ///< Of the resource.

  auto operator<=>(const ListedPlace&) const = default;
};

/// Filters, sorts and cuts resources given in sequence. Of a resource that may be on the page only
/// its place is held.
class ResourceSelection {
 public:
  ResourceSelection(ResourceFilter filter, const ResourceList& list);

  /// The filter lets it through.
  [[nodiscard]] bool Wants(const store::ResourceRecord& record) const;

  void Take(const store::ResourceRecord& record);

  /// The number of taken resources that match the filter.
  [[nodiscard]] std::size_t total() const { return kept_.total(); }

  /// The names on the page, in order. Once, at the end.
  [[nodiscard]] std::vector<std::string> Page();

 private:
  const ResourceFilter filter_;
  const std::string text_;  ///< Of the filter, in lower case.
  const ResourceOrder order_;
  ListSelection<ListedPlace> kept_;
};

/// Counts resources by facets.
class Facets {
 public:
  void Take(const store::ResourceRecord& record);

  /// Only the most frequent labels.
  [[nodiscard]] FacetCounts Counts() const;

 private:
  std::map<std::string, std::size_t> kinds_;
  std::unordered_map<std::string, std::size_t> labels_;  ///< By the JSON of all of a resource.
  ResourceCounts states_;
};

}  // namespace bindery::report
