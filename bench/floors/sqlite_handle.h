#pragma once

#include <sqlite3.h>

#include <stdexcept>
#include <string>

namespace floors {

/// One connection by the C interface.
class Database {
 public:
  Database(const std::string& path, int flags) {
    if (sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr) != SQLITE_OK) Throw("open " + path);
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void Execute(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) Throw(sql);
  }
  /// The caller finalizes it.
  sqlite3_stmt* Prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) Throw(sql);
    return statement;
  }

 private:
  void Throw(const std::string& doing) {
    throw std::runtime_error(doing + ": " + sqlite3_errmsg(handle_));
  }

  sqlite3* handle_ = nullptr;
};

}  // namespace floors
