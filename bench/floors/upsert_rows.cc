// The floor of recording a pass: N rows upserted in one transaction of a WAL database.

#include "floor.h"
#include "sqlite_handle.h"

namespace {

constexpr const char* kUsage =
    "usage: upsert_rows FILE --rows N [--bytes B]\n"
    "Upserts N rows with a body of B bytes (411) in one transaction (WAL, synchronous FULL).\n"
    "A second time it changes the same rows. Prints {items, wallSeconds, cpuSeconds}.\n";

nlohmann::ordered_json Measure(const floors::Arguments& arguments) {
  if (arguments.plain().size() != 1) throw std::invalid_argument("give one file");
  const std::size_t rows = arguments.Number("rows", 10'000);
  floors::Database database(arguments.plain().front(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  database.Execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  database.Execute("CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)");
  const std::string body(arguments.Number("bytes", 411), 'x');
  const floors::Stopwatch watch;
  database.Execute("BEGIN IMMEDIATE");
  sqlite3_stmt* upsert = database.Prepare(
      "INSERT INTO rows VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET body = excluded.body");
  for (std::size_t row = 0; row < rows; ++row) {
    sqlite3_bind_int64(upsert, 1, static_cast<sqlite3_int64>(row));
    sqlite3_bind_text(upsert, 2, body.data(), static_cast<int>(body.size()), SQLITE_STATIC);
    if (sqlite3_step(upsert) != SQLITE_DONE) throw std::runtime_error("upsert failed");
    sqlite3_reset(upsert);
  }
  sqlite3_finalize(upsert);
  database.Execute("COMMIT");
  return floors::Result(rows, watch);
}

}  // namespace

int main(int count, char** words) { return floors::Main(count, words, kUsage, Measure); }
