#pragma once

#include <cstdint>
#include <string>

namespace bindery::store {

/// The name of a term in a database.
struct LeaseTerm {
  std::string holder;
  std::int64_t epoch = 0;
  std::string table;  ///< As LeaseRow::table.
  /// As ReadSystem(), of the server that gave the lease.
  std::string system = {};
};

}  // namespace bindery::store
