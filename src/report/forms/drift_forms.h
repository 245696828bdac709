#pragma once

#include <string>
#include <string_view>

#include "core/base/expected.h"
#include "core/base/json.h"
#include "core/settings/report_format.h"
#include "report/text/text.h"
#include "report/text/text_sink.h"
#include "report/values/drift_document.h"

namespace bindery::report {

/// The differences in a report for a terminal; all further forms list all.
enum class DriftLines {
  kAll,
  kStanding,   ///< Open or held.
  kAccepted,   ///< What may stay, and nothing else.
  kUnmanaged,  ///< What nobody manages, and nothing else.
};

struct DriftForm {
  ReportFormat format = ReportFormat::kText;
  DriftLines lines = DriftLines::kAll;
  /// The folder of the manifests in the repository, for forms with file names; may be
  /// empty.
  std::string path_prefix = {};
};

/// Writes a drift report in one of the forms, ending with a line break. `version` is bindery's, for
/// forms that name the tool. Fails as the document's items do; a part is written, then.
[[nodiscard]] Expected<void> WriteDrift(const DriftForm& form, DriftDocument& document,
                                        const TextStyle& style, const std::string& version,
                                        const TextSink& out);

/// "md", "html", …: how the names of such files end.
[[nodiscard]] std::string_view GetExtension(ReportFormat format);

/// How a report is written, as far as a form asks for it.
struct DriftWriting {
  DriftLines lines = DriftLines::kAll;
  const TextStyle& style;
  const std::string& version;      ///< Of bindery, for the forms that name the tool.
  const std::string& path_prefix;  ///< As DriftForm.
};

// The functions of the forms: WriteDriftJson, …. A comment at each describes the purpose.
#define BINDERY_FORM(form, name, suffix)                                 \
  [[nodiscard]] Expected<void> WriteDrift##form(DriftDocument& document, \
                                                const DriftWriting& writing, const TextSink& out);
BINDERY_REPORT_FORMS(BINDERY_FORM)
#undef BINDERY_FORM

}  // namespace bindery::report
