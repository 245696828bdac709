#include "report/codec/moment.h"

#include "core/text/time_text.h"

namespace bindery::report {
namespace {

/// "2026-11-21 10:20" as RFC 3339.
std::string InFull(std::string text) {
  constexpr std::size_t kDay = 10;
  constexpr std::size_t kMinutes = 16;
  if (text.size() == kDay) return text + "T00:00:00Z";
  if (text.size() > kDay && text[kDay] == ' ') text[kDay] = 'T';
  if (text.size() == kMinutes) text += ":00";
  const bool has_zone = text.find_first_of("Zz+-", kDay) != std::string::npos;
  return has_zone ? text : text + "Z";
}

}  // namespace

Expected<WallTime> ParseMoment(const std::string& text, WallTime now) {
  const auto today = std::chrono::floor<std::chrono::days>(now);
  if (text == "now") return now;
  if (text == "today") return WallTime(today);
  if (text == "yesterday") return WallTime(today - std::chrono::days(1));
  if (const auto time = ParseRfc3339(text)) return *time;
  if (const auto ago = ParseDuration(text)) return now - *ago;
  constexpr std::size_t kShortest = 10;
  if (text.size() >= kShortest) {
    if (const auto time = ParseRfc3339(InFull(text))) return *time;
  }
  return Fail(Code::kInvalidArgument,
              "\"" + text +
                  "\" is no time: a day (2026-11-21, yesterday), a moment "
                  "(2026-11-21T10:20:30Z, 2026-11-21 10:20) or how long ago (24h, 7d), in UTC");
}

}  // namespace bindery::report
