#include <string>

#include "report/forms/texts.h"
#include "report/reports/problem_lines.h"
#include "report/text/text_style.h"

namespace bindery::report {

std::string ValidateText(const Validation& found, const TextStyle& style) {
  const auto errors = static_cast<std::int64_t>(found.summary.errors);
  const auto warnings = static_cast<std::int64_t>(found.summary.warnings);
  std::string result = "valid";
  if (errors > 0) result = report::Count(errors, "error");
  if (warnings > 0) result += ", " + report::Count(warnings, "warning");
  return ProblemLines(found.problems, style) + ExpiredLine(found.expired, style) +
         report::Count(static_cast<std::int64_t>(found.files), "file") + ", " +
         report::Count(static_cast<std::int64_t>(found.manifests), "manifest") + ": " +
         Paint(result, errors > 0 ? Colour::kRed : Colour::kGreen, style) + "\n";
}

}  // namespace bindery::report
