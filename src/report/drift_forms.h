#pragma once

#include <string>
#include <string_view>

#include "core/expected.h"
#include "core/json.h"
#include "core/report_format.h"
#include "report/drift_document.h"
#include "report/text.h"
#include "report/text_sink.h"

namespace bindery {

/// Which differences a report for a terminal lists; the other forms list all.
enum class DriftLines {
  kAll,
  kStanding,  ///< Open or held.
  kAccepted,  ///< What may stay, and nothing else.
};

struct DriftForm {
  ReportFormat format = ReportFormat::kText;
  DriftLines lines = DriftLines::kAll;
};

/// Writes a drift report in one of its forms, ending with a line break. `version` is bindery's, for
/// the forms that name the tool. Fails as the document's items do; some of it is written, then.
[[nodiscard]] Expected<void> WriteDrift(const DriftForm& form, DriftDocument& document,
                                        const TextStyle& style, const std::string& version,
                                        const report::TextSink& out);

/// "md", "html", …: how the names of such files end.
[[nodiscard]] std::string_view ExtensionOf(ReportFormat format);

namespace report {

// The forms that WriteDrift knows.

/// One table row an item, with its heading: RFC 4180. A value a spreadsheet would take for a
/// formula begins with an apostrophe.
[[nodiscard]] Expected<void> WriteDriftCsv(DriftDocument& report, const TextSink& out);
/// What stands, and of what is over the latest.
[[nodiscard]] Expected<void> WriteDriftMarkdown(DriftDocument& report, const TextSink& out);
/// The same as one file that needs nothing else: no script, no request.
[[nodiscard]] Expected<void> WriteDriftHtml(DriftDocument& report, const TextSink& out);
/// SARIF 2.1.0 with what is open or held; what no manifest declares has no place in a file.
[[nodiscard]] Expected<void> WriteDriftSarif(DriftDocument& report, const std::string& version,
                                             const TextSink& out);
/// For a terminal: what stands, and the last of what is over. Rows are as wide as the widest of
/// them, so that all are held.
[[nodiscard]] Expected<void> WriteDriftText(DriftDocument& report, DriftLines lines,
                                            const TextStyle& style, const TextSink& out);

}  // namespace report
}  // namespace bindery
