#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bindery {

/// With padding.
[[nodiscard]] std::string EncodeBase64(std::string_view bytes);

/// With or without padding; nothing when the text is no base64.
[[nodiscard]] std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace bindery
