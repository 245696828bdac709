#include "core/digest.h"

#include <openssl/evp.h>

#include <array>

namespace bindery {

std::string Sha256Hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  text.reserve(std::size_t{length} * 2);
  for (unsigned int i = 0; i < length; ++i) {
    text += kHex[digest[i] >> 4U];
    text += kHex[digest[i] & 0x0FU];
  }
  return text;
}

}  // namespace bindery
