// What a question about access is made of, as texts of a command line or a query.

#include "core/time_text.h"
#include "report/access_report.h"

namespace bindery {

Expected<WallTime> ParseMoment(const std::string& text, WallTime now) {
  if (text == "now") return now;
  if (const auto time = ParseRfc3339(text)) return *time;
  if (const auto day = ParseRfc3339(text + "T00:00:00Z")) return *day;
  if (const auto ago = ParseDuration(text)) return now - *ago;
  return Fail(Code::kInvalidArgument, "\"" + text +
                                          "\" is no time: a day (2026-11-21), a moment "
                                          "(2026-11-21T10:20:30Z) or how long ago (24h, 7d)");
}

Expected<void> AddAttribute(const std::string& text,
                            std::map<std::string, std::string>& attributes) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Fail(Code::kInvalidArgument,
                "\"" + text + "\" is not name=value, such as resource.name=projects/acme");
  }
  attributes[text.substr(0, equals)] = text.substr(equals + 1);
  return {};
}

}  // namespace bindery
