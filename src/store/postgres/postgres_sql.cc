#include "store/postgres/postgres_sql.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace bindery::store {
namespace {

bool IsDigit(char character) { return std::isdigit(static_cast<unsigned char>(character)) != 0; }

/// The place behind `what`. Requires: `text` has `what`.
std::size_t Behind(std::string_view text, std::string_view what) {
  return text.find(what) + what.size();
}

}  // namespace

PostgresSql ForPostgres(std::string_view sql) {
  PostgresSql made{std::string(sql)};
  std::string& text = made.text;
  for (std::size_t at = text.find('?'); at != std::string::npos; at = text.find('?', at + 1)) {
    if (at + 1 < text.size() && IsDigit(text[at + 1])) text[at] = '$';
  }
  return made;
}

PostgresSql InsertForPostgres(std::string_view sql) {
  PostgresSql made = ForPostgres(sql);
  std::string& text = made.text;
  int last = 0;
  for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1)) {
    int number = 0;
    std::from_chars(text.data() + at + 1, text.data() + text.size(), number);
    last = std::max(last, number);
  }
  made.id_parameter = last + 1;
  const std::size_t name = Behind(text, "INSERT INTO ");
  made.table = text.substr(name, text.find(' ', name) - name);
  // From the end on, so that earlier places stay valid.
  text.insert(Behind(text, "VALUES ("), "$" + std::to_string(made.id_parameter) + ", ");
  text.insert(Behind(text, "("), "id, ");
  return made;
}

}  // namespace bindery::store
