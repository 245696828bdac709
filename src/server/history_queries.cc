#include <algorithm>
#include <string>

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
  return report::ReadWorkHistory(*asked.parts.hours, *range, asked.parts.clock.Wall());
}

}  // namespace bindery::server
