#include "report/access_words.h"

#include <chrono>

#include "core/time_text.h"
#include "report/json_fields.h"
#include "report/text_style.h"

namespace bindery::report {

std::string SourceText(const Json& row) {
  const Json& source = ObjectMember(row, "source");
  if (source.empty()) return "undeclared";
  return Shown(source, "resource") + " (" + Shown(source, "file") + ":" +
         std::to_string(IntMember(source, "line")) + ")";
}

std::string TimeBoundsText(const Json& bounds, const TextStyle& style) {
  const std::string state = StringMember(bounds, "state");
  const auto span = [&](const char* name) {
    const Expected<WallTime> time = ParseRfc3339(StringMember(bounds, name));
    if (!time) return std::string();
    const auto wait = std::chrono::duration_cast<std::chrono::seconds>(*time - style.now);
    return FormatAge(wait < std::chrono::seconds(0) ? -wait : wait);
  };
  if (state == "active" && !span("endsAt").empty()) return "ends in " + span("endsAt");
  if (state == "pending") return "starts in " + span("startsAt");
  if (state == "expired") {
    return span("endsAt").empty() ? "expired" : "expired " + span("endsAt") + " ago";
  }
  return state == "never" ? "never in force" : "";
}

}  // namespace bindery::report
