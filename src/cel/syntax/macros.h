#pragma once

#include <optional>

#include "cel/syntax/ast.h"
#include "cel/syntax/token.h"

namespace bindery::cel {

/// Makes a call a kMacro when its name, style and number of arguments match a macro; any other
/// number makes a plain call. An error when an argument lacks the macro's form: has() takes a
/// selection of a field, all further macros a simple name for their variable.
[[nodiscard]] std::optional<SyntaxError> MarkMacro(Expr& call);

}  // namespace bindery::cel
