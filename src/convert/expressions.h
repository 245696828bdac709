#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "manifests/schema/expression.h"

namespace bindery::convert {

// Texts of other tools' programs, as templates. Only references can be carried over: what holds an
// operator, a call or a condition is a fault.

/// `${…}` is an expression and `$$` a literal "$".
[[nodiscard]] tl::expected<manifests::Template, manifests::TextFault> ParsePulumiText(
    std::string_view text);

/// `${…}` is an expression, `$${` a literal "${" and `%%{` a literal "%{"; `%{…}` is a fault.
[[nodiscard]] tl::expected<manifests::Template, manifests::TextFault> ParseTerraformText(
    std::string_view text);

/// A text in the form of a manifest: "${" becomes "$${".
[[nodiscard]] std::string EscapedText(std::string_view text);

}  // namespace bindery::convert
