#pragma once

#include <cstdint>
#include <string_view>

namespace bindery::store {

/// A statement prepared on a connection, which keeps it. For a single thread at a time; all
/// functions throw EngineError.
///
/// The content of a column: an integer, a text, bytes (a blob) or nothing (NULL). Texts may hold
/// any byte. A column that may hold integers and texts, or texts and blobs, tells them apart.
class Statement {
 public:
  Statement() = default;
  virtual ~Statement() = default;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Parameters are numbered from 1. What is bound must stay until Reset().
  virtual void BindInt(int index, std::int64_t value) = 0;
  virtual void BindText(int index, std::string_view value) = 0;
  virtual void BindBlob(int index, std::string_view value) = 0;
  virtual void BindCopy(int index, std::string_view blob) = 0;  ///< A short one that need not stay.
  virtual void BindNull(int index) = 0;

  /// Goes to the next row; false if none exists.
  virtual bool Step() = 0;
  /// After the last Step(): how many rows it inserted, updated or deleted.
  [[nodiscard]] virtual std::int64_t Changed() const = 0;
  /// Carries the statement out before the next stepped statement or the end of the transaction; the
  /// result is known then.
  virtual void Defer() = 0;
  /// Carries out what Connection::PreparedInsert() prepared, and gives the id of the row.
  [[nodiscard]] virtual std::int64_t Insert() = 0;
  /// Ends the execution. Must not fail.
  virtual void Reset() = 0;

  // Of the row gone to; columns are numbered from 0.
  [[nodiscard]] virtual bool IsInt(int column) const = 0;
  [[nodiscard]] virtual bool IsBlob(int column) const = 0;
  [[nodiscard]] virtual bool IsNull(int column) const = 0;
  [[nodiscard]] virtual std::int64_t Int(int column) const = 0;
  /// The bytes of a text or blob, "" for NULL; valid until the next row.
  [[nodiscard]] virtual std::string_view View(int column) const = 0;
};

}  // namespace bindery::store
