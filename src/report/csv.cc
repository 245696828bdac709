#include "report/csv.h"

#include <string_view>

namespace bindery::report {
namespace {

bool LooksLikeAFormula(std::string_view text) {
  return !text.empty() &&
         std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos;
}

std::string CellOf(const std::string& text) {
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
    line += CellOf(cell);
  }
  return line + "\r\n";
}

}  // namespace bindery::report
