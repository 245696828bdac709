#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/clock.h"
#include "store/sql/foreseen.h"
#include "store/sql/id_cache.h"
#include "store/sql/known_words.h"
#include "store/sql/millis.h"
#include "store/sql/parameters.h"
#include "store/sql/statement.h"

namespace bindery::store {

/// The writer's memory of given ids, to save queries. Has to be dropped whenever rows may have
/// gone: after a rollback, and after a sweep of unnamed rows. Not for readers, which learn of
/// neither.
struct WriterCaches {
  IdCache words;
  IdCache targets;
  RecentIds<512> names;
  RecentIds<64> policies;  ///< By digest.
  RepeatedTexts repeated;
  std::int64_t given_intents = 0;  ///< An id that was given; there may be higher ones.
  Foreseen foreseen;
};

/// A connection to the database of the store. Statements are of the SQL that all engines
/// understand, with the parameters ?1, ?2, … For a single thread at a time; all functions but the
/// destructor and Rollback() throw EngineError.
class Connection {
 public:
  Connection() = default;
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Prepared at its first use and then kept. The text's address is the key: constants only.
  [[nodiscard]] virtual Statement& Prepared(const char* sql) = 0;
  /// The same for an INSERT of one row whose id is to be known, without RETURNING.
  [[nodiscard]] virtual Statement& PreparedInsert(const char* sql) = 0;

  /// Begins a transaction that sees a single state of the database and writes nothing.
  virtual void BeginRead() = 0;
  /// Begins a transaction without disturbance by further writers.
  virtual void BeginWrite() = 0;
  /// Waits for deferred statements.
  virtual void Settle() = 0;
  /// Settles, and makes the written data durable.
  virtual void Commit() = 0;
  /// Undoes the transaction, if any.
  virtual void Rollback() noexcept = 0;
  // Singly, within a transaction.
  virtual void Savepoint() = 0;
  virtual void RollbackToSavepoint() = 0;
  virtual void ReleaseSavepoint() = 0;
  /// False once the database has undone the transaction by itself, as SQLite does when the disk is
  /// full.
  [[nodiscard]] virtual bool InTransaction() const = 0;
  /// Each question costs more than its answer: better to ask many at once.
  [[nodiscard]] virtual bool IsRemote() const = 0;
  /// What may be in the way of a statement must be read before it, as the transaction answers
  /// nothing after a failure. True only within a savepoint, where a change that failed is repeated.
  [[nodiscard]] virtual bool AsksBefore() const = 0;

  /// The highest id that was ever given to a row of `events` or `intents`; 0: none yet.
  [[nodiscard]] virtual std::int64_t LastGiven(const char* table) = 0;
  /// The last id up to which all events are known, because no running transaction gave the id; 0:
  /// none.
  [[nodiscard]] virtual std::int64_t LastEvent() = 0;

  /// To be called with what is changed of resources, targets and differences: see
  /// ReportReader::ContentVersion().
  void NoteContent() { content_changed_ = true; }
  /// Whether that was called since this was asked last.
  [[nodiscard]] bool TakeContentChange() { return std::exchange(content_changed_, false); }

  [[nodiscard]] WriterCaches& caches() { return caches_; }
  /// To be called after anything was undone or swept.
  void ForgetIds() {
    caches_ = {};
    words_.Forget();
  }
  [[nodiscard]] KnownWords& words() { return words_; }
  /// To be called when the transaction ends, and before anything that was not foreseen.
  void ForgetForeseen() { caches_.foreseen = {}; }

 private:
  WriterCaches caches_;
  KnownWords words_;
  bool content_changed_ = false;
};

/// Makes all reads of its lifetime see a single state of the database.
class ReadTransaction {
 public:
  explicit ReadTransaction(Connection& connection);
  ~ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

 private:
  Connection& connection_;
};

/// One execution of a prepared statement; the statement is free again at the end. Throws
/// EngineError.
class Query {
 public:
  /// Binds `values` to ?1, ?2, … Strings are not copied: they must outlive the query, so temporary
  /// strings are refused.
  template <typename... Values>
  Query(Connection& connection, const char* sql, Values&&... values)
      : Query(connection.Prepared(sql), std::forward<Values>(values)...) {}
  template <typename... Values>
  explicit Query(Statement& statement, Values&&... values) : statement_(statement) {
    static_assert((!std::is_same_v<Values, std::string> && ...), "would be gone before it is read");
    Parameters parameters(statement_);
    (parameters.Bind(values), ...);
  }
  ~Query() { statement_.Reset(); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  /// Goes to the next row; false if none exists.
  bool Next() { return statement_.Step(); }

  /// Runs a statement without rows and says how many rows it changed.
  std::int64_t Run();

  /// Runs it without rows and without waiting for the result: see Statement::Defer().
  void Defer() { statement_.Defer(); }

  [[nodiscard]] std::int64_t Insert() { return statement_.Insert(); }  ///< See Statement::Insert().

  [[nodiscard]] bool IsInt(int column) const { return statement_.IsInt(column); }
  [[nodiscard]] bool IsBlob(int column) const { return statement_.IsBlob(column); }
  [[nodiscard]] bool IsNull(int column) const { return statement_.IsNull(column); }
  [[nodiscard]] std::int64_t Int(int column) const { return statement_.Int(column); }
  [[nodiscard]] bool Bool(int column) const { return Int(column) != 0; }
  [[nodiscard]] WallTime Time(int column) const { return FromMillis(Int(column)); }
  /// The bytes of a text or blob, "" for NULL; valid until the next row.
  [[nodiscard]] std::string_view View(int column) const { return statement_.View(column); }
  [[nodiscard]] std::string Text(int column) const { return std::string(View(column)); }
  [[nodiscard]] std::string Digest(int column) const;  ///< What MakeDigest bound; "" for NULL.
  void Digest(int column, std::string& digest) const;  ///< The same, into a text that is there.

 private:
  Statement& statement_;
};

/// Runs a statement without rows, now or together with later ones of the transaction.
template <typename... Values>
void Run(Connection& connection, const char* sql, Values&&... values) {
  Query(connection, sql, std::forward<Values>(values)...).Defer();
}

/// Runs a statement without rows and says how many rows it changed.
template <typename... Values>
[[nodiscard]] std::int64_t RunCounting(Connection& connection, const char* sql,
                                       Values&&... values) {
  return Query(connection, sql, std::forward<Values>(values)...).Run();
}

/// Runs an INSERT of one row and returns the id.
template <typename... Values>
[[nodiscard]] std::int64_t Insert(Connection& connection, const char* sql, Values&&... values) {
  return Query(connection.PreparedInsert(sql), std::forward<Values>(values)...).Insert();
}

}  // namespace bindery::store
