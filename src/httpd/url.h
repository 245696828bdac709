#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bindery::httpd {

/// The text with %XX replaced. Nothing for a broken escape or an encoded NUL.
[[nodiscard]] std::optional<std::string> PercentDecode(std::string_view text,
                                                       bool plus_is_space = false);

/// Everything but RFC 3986 unreserved characters and those in `keep` as %XX.
[[nodiscard]] std::string PercentEncode(std::string_view text, std::string_view keep = "");

/// "a=1&b=x%20y" in order, decoded; a parameter without '=' has an empty value. Nothing for a
/// broken escape.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, std::string>>> ParseQuery(
    std::string_view text);

}  // namespace bindery::httpd
