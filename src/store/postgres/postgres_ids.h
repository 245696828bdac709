#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/postgres/postgres_link.h"

namespace bindery::store {

/// Ids for future rows, drawn from the sequences of their tables, many at once: an INSERT with an
/// id needs no answer. Unused ids at the end are never given.
class PostgresIds {
 public:
  /// Draws more when none is left. Throws EngineError.
  [[nodiscard]] std::int64_t Next(PostgresLink& link, const std::string& table);

  /// The last id of Next(), or a higher unused id; 0: unknown.
  [[nodiscard]] std::int64_t LastGiven(const std::string& table) const;

  /// Call when the server may have been replaced by a server that gives the same ids again.
  void Forget() { drawn_.clear(); }

 private:
  struct Drawn {
    std::vector<std::int64_t> ids;
    std::size_t next = 0;
  };

  static void Draw(PostgresLink& link, const std::string& table, Drawn& drawn);

  std::unordered_map<std::string, Drawn> drawn_;  ///< By table.
};

}  // namespace bindery::store
