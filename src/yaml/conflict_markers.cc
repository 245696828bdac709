#include <algorithm>

#include "yaml/mistakes.h"

namespace bindery::yaml {
namespace {

/// Seven equal characters at the beginning of a line, followed by nothing or a blank.
bool IsConflictMarker(std::string_view line, char sign) {
  constexpr std::size_t kLength = 7;
  if (line.size() < kLength || line.substr(0, kLength).find_first_not_of(sign) != line.npos) {
    return false;
  }
  return line.size() == kLength || line[kLength] == ' ' || line[kLength] == '\r';
}

}  // namespace

std::optional<Fault> FindConflictMarkers(std::string_view text) {
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    // "=======" alone can be a text; between the further markers it is a marker, too.
    if (IsConflictMarker(line, '<') || IsConflictMarker(line, '>') || IsConflictMarker(line, '|') ||
        line == "=======") {
      return Fault{{number, 1},
                   "merge conflict markers: two changes met here; keep one of them, or both, and "
                   "remove the lines <<<<<<<, ======= and >>>>>>>"};
    }
    at = end + 1;
  }
  return std::nullopt;
}

}  // namespace bindery::yaml
