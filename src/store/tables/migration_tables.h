#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/sql/connection.h"

namespace bindery::store {

/// The origin of the row numbers of a table.
enum class Numbering : std::uint8_t {
  kNone,        ///< Nobody: the key is what the row is about.
  kCounted,     ///< The database.
  kNeverAgain,  ///< The database, and SQLite too gives no number twice.
};

/// A table that both engines have, by the same name and with columns of the same names.
struct SharedTable {
  const char* name = nullptr;
  const char* columns = nullptr;  ///< As in SQL, all of them, those of the key first.
  std::size_t key_columns = 1;
  Numbering numbering = Numbering::kNone;
};

/// All tables with the content of a store.
[[nodiscard]] std::span<const SharedTable> SharedTables();

/// The statements for one table. The texts must outlive the connections that prepare them.
struct TableStatements {
  explicit TableStatements(const SharedTable& table);

  std::size_t columns = 0;
  std::size_t key_columns = 0;
  std::string first_page;  ///< Its rows in the order of the key.
  std::string next_page;   ///< The same after a key.
  std::string insert;
  std::string clear;
};

/// The value of a column of a row.
struct StoredValue {
  enum class Kind : char { kNull = 'n', kInt = 'i', kText = 't', kBlob = 'b' };
  Kind kind = Kind::kNull;
  std::int64_t number = 0;
  std::string bytes;
};
using StoredRow = std::vector<StoredValue>;

/// Walks over the rows of a table in the order of its key, page by page. The order of texts differs
/// between engines, where they hold odd bytes, and is always the same in one of them. Throws
/// EngineError.
class RowReader {
 public:
  RowReader(Connection& connection, const TableStatements& statements)
      : connection_(connection), statements_(statements) {}

  /// The next row, valid until the next call; null at the end.
  [[nodiscard]] const StoredRow* Next();

 private:
  void ReadPage();

  Connection& connection_;
  const TableStatements& statements_;
  std::vector<StoredRow> page_;
  std::size_t at_ = 0;
  bool begun_ = false;
  bool ended_ = false;
};

/// Writes a row, at the latest with the end of the transaction.
void InsertRow(Connection& connection, const TableStatements& statements, const StoredRow& row);

}  // namespace bindery::store
