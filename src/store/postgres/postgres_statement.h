#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "store/postgres/postgres_connection.h"
#include "store/sql/statement.h"

namespace bindery::store {

/// A statement, prepared under a separate name unless through a pooler. All rows of a result are in
/// memory.
class PostgresStatement final : public Statement {
 public:
  PostgresStatement(PostgresConnection& connection, PostgresSql sql, std::string name)
      : connection_(connection),
        name_(std::move(name)),
        table_(std::move(sql.table)),
        id_parameter_(sql.id_parameter) {
    sql_ = std::move(sql.text);
  }

  /// Prepares the statement unless the session has it.
  void Prepare(PostgresLink& link, const PostgresSession& session);

  void BindInt(int index, std::int64_t value) override;
  void BindText(int index, std::string_view value) override;
  void BindBlob(int index, std::string_view value) override;
  void BindCopy(int index, std::string_view blob) override { BindBlob(index, blob); }
  void BindNull(int index) override;

  bool Step() override;
  [[nodiscard]] std::int64_t Changed() const override;
  void Defer() override;
  /// Deferred: the result is known when settled.
  [[nodiscard]] std::int64_t Insert() override;
  void Reset() override;

  [[nodiscard]] bool IsInt(int column) const override;
  [[nodiscard]] bool IsBlob(int column) const override;
  [[nodiscard]] bool IsNull(int column) const override;
  [[nodiscard]] std::int64_t Int(int column) const override;
  [[nodiscard]] std::string_view View(int column) const override;

 private:
  [[nodiscard]] unsigned GetType(int index) const;
  void Set(int index, std::string value);
  [[nodiscard]] std::string_view Bytes(int column) const;
  [[nodiscard]] bool IsTagged(int column, char tag) const;

  PostgresConnection& connection_;
  const std::string name_;
  const std::string table_;  ///< Of an INSERT that is given an id.
  const int id_parameter_;
  std::string sql_;
  std::uint64_t session_ = 0;  ///< Its number.
  PostgresText text_;
  PostgresParameters parameters_;
  PostgresResult result_;
  int row_ = -1;
  mutable std::deque<std::string> unescaped_;  ///< Of this row.
};

}  // namespace bindery::store
