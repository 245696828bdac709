#pragma once

#include <string>
#include <vector>

#include "report/text/text_style.h"

namespace bindery::report {

/// The treatment of a text that is wider than its column.
enum class Cut {
  kRight,
  kLeft,   ///< Names that differ at their end: first what they begin with in common goes.
  kNever,  ///< It stays whole; the rest of its row goes on in the next line, below its titles.
  kWrap,   ///< It goes on in its column in the next line, from a blank on; a word stays whole.
};

struct Column {
  std::string title;
  bool shrinks = false;   ///< Is cut when the table is wider than the terminal.
  std::size_t least = 8;  ///< Characters below which a text that is cut tells nothing any more.
  /// If still too wide, whole columns go: the highest values above 0 first.
  int goes = 0;
  Cut cut = Cut::kRight;
};

struct Cell {
  std::string text;  ///< Printable.
  Colour colour = Colour::kNone;
};

/// A table with aligned columns, two spaces between them, no trailing white space.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell for each column; an empty cell shows as "-".
  void AddRow(std::vector<Cell> cells);
  /// A line across all columns, never cut; the rows below it are indented.
  void AddGroup(std::string title);

  [[nodiscard]] std::string Text(const TextStyle& style) const;

 private:
  struct Row {
    std::vector<Cell> cells;  ///< One, for a group's title.
    bool group = false;
  };

  [[nodiscard]] std::vector<std::size_t> NaturalWidths() const;
  void DropCommonBeginnings();
  [[nodiscard]] std::string Lines(const std::vector<Cell>& row,
                                  const std::vector<std::size_t>& widths,
                                  const TextStyle& style) const;
  [[nodiscard]] std::string Line(const std::vector<Cell>& cells,
                                 const std::vector<std::size_t>& widths,
                                 const TextStyle& style) const;
  [[nodiscard]] std::string TextIn(const std::vector<std::size_t>& widths,
                                   const TextStyle& style) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
  bool grouped_ = false;
};

}  // namespace bindery::report
