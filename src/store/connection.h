#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "core/clock.h"

namespace SQLite {  // NOLINT(readability-identifier-naming): the library's spelling
class Database;
class Statement;
}  // namespace SQLite

namespace bindery::store {

/// How the store keeps a time: whole milliseconds since 1970 (UTC), rounded down.
[[nodiscard]] std::int64_t ToMillis(WallTime time);
[[nodiscard]] WallTime FromMillis(std::int64_t millis);

/// One SQLite connection and the statements prepared on it so far. For one thread at a time.
class Connection {
 public:
  explicit Connection(std::unique_ptr<SQLite::Database> database);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] SQLite::Database& database() { return *database_; }

  /// Prepared at its first use and then kept. The text's address is the key: constants only.
  [[nodiscard]] SQLite::Statement& Prepared(const char* sql);

  /// False once SQLite has undone the transaction by itself, as it does when the disk is full.
  [[nodiscard]] bool InTransaction() const;

 private:
  std::unique_ptr<SQLite::Database> database_;
  std::unordered_map<const char*, std::unique_ptr<SQLite::Statement>> statements_;
};

/// Binds "" as NULL: how a text that names nothing is kept in a column with a foreign key.
struct NullIfEmpty {
  const std::string& text;
};

/// One execution of a prepared statement, which is free for the next when this ends. Throws what
/// SQLiteCpp throws.
class Query {
 public:
  /// Binds `values` to ?1, ?2, … Strings are not copied: they must outlive the query, which is why
  /// temporary ones are refused.
  template <typename... Values>
  Query(Connection& connection, const char* sql, Values&&... values)
      : connection_(connection), statement_(connection.Prepared(sql)) {
    static_assert((!std::is_same_v<Values, std::string> && ...), "would be gone before it is read");
    int index = 0;
    (Bind(++index, values), ...);
  }
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  /// Goes to the next row; false when there is none.
  bool Next();

  /// Runs a statement without rows and says how many rows it changed.
  std::int64_t Run();

  [[nodiscard]] std::int64_t Int(int column) const;
  [[nodiscard]] bool Bool(int column) const { return Int(column) != 0; }
  [[nodiscard]] WallTime Time(int column) const { return FromMillis(Int(column)); }
  [[nodiscard]] std::optional<WallTime> OptionalTime(int column) const;
  [[nodiscard]] std::string Text(int column) const;  ///< "" for NULL.

 private:
  void Bind(int index, std::int64_t value);
  void Bind(int index, int value) { Bind(index, std::int64_t{value}); }
  void Bind(int index, bool value) { Bind(index, std::int64_t{value ? 1 : 0}); }
  void Bind(int index, WallTime value) { Bind(index, ToMillis(value)); }
  void Bind(int index, const std::string& value);
  void Bind(int index, std::string_view value);  ///< Copied: for the spellings of enumerators.
  void Bind(int index, const NullIfEmpty& value);

  Connection& connection_;
  SQLite::Statement& statement_;
};

/// Runs a statement without rows; the number of rows it changed.
template <typename... Values>
std::int64_t Run(Connection& connection, const char* sql, Values&&... values) {
  return Query(connection, sql, std::forward<Values>(values)...).Run();
}

/// The id SQLite gave to the row inserted last.
[[nodiscard]] std::int64_t LastId(Connection& connection);

}  // namespace bindery::store
