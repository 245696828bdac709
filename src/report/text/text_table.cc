#include "report/text/text_table.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "report/text/text_wrap.h"

namespace bindery::report {
namespace {

constexpr std::size_t kGap = 2;
/// The width of a column that was left out.
constexpr std::size_t kGone = static_cast<std::size_t>(-1);

std::size_t Total(const std::vector<std::size_t>& widths) {
  std::size_t sum = 0;
  for (const std::size_t width : widths) sum += width == kGone ? 0 : width + kGap;
  return sum > 0 ? sum - kGap : 0;
}

/// The minimum width of a column.
constexpr std::size_t kNarrowest = 8;

/// How narrow a column of the width may become before it tells nothing.
std::size_t MeasureLeast(const Column& column, std::size_t width) {
  if (!column.shrinks) return width;
  return std::min(width, std::max(column.least, ShownWidth(column.title)));
}

/// Leaves out columns until the rest can be shrunk to the available width.
void LeaveOut(std::vector<std::size_t>& widths, const std::vector<Column>& columns,
              std::size_t available) {
  while (true) {
    std::vector<std::size_t> least = widths;
    std::size_t first_to_go = columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (widths[i] == kGone) continue;
      least[i] = MeasureLeast(columns[i], widths[i]);
      const int before = first_to_go == columns.size() ? 0 : columns[first_to_go].goes;
      if (columns[i].goes > before) first_to_go = i;
    }
    if (Total(least) <= available || first_to_go == columns.size()) return;
    widths[first_to_go] = kGone;
  }
}

/// Takes from the widest of the columns that may shrink until the table fits, or nothing is left to
/// take.
void TakeWidth(std::vector<std::size_t>& widths, const std::vector<Column>& columns,
               std::size_t available) {
  const std::size_t total = Total(widths);
  for (std::size_t excess = total > available ? total - available : 0; excess > 0; --excess) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] == kGone || widths[i] <= MeasureLeast(columns[i], widths[i])) continue;
      if (widest == nullptr || widths[i] > *widest) widest = &widths[i];
    }
    if (widest == nullptr) return;
    --*widest;
  }
}

/// Shrinks the columns until the table fits. Columns that stay whole shrink last: a text that is
/// wider than its column takes a line more. With `to_the_last` also what makes a column tell
/// something goes.
void Shrink(std::vector<std::size_t>& widths, std::vector<Column> columns, std::size_t available,
            bool to_the_last) {
  for (Column& column : columns) {
    if (to_the_last) column.least = kNarrowest;
  }
  std::vector<Column> others = columns;
  for (Column& column : others) column.shrinks = column.shrinks && column.cut != Cut::kNever;
  TakeWidth(widths, others, available);
  TakeWidth(widths, columns, available);
}

/// The common beginning of the names, up to a slash, so that a part of each name is left. Names
/// without a slash do not count.
std::size_t CommonBeginning(const std::set<std::string_view>& names) {
  std::string_view common;
  bool first = true;
  for (const std::string_view name : names) {
    const auto differs = std::mismatch(common.begin(), common.end(), name.begin(), name.end());
    common =
        first ? name : common.substr(0, static_cast<std::size_t>(differs.first - common.begin()));
    first = false;
  }
  auto slash = common.rfind('/');
  // The last two parts of a single name: "policies/payments".
  if (names.size() == 1 && slash != std::string_view::npos && slash > 0) {
    slash = common.rfind('/', slash - 1);
  }
  return slash == std::string_view::npos ? 0 : slash;
}

}  // namespace

void Table::AddRow(std::vector<Cell> cells) {
  for (Cell& cell : cells) {
    if (cell.text.empty()) cell.text = "-";
  }
  cells.resize(columns_.size(), Cell{"-"});
  rows_.push_back({std::move(cells), false});
}

void Table::AddGroup(std::string title) {
  grouped_ = true;
  rows_.push_back({{Cell{std::move(title), Colour::kBold}}, true});
}

std::vector<std::size_t> Table::NaturalWidths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(ShownWidth(column.title));
  for (const Row& row : rows_) {
    if (row.group) continue;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], ShownWidth(row.cells[i].text));
    }
  }
  return widths;
}

