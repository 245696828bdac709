#include "report/drift_forms.h"

#include <string>
#include <string_view>

#include "report/json_stream.h"
#include "yaml/node.h"

namespace bindery {
namespace {

Expected<void> WriteDriftJson(DriftDocument& document, const report::TextSink& out) {
  return report::WriteJson(
      document.head(), {"items"},
      [&](const DriftDocument::TakeItem& take) { return document.Each(document.entries(), take); },
      out);
}

/// Member after member, the items one at a time.
Expected<void> WriteDriftYaml(DriftDocument& document, const report::TextSink& out) {
  constexpr std::string_view kItems = "items";
  for (const auto& [name, value] : document.head().items()) {
    if (name != kItems || document.entries().empty()) {
      out(yaml::ToYaml({{name, value}}));
      continue;
    }
    bool first = true;
    auto written = document.Each(document.entries(), [&](const Json& item) {
      const std::string text = yaml::ToYaml({{std::string(kItems), Json::array({item})}});
      // The name stands before the first of them.
      out(first ? text : std::string_view(text).substr(text.find('\n') + 1));
      first = false;
    });
    if (!written) return written;
  }
  return {};
}

}  // namespace

Expected<void> WriteDrift(const DriftForm& form, DriftDocument& document, const TextStyle& style,
                          const std::string& version, const report::TextSink& out) {
  switch (form.format) {
    case ReportFormat::kJson:
      return WriteDriftJson(document, out);
    case ReportFormat::kHtml:
      return report::WriteDriftHtml(document, out);
    case ReportFormat::kMarkdown:
      return report::WriteDriftMarkdown(document, out);
    case ReportFormat::kCsv:
      return report::WriteDriftCsv(document, out);
    case ReportFormat::kSarif:
      return report::WriteDriftSarif(document, version, out);
    case ReportFormat::kText:
      return report::WriteDriftText(document, form.lines, style, out);
    case ReportFormat::kYaml:
      return WriteDriftYaml(document, out);
  }
  return {};
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
