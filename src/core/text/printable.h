#pragma once

#include <string>
#include <string_view>

namespace bindery {

// Foreign text on the way to a terminal, a log or a page. Steering characters (see Steers()) are
// shown as escapes, and so are bytes that are no UTF-8.

/// One piece of a line: controls as \x1b, others as \u202e or \U000e0041, broken bytes as \xff.
[[nodiscard]] std::string Printable(std::string_view text);

/// A whole output: the same, but line feeds, tabs and the colours that we set ourselves stay.
[[nodiscard]] std::string PrintableOutput(std::string_view text);

/// Valid JSON text: the same document, with \u202e and so on within its strings.
[[nodiscard]] std::string PrintableJson(std::string json);

/// A double-quoted scalar of YAML, or more of them; YAML has no pairs of surrogates.
[[nodiscard]] std::string PrintableYaml(std::string yaml);

}  // namespace bindery
