// The floor of a restart's memory: every column of every row of some tables, read once.

#include "floor.h"
#include "sqlite_handle.h"

namespace {

constexpr const char* kUsage =
    "usage: read_rows FILE TABLE...\n"
    "Reads all columns of all rows of these tables once; tables that are not there count as "
    "empty.\n"
    "Prints {items, wallSeconds, cpuSeconds, bytes}.\n";

bool Exists(floors::Database& database, const std::string& table) {
  sqlite3_stmt* look = database.Prepare("SELECT 1 FROM sqlite_master WHERE name = ?1");
  sqlite3_bind_text(look, 1, table.data(), static_cast<int>(table.size()), SQLITE_STATIC);
  const bool found = sqlite3_step(look) == SQLITE_ROW;
  sqlite3_finalize(look);
  return found;
}

/// Fetches every value, as a user of them would.
std::size_t TouchColumns(sqlite3_stmt* row) {
  std::size_t bytes = 0;
  for (int column = sqlite3_column_count(row) - 1; column >= 0; --column) {
    const int type = sqlite3_column_type(row, column);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
      sqlite3_column_blob(row, column);
      bytes += static_cast<std::size_t>(sqlite3_column_bytes(row, column));
    } else {
      bytes += sqlite3_column_int64(row, column) == 0 ? 1U : 8U;
    }
  }
  return bytes;
}

nlohmann::ordered_json Measure(const floors::Arguments& arguments) {
  if (arguments.plain().size() < 2) throw std::invalid_argument("give a file and its tables");
  const floors::Stopwatch watch;
  floors::Database database(arguments.plain().front(), SQLITE_OPEN_READONLY);
  std::size_t rows = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 1; i < arguments.plain().size(); ++i) {
    if (!Exists(database, arguments.plain()[i])) continue;
    sqlite3_stmt* select = database.Prepare("SELECT * FROM \"" + arguments.plain()[i] + "\"");
    for (; sqlite3_step(select) == SQLITE_ROW; ++rows) bytes += TouchColumns(select);
    sqlite3_finalize(select);
  }
  nlohmann::ordered_json result = floors::Result(rows, watch);
  result["bytes"] = bytes;
  return result;
}

}  // namespace

int main(int count, char** words) { return floors::Main(count, words, kUsage, Measure); }
