#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace bindery::manifests {

// Templates of resource names: "projects/{project}/topics/{topic}". What follows "=" in braces is
// no part of the variable. Pure.

/// The variables, in order.
[[nodiscard]] std::vector<std::string> VariablesIn(std::string_view name_template);

/// The value of a variable; null: no such variable. `last`: of the last variable.
using ValueOfVariable = std::function<const std::string*(const std::string& variable, bool last)>;

/// The name with the values in place of the variables. Without a project it begins behind
/// "projects/{project}/", where a default one completes it. An error: the variable without a
/// value.
[[nodiscard]] tl::expected<std::string, std::string> FilledTemplate(
    std::string_view name_template, const ValueOfVariable& value_of);

}  // namespace bindery::manifests
