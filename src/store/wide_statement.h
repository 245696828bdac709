#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "store/connection.h"
#include "store/statement.h"

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
    constexpr std::array<std::size_t, 4> kCounts = {1, 8, 64, 512};
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

  std::array<Width, 4> widths_;
};

/// One execution of such a statement, which is free for the next when this ends.
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

}  // namespace bindery::store
