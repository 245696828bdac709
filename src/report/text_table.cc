#include "report/text_table.h"

#include <algorithm>
#include <utility>

namespace bindery::report {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;

/// Takes from the widest column that may shrink until the table fits, or nothing is left to take.
void Shrink(std::vector<std::size_t>& widths, const std::vector<Column>& columns,
            std::size_t available) {
  const auto total = [&] {
    std::size_t sum = kGap * (widths.size() - 1);
    for (const std::size_t width : widths) sum += width;
    return sum;
  };
  for (std::size_t excess = total() > available ? total() - available : 0; excess > 0; --excess) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::size_t least = std::max(kNarrowest, ShownWidth(columns[i].title));
      if (!columns[i].shrinks || widths[i] <= least) continue;
      if (widest == nullptr || widths[i] > *widest) widest = &widths[i];
    }
    if (widest == nullptr) return;
    --*widest;
  }
}

std::string Line(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths,
                 const std::string& indent, const TextStyle& style) {
  std::string line = indent;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string text = CutTo(cells[i].text, widths[i]);
    line += Paint(text, cells[i].colour, style);
    if (i + 1 < cells.size()) line += std::string(widths[i] - ShownWidth(text) + kGap, ' ');
  }
  return line + "\n";
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

std::vector<std::size_t> Table::Widths(const TextStyle& style) const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(ShownWidth(column.title));
  for (const Row& row : rows_) {
    if (row.group) continue;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], ShownWidth(row.cells[i].text));
    }
  }
  if (style.width > 0) {
    const std::size_t indent = grouped_ ? kGap : 0;
    const auto width = static_cast<std::size_t>(style.width);
    Shrink(widths, columns_, width > indent ? width - indent : 0);
  }
  return widths;
}

std::string Table::Text(const TextStyle& style) const {
  const std::vector<std::size_t> widths = Widths(style);
  const std::string indent(grouped_ ? kGap : 0, ' ');
  std::vector<Cell> titles;
  for (const Column& column : columns_) titles.push_back({column.title, Colour::kBold});
  std::string text = Line(titles, widths, indent, style);
  for (const Row& row : rows_) {
    if (row.group) {
      const std::string& title = row.cells.front().text;
      const auto width = static_cast<std::size_t>(std::max(style.width, 0));
      text += Paint(width > 0 ? CutTo(title, width) : title, Colour::kBold, style) + "\n";
    } else {
      text += Line(row.cells, widths, indent, style);
    }
  }
  return text;
}

}  // namespace bindery::report
