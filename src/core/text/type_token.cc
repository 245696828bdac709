#include "core/text/type_token.h"

#include <cctype>

namespace bindery {

std::optional<TypeToken> ParseTypeToken(std::string_view text) {
  const auto last = text.rfind(':');
  if (last == std::string_view::npos) {
    if (text.empty()) return std::nullopt;
    return TypeToken{"", std::string(text)};
  }
  TypeToken token{std::string(text.substr(0, last)), std::string(text.substr(last + 1))};
  if (token.api_version.empty() || token.kind.empty()) return std::nullopt;
  const auto first = token.api_version.find(':');
  if (first == std::string::npos) return token;
  const std::string module = token.api_version.substr(first + 1);
  std::string repeated = token.kind;
  repeated[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(repeated[0])));
  if (module == "index" || module == "index/" + repeated) token.api_version.resize(first);
  return token;
}

}  // namespace bindery
