#pragma once

#include <string_view>

#include "cel/syntax/token.h"

namespace bindery::cel {

/// Splits an expression into tokens. They point into the source. What is no token is skipped and
/// reported; after some ten errors the rest is not read.
[[nodiscard]] Tokens Tokenize(std::string_view source, std::size_t max_code_points);

/// Whether a name can be written without back quotes: letters, digits and '_', and none of the
/// words true, false, null and in.
[[nodiscard]] bool IsPlainName(std::string_view name);

}  // namespace bindery::cel
