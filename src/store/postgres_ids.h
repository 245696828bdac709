#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/postgres_link.h"

namespace bindery::store {

/// Ids for rows to come, drawn from the sequences of their tables, many at once: an INSERT that
/// brings its id need not be answered. Those that are left at the end are never given.
class PostgresIds {
 public:
  /// Draws more when none is left. Throws EngineError.
  [[nodiscard]] std::int64_t Next(PostgresLink& link, const std::string& table);

  /// The last one that Next() gave, or a higher one that it never gives; 0 when that is not known.
  [[nodiscard]] std::int64_t LastGiven(const std::string& table) const;

  /// Where the server may have become a different one, which gives the same ids to others.
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
