#include "report/forms/access_words.h"

#include <chrono>

#include "core/text/time_text.h"
#include "report/text/text_style.h"

namespace bindery::report {

std::string SourceText(const std::optional<DeclaringManifest>& source) {
  if (!source) return "undeclared";
  return Printable(source->resource) + " (" + Printable(source->file) + ":" +
         std::to_string(source->line) + ")";
}

std::string TimeBoundsText(const std::optional<TimeBounds>& bounds, const TextStyle& style) {
  if (!bounds) return "";
  const auto span = [&](const std::optional<cel::Timestamp>& bound) {
    if (!bound) return std::string();
    const Expected<WallTime> time = ParseRfc3339(cel::ToString(*bound));
    if (!time) return std::string();
    const auto wait = std::chrono::duration_cast<std::chrono::seconds>(*time - style.now);
    return FormatAge(wait < std::chrono::seconds(0) ? -wait : wait);
  };
  const std::string end = span(bounds->ends_at);
  switch (bounds->phase) {
    case cel::TimePhase::kWithin:
      return end.empty() ? "" : "ends in " + end;
    case cel::TimePhase::kBefore:
      return "starts in " + span(bounds->starts_at);
    case cel::TimePhase::kAfter:
      return end.empty() ? "expired" : "expired " + end + " ago";
    case cel::TimePhase::kNever:
      return "never in force";
    case cel::TimePhase::kUnbounded:
      break;
  }
  return "";
}

}  // namespace bindery::report
