#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace bindery::testing {

/// The store as a released version left it, as SQL: schemas/v1.sql and so on.
[[nodiscard]] inline std::string StoreAsSql(int version) {
  std::ifstream in(BINDERY_SOURCE_DIR "/tests/unit/store/schemas/v" + std::to_string(version) +
                   ".sql");
  if (!in) throw std::runtime_error("no store of version " + std::to_string(version));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Makes that store.
inline void BuildStore(const std::string& path, int version) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(StoreAsSql(version));
}

}  // namespace bindery::testing
