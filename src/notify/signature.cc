#include "notify/signature.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <utility>

#include "cloud/credentials/text.h"
#include "core/text/base64.h"

namespace bindery::notify {
namespace {

constexpr std::size_t kShortestKey = 24;
constexpr std::size_t kLongestKey = 64;

std::string HmacSha256(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
  unsigned int size = 0;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): OpenSSL's idea of bytes
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  ::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, text.size(), mac.data(),
         &size);
  return {mac.begin(), mac.begin() + size};
}

}  // namespace

Expected<std::vector<std::string>> ParseSecrets(std::string_view text) {
  constexpr std::string_view kPrefix = "whsec_";
  std::vector<std::string> keys;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = cloud::Trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const std::string_view encoded = line.starts_with(kPrefix) ? line.substr(kPrefix.size()) : "";
    auto key = DecodeBase64(encoded);
    if (!key || key->size() < kShortestKey || key->size() > kLongestKey) {
      return Fail(Code::kInvalidArgument,
                  "line " + std::to_string(number) +
                      " is no signing secret: expected whsec_ and base64 of 24 to 64 bytes");
    }
    keys.push_back(std::move(*key));
  }
  if (keys.empty()) return Fail(Code::kInvalidArgument, "holds no signing secret");
  return keys;
}

std::string Signature(const SignedContent& content, const std::vector<std::string>& keys) {
  std::string text(content.id);
  text += "." + std::to_string(content.timestamp) + ".";
  text += content.body;
  std::string signatures;
  for (const std::string& key : keys) {
    signatures += (signatures.empty() ? "v1," : " v1,") + EncodeBase64(HmacSha256(key, text));
  }
  return signatures;
}

cloud::HttpHeaders SignatureHeaders(const SignedContent& content,
                                    const std::vector<std::string>& keys) {
  cloud::HttpHeaders headers = {{"webhook-id", std::string(content.id)},
                                {"webhook-timestamp", std::to_string(content.timestamp)}};
  if (!keys.empty()) headers.emplace_back("webhook-signature", Signature(content, keys));
  return headers;
}

}  // namespace bindery::notify
