#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cel/syntax/ast.h"

namespace bindery::cel {

/// "request.time" of names joined by dots, a leading dot left out; nothing of anything else.
[[nodiscard]] std::optional<std::string> MakePath(const Expr& expr);

/// Whether the expression is the path.
[[nodiscard]] bool IsPath(const Expr& expr, std::string_view path);

/// Whether the expression is a call of the function or operator with the number of arguments.
[[nodiscard]] bool IsCall(const Expr& expr, std::string_view name, std::size_t arguments);

/// The string of a literal; null when it is none.
[[nodiscard]] const std::string* StringLiteral(const Expr& expr);

}  // namespace bindery::cel
