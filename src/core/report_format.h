#pragma once

#include <array>
#include <string_view>

namespace bindery {

/// The forms of a drift report.
enum class ReportFormat { kJson, kHtml, kMarkdown, kCsv, kSarif, kText, kYaml };

/// Their names in the configuration and on the command line, in the order of the enumerators.
inline constexpr std::array<std::string_view, 7> kReportFormatNames = {
    "json", "html", "markdown", "csv", "sarif", "text", "yaml"};

}  // namespace bindery
