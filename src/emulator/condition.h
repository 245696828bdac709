#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bindery::emulator {

/// What the service's linter says of an expression: "LintValidationUnits/<Check> Error: <text>".
/// Nothing when it finds nothing. Reads tokens and brackets, not types: enough to refuse what is
/// plainly broken or too long, as setIamPolicy does.
[[nodiscard]] std::optional<std::string> LintCondition(std::string_view expression);

/// How many `&&` and `||` stand outside of strings and comments.
[[nodiscard]] std::size_t CountLogicalOperators(std::string_view expression);

}  // namespace bindery::emulator
