#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cel/syntax/ast.h"
#include "cel/syntax/token.h"
#include "core/base/expected.h"

namespace bindery::cel {

/// Limits of an expression, so that no expression exhausts memory or stack.
struct Limits {
  std::size_t max_code_points = std::size_t{64} * 1024;
  /// Of brackets within one another, and of the tree. Terms of `&&` and `||` make a balanced tree
  /// and may be many; other operators in a row each add a level.
  int max_depth = 250;
};

struct ParseResult {
  ExprPtr tree;                     ///< Null when there are errors.
  std::vector<SyntaxError> errors;  ///< In the order of their places.

  /// "ERROR: <input>:1:4: Syntax error: …" with source and caret, for every error.
  [[nodiscard]] std::string ErrorTexts(std::string_view source,
                                       std::string_view name = "<input>") const;
};

/// Reads an expression. Reports all invalid tokens, else the first mistake of grammar, with all
/// reserved names, numbers that do not fit and malformed macros.
[[nodiscard]] ParseResult ParseAll(std::string_view source, const Limits& limits = {});

/// The same with the errors as a single kInvalidArgument: all texts, each with an excerpt.
[[nodiscard]] Expected<ExprPtr> Parse(std::string_view source, const Limits& limits = {});

/// How a row of terms under `&&` or `||` is made a tree: how many of them are on the left.
[[nodiscard]] constexpr std::size_t TermsToTheLeft(std::size_t terms) {
  return (terms - 1) / 2 + 1;
}

}  // namespace bindery::cel
