#pragma once

// Private to src/telemetry: the text exposition format.

#include <map>
#include <string>
#include <string_view>

namespace bindery::telemetry {

/// The labels of a series by their names.
using ShownLabels = std::map<std::string, std::string>;

/// `a="1",b="2"`, without braces. Backslashes, quotes and line breaks in values are escaped.
[[nodiscard]] std::string LabelText(const ShownLabels& labels);

/// `name{labels} `, or `name ` without labels.
[[nodiscard]] std::string SeriesText(std::string_view name, std::string_view labels);

/// The two lines before the series of a metric.
[[nodiscard]] std::string HeadText(std::string_view name, std::string_view help,
                                   std::string_view type);

/// Appends a number as it is read by Prometheus: whole numbers without an exponent up to 15 digits,
/// other numbers in the fewest digits that give the number back; "+Inf", "-Inf", "NaN".
void AppendNumber(double number, std::string& text);

}  // namespace bindery::telemetry
