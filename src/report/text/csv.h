#pragma once

#include <string>
#include <vector>

namespace bindery::report {

/// One line of a table: RFC 4180. A cell that a spreadsheet would take for a formula begins with an
/// apostrophe: names from a cloud must not become formulas in a spreadsheet.
[[nodiscard]] std::string CsvLine(const std::vector<std::string>& cells);

}  // namespace bindery::report
