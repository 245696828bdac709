#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "web/html.h"

namespace bindery::web {

struct Column {
  std::string title;
  Html head = {};         ///< In the place of the title, where it is more than a text.
  std::string sort = {};  ///< "ascending", "descending", or empty.
  bool number = false;    ///< Figures are aligned right.
};

/// A table with a caption. In narrow windows each row becomes a card; the roles that browsers take
/// away from tables then are given in full.
class Table {
 public:
  Table(std::string caption, std::vector<Column> columns);

  /// As many cells as columns; the first cell names the row.
  void AddRow(std::initializer_list<Html> cells);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] Html Finished() const;

 private:
  std::string caption_;
  std::vector<Column> columns_;
  Html rows_;
};

}  // namespace bindery::web
