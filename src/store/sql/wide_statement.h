#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "store/sql/connection.h"
#include "store/sql/parameters.h"
#include "store/sql/statement.h"

namespace bindery::store {

/// One statement with a list of parameters, "… IN (?2, ?3, …)", in several widths: over a network
/// each statement costs, whatever it does. To be kept as long as connections are, which know
/// statements by the address of their text: static.
class WideStatement {
 public:
  struct Width {
    std::size_t count = 0;  ///< Of the parameters in the list. All must be bound: repeat the last.
    std::string sql;
  };

  /// `first`: the number of the first parameter in the list. "(" and ")" are added.
  WideStatement(std::string_view before, int first) {
    constexpr std::array<std::size_t, 5> kCounts = {1, 8, 32, 128, 512};
    for (std::size_t i = 0; i < kCounts.size(); ++i) widths_[i] = Of(before, first, kCounts[i]);
  }

  /// The narrowest that takes `count`, or else the widest.
  [[nodiscard]] const Width& For(std::size_t count) const {
    const auto* const fits =
        std::find_if(widths_.begin(), widths_.end(),
                     [count](const Width& width) { return width.count >= count; });
    return fits == widths_.end() ? widths_.back() : *fits;
  }

 private:
  static Width Of(std::string_view before, int first, std::size_t count) {
    Width width{count, std::string(before) + "("};
    for (std::size_t i = 0; i < count; ++i) {
      width.sql += (i == 0 ? "?" : ", ?") + std::to_string(static_cast<std::size_t>(first) + i);
    }
    width.sql += ")";
    return width;
  }

  std::array<Width, 5> widths_;
};

/// One execution of such a statement; the statement is free again at the end.
class WideExecution {
 public:
  WideExecution(Connection& connection, const WideStatement::Width& width)
      : statement_(connection.Prepared(width.sql.c_str())) {}
  ~WideExecution() { statement_.Reset(); }
  WideExecution(const WideExecution&) = delete;
  WideExecution& operator=(const WideExecution&) = delete;

  Statement* operator->() { return &statement_; }

 private:
  Statement& statement_;
};

/// Runs a statement whose only parameters are its list over all of `values`, and gives each row to
/// `take`, which must not run the same statement. Throws EngineError.
template <typename Value, typename Take>
void ForEachRow(Connection& connection, const WideStatement& statement,
                std::span<const Value> values, const Take& take) {
  while (!values.empty()) {
    const WideStatement::Width& width = statement.For(values.size());
    const std::size_t count = std::min(values.size(), width.count);
    Statement& prepared = connection.Prepared(width.sql.c_str());
    Query rows(prepared);
    Parameters list(prepared);
    for (std::size_t i = 0; i < width.count; ++i) list.Bind(values[std::min(i, count - 1)]);
    while (rows.Next()) take(rows);
    values = values.subspan(count);
  }
}

}  // namespace bindery::store