/// "…/policies/payments".
void Table::DropCommonBeginnings() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].cut != Cut::kLeft) continue;
    std::set<std::string_view> names;
    for (const Row& row : rows_) {
      if (!row.group && row.cells[i].text.find('/') != std::string::npos) {
        names.insert(row.cells[i].text);
      }
    }
    const std::size_t common = CommonBeginning(names);
    if (common <= 1) continue;
    for (Row& row : rows_) {
      if (!row.group && row.cells[i].text.find('/') != std::string::npos) {
        row.cells[i].text.replace(0, common, "…");
      }
    }
  }
}

/// The row, with a line more for what goes on below it.
std::string Table::Lines(const std::vector<Cell>& row, const std::vector<std::size_t>& widths,
                         const TextStyle& style) const {
  const auto wraps = [](const Column& column) { return column.cut == Cut::kWrap; };
  if (std::ranges::none_of(columns_, wraps)) return Line(row, widths, style);
  std::vector<Cell> cells = row;
  std::vector<std::vector<std::string>> wrapped(cells.size());
  std::size_t lines = 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (columns_[i].cut != Cut::kWrap || widths[i] == kGone) continue;
    wrapped[i] = WrapText(cells[i].text, widths[i]);
    lines = std::max(lines, wrapped[i].size());
  }
  std::string text;
  for (std::size_t line = 0; line < lines; ++line) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (line < wrapped[i].size()) {
        cells[i].text = wrapped[i][line];
      } else if (line > 0) {
        cells[i].text.clear();
      }
    }
    text += Line(cells, widths, style);
  }
  return text;
}

std::string Table::Line(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths,
                        const TextStyle& style) const {
  std::string line;
  std::size_t column = grouped_ ? kGap : 0;  // where the next one begins
  std::size_t at = 0;                        // where the line ends so far
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (widths[i] == kGone) continue;
    const std::string& whole = cells[i].text;
    if (whole.empty()) {
      column += widths[i] + kGap;
      continue;
    }
    std::string text;
    switch (columns_[i].cut) {
      case Cut::kRight:
        text = CutTo(whole, widths[i]);
        break;
      case Cut::kLeft:
        text = CutFromLeft(whole, widths[i]);
        break;
      case Cut::kNever:
      case Cut::kWrap:
        text = whole;
        break;
    }
    if (at > column) {  // what came before it is wider than its column
      line += "\n";
      at = 0;
    }
    line.append(column - at, ' ');
    line += Paint(text, cells[i].colour, style);
    const std::size_t width = ShownWidth(text);
    at = column + width + (width > widths[i] ? kGap : 0);
    column += widths[i] + kGap;
  }
  return line + "\n";
}

std::string Table::Text(const TextStyle& style) const {
  const std::vector<std::size_t> natural = NaturalWidths();
  if (style.width <= 0) return TextIn(natural, style);
  const std::size_t indent = grouped_ ? kGap : 0;
  const auto width = static_cast<std::size_t>(style.width);
  const std::size_t available = width > indent ? width - indent : 0;
  if (Total(natural) <= available) return TextIn(natural, style);
  Table fitting = *this;
  fitting.DropCommonBeginnings();
  std::vector<std::size_t> widths = fitting.NaturalWidths();
  LeaveOut(widths, columns_, available);
  Shrink(widths, columns_, available, /*to_the_last=*/false);
  Shrink(widths, columns_, available, /*to_the_last=*/true);
  return fitting.TextIn(widths, style);
}

std::string Table::TextIn(const std::vector<std::size_t>& widths, const TextStyle& style) const {
  std::vector<Cell> titles;
  for (const Column& column : columns_) titles.push_back({column.title, Colour::kBold});
  std::string text = style.titles ? Line(titles, widths, style) : "";
  for (const Row& row : rows_) {
    if (row.group) {
      text += Paint(row.cells.front().text, Colour::kBold, style) + "\n";
    } else {
      text += Lines(row.cells, widths, style);
    }
  }
  return text;
}

}  // namespace bindery::report
