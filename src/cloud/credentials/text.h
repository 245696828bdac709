#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bindery::cloud {

/// Without the white space at both ends.
[[nodiscard]] std::string_view Trimmed(std::string_view text);

/// ASCII letters in lower case, whatever the locale.
[[nodiscard]] std::string LowerCase(std::string_view text);

/// True for printable ASCII without spaces: allowed in a header unchanged.
[[nodiscard]] bool IsHeaderToken(std::string_view text);

/// `a=1&b=x%20y`.
[[nodiscard]] std::string FormBody(const std::vector<std::pair<std::string, std::string>>& fields);

[[nodiscard]] std::string Join(const std::vector<std::string>& parts, std::string_view separator);

/// "https://host:port" of a URL: what a message may contain.
[[nodiscard]] std::string Origin(const std::string& url);

/// `text` with every occurrence of each secret replaced, also percent-encoded as in a URL or a
/// form, or escaped as in a JSON string. Secrets shorter than 6 characters are left: they would
/// tear words apart. For a server's messages: a server may repeat the request.
[[nodiscard]] std::string Redacted(std::string_view text, const std::vector<std::string>& secrets);

}  // namespace bindery::cloud
