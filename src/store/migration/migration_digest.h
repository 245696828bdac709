#pragma once

#include <array>
#include <cstdint>

#include "store/tables/migration_tables.h"

namespace bindery::store {

/// What two tables of different engines have in common when they hold the same rows, in whatever
/// order: their number, and the sum of the rows' SHA-256 digests.
class TableDigest {
 public:
  void Add(const StoredRow& row);

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  bool operator==(const TableDigest&) const = default;

 private:
  std::int64_t rows_ = 0;
  std::array<std::uint64_t, 4> sum_{};
};

/// Of all rows of a table.
[[nodiscard]] TableDigest DigestOfTable(Connection& connection, const TableStatements& statements);

}  // namespace bindery::store
