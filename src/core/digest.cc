#include "core/digest.h"

#include <openssl/evp.h>

namespace bindery {

std::array<unsigned char, 32> Sha256(std::string_view bytes) {
  // EVP_sha256() would be looked up anew, under a lock, by every call. Lives as long as the program.
  static const EVP_MD* const kFetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  std::array<unsigned char, 32> digest{};
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr,
             kFetched != nullptr ? kFetched : EVP_sha256(), nullptr);
  return digest;
}

std::string HexText(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kHex[byte >> 4U];
    text += kHex[byte & 0x0FU];
  }
  return text;
}

std::string Sha256Hex(std::string_view bytes) {
  const std::array<unsigned char, 32> digest = Sha256(bytes);
  return HexText({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace bindery
