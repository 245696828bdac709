#include "core/text/digest.h"

#include <openssl/evp.h>

#include <memory>

namespace bindery {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::uint8_t kNoDigit = 0xFF;

constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kHex.size(); ++i) {
    values[static_cast<unsigned char>(kHex[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

std::uint8_t ValueOfDigit(char digit) { return kValues[static_cast<unsigned char>(digit)]; }

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

}  // namespace

Sha256Digest Sha256Digest::Of(std::string_view text) {
  // EVP_sha256() would be looked up again, under a lock, by every call. Lives as long as the
  // program.
  static const EVP_MD* const kFetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  // A context of its own for each call costs more than to digest a short text.
  thread_local const std::unique_ptr<EVP_MD_CTX, FreeContext> kContext(EVP_MD_CTX_new());
  Sha256Digest digest;
  EVP_DigestInit_ex2(kContext.get(), kFetched != nullptr ? kFetched : EVP_sha256(), nullptr);
  EVP_DigestUpdate(kContext.get(), text.data(), text.size());
  EVP_DigestFinal_ex(kContext.get(), digest.bytes.data(), nullptr);
  return digest;
}

Sha256Digest Sha256Digest::FromHex(std::string_view hex) {
  Sha256Digest digest;
  if (hex.size() != digest.bytes.size() * 2) return {};
  for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
    const std::uint8_t high = ValueOfDigit(hex[2 * i]);
    const std::uint8_t low = ValueOfDigit(hex[2 * i + 1]);
    if (high == kNoDigit || low == kNoDigit) return {};
    digest.bytes[i] = static_cast<std::uint8_t>(high * kHex.size() + low);
  }
  return digest;
}

std::string Sha256Digest::Hex() const {
  std::string text(bytes.size() * 2, '0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text[2 * i] = kHex[bytes[i] >> 4U];
    text[2 * i + 1] = kHex[bytes[i] & 0x0FU];
  }
  return text;
}

std::string Sha256Hex(std::string_view bytes) { return Sha256Digest::Of(bytes).Hex(); }

}  // namespace bindery
