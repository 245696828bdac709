#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "server/list_order.h"
#include "server/queries.h"

namespace bindery::server {

Expected<report::WorkHistory> GetWorkHistory(const QueryContext& asked) {
  std::string name = GetText(asked.request, "range");
  if (name.empty()) name = report::kHistoryRanges.front().name;
  const auto* const range =
      std::find_if(report::kHistoryRanges.begin(), report::kHistoryRanges.end(),
                   [&](const auto& one) { return one.name == name; });
  if (range == report::kHistoryRanges.end()) {
    return Fail(Code::kInvalidArgument, "\"range\" must be 30d, 7d or 24h, not \"" + name + "\"");
  }
  if (asked.parts.hours == nullptr) {
    return Fail(Code::kUnavailable, "this daemon keeps no history");
  }
  constexpr std::pair<std::string_view, report::HistoryOrder> kOrders[] = {
      {"time", report::HistoryOrder::kTime},
      {"open", report::HistoryOrder::kOpen},
      {"undeclared", report::HistoryOrder::kUndeclared},
      {"found", report::HistoryOrder::kFound},
      {"writes", report::HistoryOrder::kWrites},
      {"errors", report::HistoryOrder::kErrors},
      {"calls", report::HistoryOrder::kCalls}};
  report::HistoryOrder order = report::HistoryOrder::kTime;
  bool descending = false;
  if (auto read = ReadListOrder(asked.request, kOrders, order, descending); !read) {
    return Fail(read.error());
  }
  auto history = report::ReadWorkHistory(*asked.parts.hours, *range, asked.parts.clock.Wall());
  if (history) report::SortSpans(*history, order, descending);
  return history;
}

}  // namespace bindery::server
