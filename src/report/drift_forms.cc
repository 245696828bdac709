#include "report/drift_forms.h"

#include "yaml/node.h"

namespace bindery {
namespace {

std::string Pretty(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string DriftIn(ReportFormat format, const Json& report, const TextStyle& style,
                    const std::string& version) {
  switch (format) {
    case ReportFormat::kJson:
      return Pretty(report);
    case ReportFormat::kHtml:
      return report::DriftHtml(report);
    case ReportFormat::kMarkdown:
      return report::DriftMarkdown(report);
    case ReportFormat::kCsv:
      return report::DriftCsv(report);
    case ReportFormat::kSarif:
      return Pretty(report::DriftSarif(report, version));
    case ReportFormat::kText:
      return DriftText(report, style);
    case ReportFormat::kYaml:
      return yaml::ToYaml(report);
  }
  return "";
}

std::string_view ExtensionOf(ReportFormat format) {
  switch (format) {
    case ReportFormat::kMarkdown:
      return "md";
    case ReportFormat::kText:
      return "txt";
    default:
      return kReportFormatNames.at(static_cast<std::size_t>(format));
  }
}

}  // namespace bindery
