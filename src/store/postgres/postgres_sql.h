#pragma once

#include <string>
#include <string_view>

namespace bindery::store {

/// A statement in the SQL of all engines, as PostgreSQL takes it.
struct PostgresSql {
  std::string text;  ///< Parameters are $1, $2, …
  // For an INSERT with a given id:
  std::string table = {};
  int id_parameter = 0;  ///< 0: it is given none.
};

/// `sql` has parameters ?1, ?2, …
[[nodiscard]] PostgresSql ForPostgres(std::string_view sql);

/// The same for "INSERT INTO table (columns) VALUES (values)", with the id as a further column and
/// value.
[[nodiscard]] PostgresSql InsertForPostgres(std::string_view sql);

}  // namespace bindery::store
