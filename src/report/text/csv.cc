#include "report/text/csv.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace bindery::report {
namespace {

/// The first characters of a formula. Spreadsheets in East Asian locales accept the full-width
/// forms as well, and possibly the small forms.
constexpr std::array<std::string_view, 15> kStarts = {"=",
                                                      "+",
                                                      "-",
                                                      "@",
                                                      "\t",
                                                      "\r",
                                                      "\n",
                                                      "\xef\xbc\x9d",
                                                      "\xef\xbc\x8b",
                                                      "\xef\xbc\x8d",
                                                      "\xef\xbc\xa0",  // U+FF1D, FF0B, FF0D, FF20
                                                      "\xef\xb9\xa6",
                                                      "\xef\xb9\xa2",
                                                      "\xef\xb9\xa3",
                                                      "\xef\xb9\xab"};  // U+FE66, FE62, FE63, FE6B

bool LooksLikeAFormula(std::string_view text) {
  return std::ranges::any_of(kStarts,
                             [text](std::string_view start) { return text.starts_with(start); });
}

std::string MakeCell(const std::string& text) {
  std::string cell = LooksLikeAFormula(text) ? "'" + text : text;
  if (cell.find_first_of("\",\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string CsvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) {
    if (&cell != &cells.front()) line += ',';
    line += MakeCell(cell);
  }
  return line + "\r\n";
}

}  // namespace bindery::report
