#pragma once

#include <array>
#include <string_view>

// The forms of a drift report, in the order of messages. A row FORM(Markdown, "markdown", "md") is
// ReportFormat::kMarkdown, the name in the configuration and on the command line, the extension of
// the files, and report::WriteDriftMarkdown of a source in src/report.
#define BINDERY_REPORT_FORMS(FORM) \
  FORM(Json, "json", "json")       \
  FORM(Html, "html", "html")       \
  FORM(Markdown, "markdown", "md") \
  FORM(Csv, "csv", "csv")          \
  FORM(Sarif, "sarif", "sarif")    \
  FORM(Text, "text", "txt")        \
  FORM(Yaml, "yaml", "yaml")

namespace bindery {

enum class ReportFormat {
#define BINDERY_FORM(form, name, suffix) k##form,
  BINDERY_REPORT_FORMS(BINDERY_FORM)
#undef BINDERY_FORM
};

/// The names, in the order of the enumerators.
inline constexpr std::array kReportFormatNames = {
#define BINDERY_FORM(form, name, suffix) std::string_view(name),
    BINDERY_REPORT_FORMS(BINDERY_FORM)
#undef BINDERY_FORM
};

/// How the names of their files end, in the order of the enumerators.
inline constexpr std::array kReportSuffixes = {
#define BINDERY_FORM(form, name, suffix) std::string_view(suffix),
    BINDERY_REPORT_FORMS(BINDERY_FORM)
#undef BINDERY_FORM
};

}  // namespace bindery
