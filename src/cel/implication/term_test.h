#pragma once

// Private to src/cel/implication.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cel/implication/truth.h"
#include "cel/syntax/ast.h"

namespace bindery::cel {

/// Any text that no test equals, and of whose tests for a beginning and an end these are the
/// longest that hold; empty: none holds.
struct OtherText {
  std::string begin;
  std::string end;
};
/// The term has no value, and its use fails.
struct NoValue {};
using TermValue = std::variant<std::int64_t, std::string, OtherText, NoValue>;

/// A constant of a test.
using TestConstant = std::variant<std::int64_t, std::string>;

/// `term OPERATOR constant`, `term in [constants]` or `term.startsWith(constant)`.
struct TermTest {
  const Expr* term = nullptr;
  std::string_view name;  ///< As in Expr::name.
  std::vector<TestConstant> constants;
};

/// The test that an expression is; nothing for any other expression. Constants may be expressions
/// without names.
[[nodiscard]] std::optional<TermTest> TestIn(const Expr& expr);

[[nodiscard]] bool IsPartTest(const TermTest& test);

/// The outcome of the test if the term has the value.
[[nodiscard]] Truth Judge(const TermTest& test, const TermValue& value);

}  // namespace bindery::cel
