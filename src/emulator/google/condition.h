#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bindery::emulator {

/// What the service's linter refuses an expression with: "LintValidationUnits/<Check> Error:
/// <text>". Nothing when the service takes it, also with warnings.
[[nodiscard]] std::optional<std::string> LintCondition(std::string_view expression);

}  // namespace bindery::emulator
