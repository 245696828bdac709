#include "web/table.h"

#include <utility>

namespace bindery::web {

Table::Table(std::string caption, std::vector<Column> columns)
    : caption_(std::move(caption)), columns_(std::move(columns)) {}

void Table::AddRow(const std::vector<Html>& cells) {
  Html row;
  for (std::size_t i = 0; i < cells.size() && i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    if (i == 0) {
      row.Add(El("th", {{"scope", "row"}, {"role", "rowheader"}}, cells[i]));
      continue;
    }
    row.Add(El("td",
               {{"role", "cell"},
                {"data-label", column.title, !column.title.empty()},
                {"class", "number", column.number}},
               El("div", {}, cells[i].empty() ? Html("–") : cells[i])));
  }
  rows_.Add(El("tr", {{"role", "row"}}, row));
}

Html Table::Finished() const {
  Html heads;
  for (const Column& column : columns_) {
    heads.Add(El("th",
                 {{"scope", "col"},
                  {"role", "columnheader"},
                  {"aria-sort", column.sort, !column.sort.empty()},
                  {"class", "number", column.number}},
                 column.head.empty() ? Html(column.title) : column.head));
  }
  return El("table", {{"role", "table"}}, El("caption", {}, caption_),
            El("thead", {{"role", "rowgroup"}}, El("tr", {{"role", "row"}}, heads)),
            El("tbody", {{"role", "rowgroup"}}, rows_));
}

}  // namespace bindery::web
