#include "store/migration/migration_digest.h"

#include "core/text/digest.h"

namespace bindery::store {

void TableDigest::Add(const StoredRow& row) {
  // Unambiguous: each value with its type and its length.
  std::string text;
  for (const StoredValue& value : row) {
    text += static_cast<char>(value.kind);
    text += std::to_string(value.kind == StoredValue::Kind::kInt
                               ? value.number
                               : static_cast<std::int64_t>(value.bytes.size()));
    text += ':';
    text += value.bytes;
  }
  const Sha256Digest digest = Sha256Digest::Of(text);
  for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
    const std::uint64_t byte = digest.bytes[i];
    sum_[i / 8] += byte << (8 * (i % 8));
  }
  ++rows_;
}

TableDigest DigestOfTable(Connection& connection, const TableStatements& statements) {
  TableDigest digest;
  RowReader reader(connection, statements);
  while (const StoredRow* row = reader.Next()) digest.Add(*row);
  return digest;
}

}  // namespace bindery::store
