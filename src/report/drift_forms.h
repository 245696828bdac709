#pragma once

#include <string>
#include <string_view>

#include "core/json.h"
#include "core/report_format.h"
#include "report/text.h"

namespace bindery {

/// A drift report in one of its forms, ending with a line break. `version` is bindery's, for the
/// forms that name the tool.
[[nodiscard]] std::string DriftIn(ReportFormat format, const Json& report, const TextStyle& style,
                                  const std::string& version = "");

/// "md", "html", …: how the names of such files end.
[[nodiscard]] std::string_view ExtensionOf(ReportFormat format);

namespace report {

// The forms that DriftIn knows.

/// One table row an item, with its heading: RFC 4180. A value a spreadsheet would take for a
/// formula begins with an apostrophe.
[[nodiscard]] std::string DriftCsv(const Json& report);
[[nodiscard]] std::string DriftMarkdown(const Json& report);
/// One file that needs nothing else: no script, no request.
[[nodiscard]] std::string DriftHtml(const Json& report);
/// SARIF 2.1.0 with what is open or held; what no manifest declares has no place in a file.
[[nodiscard]] Json DriftSarif(const Json& report, const std::string& version);

}  // namespace report
}  // namespace bindery
