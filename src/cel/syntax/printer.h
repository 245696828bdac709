#pragma once

#include <string>

#include "cel/syntax/ast.h"

namespace bindery::cel {

/// The expression as text that parses to the same tree: one blank around binary operators, as few
/// brackets as the grammar allows, strings in double quotes.
[[nodiscard]] std::string Print(const Expr& expr);

/// A string as a literal in double quotes.
[[nodiscard]] std::string QuotedLiteral(std::string_view text);

}  // namespace bindery::cel
