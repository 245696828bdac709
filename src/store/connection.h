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
#include "store/id_cache.h"

struct sqlite3_stmt;  // NOLINT(readability-identifier-naming): the library's spelling

namespace SQLite {  // NOLINT(readability-identifier-naming): the library's spelling
class Database;
}  // namespace SQLite

namespace bindery::store {

/// How the store keeps a time: whole milliseconds since 1970 (UTC), rounded down.
[[nodiscard]] std::int64_t ToMillis(WallTime time);
[[nodiscard]] WallTime FromMillis(std::int64_t millis);

/// What the writer remembers of the ids it gave, so that it need not ask SQLite for each. To be
/// forgotten whenever rows may have gone: when something was undone, when unnamed rows were swept.
struct WriterCaches {
  IdCache words;
  IdCache targets;
  RecentIds<512> names;
  RecentIds<64> policies;  ///< By digest.
  RepeatedTexts repeated;
};

/// One SQLite connection and the statements prepared on it so far. For one thread at a time.
class Connection {
 public:
  explicit Connection(std::unique_ptr<SQLite::Database> database);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] SQLite::Database& database() { return *database_; }
  [[nodiscard]] WriterCaches& caches() { return caches_; }

  /// Prepared at its first use and then kept. The text's address is the key: constants only.
  [[nodiscard]] sqlite3_stmt* Prepared(const char* sql);

  /// False once SQLite has undone the transaction by itself, as it does when the disk is full.
  [[nodiscard]] bool InTransaction() const;

  /// To be called after anything was undone or swept.
  void ForgetIds();

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };

  std::unique_ptr<SQLite::Database> database_;
  std::unordered_map<const char*, std::unique_ptr<sqlite3_stmt, Finalizer>> statements_;
  WriterCaches caches_;
};

/// Makes all that is read while it lives one state of the database.
class ReadTransaction {
 public:
  explicit ReadTransaction(Connection& connection);
  ~ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

 private:
  Connection& connection_;
};

/// Binds a digest as 32 bytes. A text that is none is bound as it is.
struct DigestOf {
  const std::string& text;
};

/// Binds bytes that need not be text.
struct BlobOf {
  std::string_view bytes;
};

/// Binds a text, or the same bytes as a blob.
struct TextOrBlob {
  std::string_view text;
  bool blob = false;
};

/// Binds the number of an interned word, or the text itself.
struct WordOrText {
  std::int64_t word = 0;  ///< 0: the text.
  std::string_view text;
};

/// One execution of a prepared statement, which is free for the next when this ends. Speaks to
/// SQLite's C functions, because SQLiteCpp's columns cost more than the reading. Throws what
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

  [[nodiscard]] bool IsInt(int column) const;
  [[nodiscard]] bool IsBlob(int column) const;
  [[nodiscard]] bool IsNull(int column) const;
  [[nodiscard]] std::int64_t Int(int column) const;
  [[nodiscard]] bool Bool(int column) const { return Int(column) != 0; }
  [[nodiscard]] WallTime Time(int column) const { return FromMillis(Int(column)); }
  /// The bytes of a text or blob, "" for NULL; valid until the next row.
  [[nodiscard]] std::string_view View(int column) const;
  [[nodiscard]] std::string Text(int column) const { return std::string(View(column)); }
  [[nodiscard]] std::string Digest(int column) const;  ///< What DigestOf bound; "" for NULL.
  void Digest(int column, std::string& digest) const;  ///< The same, into a text that is there.

 private:
  void Bind(int index, std::int64_t value);
  void Bind(int index, int value) { Bind(index, std::int64_t{value}); }
  void Bind(int index, bool value) { Bind(index, std::int64_t{value ? 1 : 0}); }
  void Bind(int index, WallTime value) { Bind(index, ToMillis(value)); }
  void Bind(int index, const std::string& value) { Bind(index, std::string_view(value)); }
  void Bind(int index, std::string_view value);
  void Bind(int index, const DigestOf& value);
  void Bind(int index, const BlobOf& value);
  void Bind(int index, const WordOrText& value);
  void Bind(int index, const TextOrBlob& value);
  void Bind(int index, const std::optional<std::int64_t>& value);

  Connection& connection_;
  sqlite3_stmt* const statement_;
};

/// Runs a statement without rows; the number of rows it changed.
template <typename... Values>
std::int64_t Run(Connection& connection, const char* sql, Values&&... values) {
  return Query(connection, sql, std::forward<Values>(values)...).Run();
}

/// The id SQLite gave to the row inserted last.
[[nodiscard]] std::int64_t LastId(Connection& connection);

}  // namespace bindery::store
