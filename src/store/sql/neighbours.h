#pragma once

#include <algorithm>
#include <cstdint>

#include "store/sql/connection.h"

namespace bindery::store {

/// Rows that are read by id, each at its first use. Over a network the neighbouring rows are read
/// together, the more the more rows were needed so far: ids that are used together were mostly
/// given together. For a single read.
class Neighbours {
 public:
  struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };

  [[nodiscard]] Range Of(const Connection& connection, std::int64_t id) {
    constexpr std::int64_t kMost = 256;
    const std::int64_t reach = reach_;
    if (connection.IsRemote()) reach_ = std::min(2 * reach_ + 1, kMost);
    return {id - reach, id + reach};
  }

 private:
  std::int64_t reach_ = 0;
};

}  // namespace bindery::store
