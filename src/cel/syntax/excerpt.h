#pragma once

#include <string>
#include <string_view>

#include "cel/syntax/ast.h"

namespace bindery::cel {

/// The line at the place and a caret under it, as the service shows them, without a line break at
/// the end:
///
///      | request.tme < x
///      | ........^
///
/// (the lines begin with one blank). Tabs stay tabs, so that the caret is in the right place; a
/// long line is cut around the place.
[[nodiscard]] std::string Excerpt(std::string_view source, const Position& at);

/// "ERROR: <input>:1:4: message" with the excerpt below.
[[nodiscard]] std::string ErrorText(std::string_view source, const Position& at,
                                    std::string_view message, std::string_view name = "<input>");

}  // namespace bindery::cel
