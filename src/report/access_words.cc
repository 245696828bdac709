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

std::string TimeBoundsText(const TimeBounds& bounds, const TextStyle& style) {
  const auto span = [&](const std::optional<cel::Timestamp>& bound) {
    if (!bound) return std::string();
    const Expected<WallTime> time = ParseRfc3339(cel::ToString(*bound));
    if (!time) return std::string();
    const auto wait = std::chrono::duration_cast<std::chrono::seconds>(*time - style.now);
    return FormatAge(wait < std::chrono::seconds(0) ? -wait : wait);
  };
  const std::string end = span(bounds.ends_at);
  switch (bounds.phase) {
    case cel::TimePhase::kWithin:
      return end.empty() ? "" : "ends in " + end;
    case cel::TimePhase::kBefore:
      return "starts in " + span(bounds.starts_at);
    case cel::TimePhase::kAfter:
      return end.empty() ? "expired" : "expired " + end + " ago";
    case cel::TimePhase::kNever:
      return "never in force";
    case cel::TimePhase::kUnbounded:
      break;
  }
  return "";
}

std::string TimeBoundsText(const Json& bounds, const TextStyle& style) {
  const auto read = TimeBoundsFromJson(bounds);
  return read ? TimeBoundsText(*read, style) : "";
}

}  // namespace bindery::report
