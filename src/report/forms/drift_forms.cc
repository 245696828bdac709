#include "report/forms/drift_forms.h"

#include <cstddef>

namespace bindery::report {

Expected<void> WriteDrift(const DriftForm& form, DriftDocument& document, const TextStyle& style,
                          const std::string& version, const TextSink& out) {
  const DriftWriting writing = {form.lines, style, version, form.path_prefix};
  switch (form.format) {
#define BINDERY_FORM(form, name, suffix) \
  case ReportFormat::k##form:            \
    return WriteDrift##form(document, writing, out);
    BINDERY_REPORT_FORMS(BINDERY_FORM)
#undef BINDERY_FORM
  }
  return {};
}

std::string_view GetExtension(ReportFormat format) {
  return kReportSuffixes.at(static_cast<std::size_t>(format));
}

}  // namespace bindery::report
