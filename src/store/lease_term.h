#pragma once

#include <cstdint>
#include <string>

namespace bindery::store {

/// Names one term in one database.
struct LeaseTerm {
  std::string holder;
  std::int64_t epoch = 0;
  std::string table;  ///< As LeaseRow::table.
  /// As ReadSystem(), of the server that gave the lease.
  std::string system = {};
};

}  // namespace bindery::store
