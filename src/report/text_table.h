#pragma once

#include <string>
#include <vector>

#include "report/text_style.h"

namespace bindery::report {

struct Column {
  std::string title;
  bool shrinks = false;   ///< Is cut when the table is wider than the terminal.
  std::size_t least = 8;  ///< Characters below which a text that is cut tells nothing any more.
  /// Where not even that fits, whole columns go: of those above 0 the highest first.
  int goes = 0;
};

struct Cell {
  std::string text;  ///< Printable.
  Colour colour = Colour::kNone;
};

/// A table with aligned columns, two spaces between them, no trailing white space.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell for each column; an empty one shows as "-".
  void AddRow(std::vector<Cell> cells);
  /// A line across all columns; the rows below it are indented.
  void AddGroup(std::string title);

  [[nodiscard]] std::string Text(const TextStyle& style) const;

 private:
  struct Row {
    std::vector<Cell> cells;  ///< One, for a group's title.
    bool group = false;
  };

  [[nodiscard]] std::vector<std::size_t> Widths(const TextStyle& style) const;
  [[nodiscard]] std::vector<std::size_t> NaturalWidths() const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
  bool grouped_ = false;
};

}  // namespace bindery::report
