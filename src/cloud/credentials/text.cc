#include "cloud/credentials/text.h"

#include <openssl/evp.h>

#include <algorithm>

#include "cloud/http_errors.h"

namespace bindery::cloud_internal {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool IsHeaderToken(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

std::string FormBody(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string body;
  for (const auto& [name, value] : fields) {
    body += (body.empty() ? "" : "&") + EncodeSegment(name) + "=" + EncodeSegment(value);
  }
  return body;
}

std::string Join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::string Base64(std::string_view bytes) {
  // One byte more than the text: OpenSSL ends it with a NUL.
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                  reinterpret_cast<const unsigned char*>(bytes.data()),
                  static_cast<int>(bytes.size()));
  text.pop_back();
  return text;
}

std::string Base64Url(std::string_view bytes) {
  std::string text = Base64(bytes);
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.resize(std::min(text.size(), text.find('=')));
  return text;
}

std::string Origin(const std::string& url) {
  const std::size_t scheme = url.find("://");
  return url.substr(0, url.find_first_of("/?#", scheme == std::string::npos ? 0 : scheme + 3));
}

std::string Redacted(std::string text, const std::vector<std::string>& secrets) {
  // Shorter ones are no secrets, and would tear words apart.
  constexpr std::size_t kShortest = 4;
  constexpr std::string_view kInstead = "[hidden]";
  for (const std::string& secret : secrets) {
    if (secret.size() < kShortest) continue;
    for (std::size_t at = 0; (at = text.find(secret, at)) != std::string::npos;) {
      text.replace(at, secret.size(), kInstead);
      at += kInstead.size();
    }
  }
  return text;
}

}  // namespace bindery::cloud_internal
