#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "report/codec/list_slice.h"
#include "report/values/overview_values.h"
#include "report/values/report_scopes.h"
#include "report/values/resource_counts.h"
#include "report/values/resource_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// The names of all resources in an order, in a single text: there may be very many.
class OrderedNames {
 public:
  /// Behind the other names.
  void Add(std::string_view name);
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  /// The names on the page, in the order, or in the order from its end.
  [[nodiscard]] std::vector<std::string> Page(const ListPage& page, bool from_end) const;

  [[nodiscard]] static bool IsSmall() { return true; }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;  ///< In the text.
};

/// What pages tell of all resources together.
struct ResourceFront {
  ResourceCounts counts;
  std::vector<AttentionLine> attention;  ///< The first that are not ready, worst first.
  std::vector<AttentionCause> causes;    ///< Of all that are not ready, worst first.
  FacetCounts facets;
  OrderedNames names;  ///< In the order of names.

  [[nodiscard]] static bool IsSmall() { return true; }
};

/// Goes through all resources.
[[nodiscard]] Expected<ResourceFront> ReadResourceFront(const store::ReportReader& store);

/// The same for another order alone.
[[nodiscard]] Expected<OrderedNames> ReadOrderedNames(const store::ReportReader& store,
                                                      ResourceOrder order);

}  // namespace bindery::report
