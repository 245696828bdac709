#include <algorithm>
#include <string>

#include "server/queries.h"

namespace bindery::server {

Expected<WorkHistory> GetWorkHistory(const QueryContext& asked) {
  std::string name = GetText(asked.request, "range");
  if (name.empty()) name = kHistoryRanges.front().name;
  const auto* const range = std::find_if(kHistoryRanges.begin(), kHistoryRanges.end(),
                                         [&](const auto& one) { return one.name == name; });
  if (range == kHistoryRanges.end()) {
    return Fail(Code::kInvalidArgument, "\"range\" must be 30d, 7d or 24h, not \"" + name + "\"");
  }
  if (asked.parts.hours == nullptr) {
    return Fail(Code::kUnavailable, "this daemon keeps no history");
  }
  return ReadWorkHistory(*asked.parts.hours, *range, asked.parts.clock.Wall());
}

}  // namespace bindery::server
