#include "sqlite/peek.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <exception>

#include "sqlite/database.h"

namespace bindery::sqlite {

Expected<bool> AnyRows(const std::string& path, const std::vector<std::string>& tables) {
  const std::string doing = "read \"" + path + "\"";
  try {
    SQLite::Database database(path, SQLite::OPEN_READONLY);
    for (const std::string& table : tables) {
      if (!database.tableExists(table)) return Fail(Code::kNotFound, doing + ": no " + table);
      SQLite::Statement rows(database, "SELECT EXISTS (SELECT 1 FROM \"" + table + "\")");
      if (rows.executeStep() && rows.getColumn(0).getInt() != 0) return true;
    }
    return false;
  } catch (const SQLite::Exception& failure) {
    if (failure.getErrorCode() == SQLITE_CANTOPEN) return Fail(Code::kNotFound, doing);
    return Fail(ToError(doing, failure));
  } catch (const std::exception& failure) {
    return Fail(ToError(doing, failure));
  }
}

}  // namespace bindery::sqlite
