#include "web/table.h"

#include <utility>

namespace bindery::web {

Table::Table(std::string caption, std::vector<Column> columns)
    : caption_(std::move(caption)), columns_(std::move(columns)) {}

void Table::AddRow(std::initializer_list<Html> cells) {
  Html row;
  auto next = columns_.begin();
  for (const Html& cell : cells) {
    if (next == columns_.end()) break;
    const Column& column = *next++;
    if (row.empty()) {
      row.Add(El("th", {{"scope", "row"}, {"role", "rowheader"}}, cell));
      continue;
    }
    row.Add(El("td",
               {{"role", "cell"},
                {"data-label", column.title, !column.title.empty()},
                {"class", "number", column.number}},
               El("div", {}, cell.empty() ? Html("–") : cell)));
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
