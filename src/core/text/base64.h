#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bindery {

/// With padding.
[[nodiscard]] std::string EncodeBase64(std::string_view bytes);

/// With or without padding; nothing when the text is no base64.
[[nodiscard]] std::optional<std::string> DecodeBase64(std::string_view text);

/// Base64 with `-` and `_`, without padding: what a JWT is made of.
[[nodiscard]] std::string EncodeBase64Url(std::string_view bytes);

/// Nothing for the other alphabet, for padding, and for no base64.
[[nodiscard]] std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace bindery
