#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "store/postgres/postgres_link.h"

namespace bindery::store {

/// Statements to send together.
class PostgresFlight {
 public:
  void Add(PostgresLink::Deferred statement) {
    for (const auto& value : statement.parameters.values) bytes_ += value.size();
    statements_.push_back(std::move(statement));
  }
  /// The statements are in memory until sent.
  [[nodiscard]] bool IsFull() const {
    constexpr std::size_t kMostStatements = 1024;
    constexpr std::size_t kMostBytes = std::size_t{4} << 20;
    return statements_.size() >= kMostStatements || bytes_ >= kMostBytes;
  }
  /// Leaves none.
  [[nodiscard]] std::vector<PostgresLink::Deferred> Take() {
    bytes_ = 0;
    return std::exchange(statements_, {});
  }
  void Drop() { static_cast<void>(Take()); }

 private:
  std::vector<PostgresLink::Deferred> statements_;
  std::size_t bytes_ = 0;
};

}  // namespace bindery::store
