#include "store/connection.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <tuple>
#include <utility>

namespace bindery::store {

std::int64_t ToMillis(WallTime time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

WallTime FromMillis(std::int64_t millis) { return WallTime(std::chrono::milliseconds(millis)); }

Connection::Connection(std::unique_ptr<SQLite::Database> database)
    : database_(std::move(database)) {}

Connection::~Connection() = default;

SQLite::Statement& Connection::Prepared(const char* sql) {
  std::unique_ptr<SQLite::Statement>& statement = statements_[sql];
  if (statement == nullptr) statement = std::make_unique<SQLite::Statement>(*database_, sql);
  return *statement;
}

bool Connection::InTransaction() const {
  return sqlite3_get_autocommit(database_->getHandle()) == 0;
}

Query::~Query() {
  // The result only repeats the failure of the execution before, which was thrown already.
  std::ignore = statement_.tryReset();
}

bool Query::Next() { return statement_.executeStep(); }

std::int64_t Query::Run() {
  statement_.exec();
  return connection_.database().getChanges();
}

std::int64_t Query::Int(int column) const { return statement_.getColumn(column).getInt64(); }

std::optional<WallTime> Query::OptionalTime(int column) const {
  const SQLite::Column value = statement_.getColumn(column);
  if (value.isNull()) return std::nullopt;
  return FromMillis(value.getInt64());
}

std::string Query::Text(int column) const { return statement_.getColumn(column).getString(); }

void Query::Bind(int index, std::int64_t value) { statement_.bind(index, value); }

void Query::Bind(int index, const std::string& value) { statement_.bindNoCopy(index, value); }

void Query::Bind(int index, std::string_view value) { statement_.bind(index, std::string(value)); }

void Query::Bind(int index, const NullIfEmpty& value) {
  if (value.text.empty()) {
    statement_.bind(index);
  } else {
    statement_.bindNoCopy(index, value.text);
  }
}

std::int64_t LastId(Connection& connection) { return connection.database().getLastInsertRowid(); }

}  // namespace bindery::store
