#include "store/sql/digest_bytes.h"

namespace bindery::store {
namespace {

int Nibble(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace

bool BytesOfDigest(std::string_view hex, std::array<char, kDigestBytes>& bytes) {
  if (hex.size() != 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = Nibble(hex[2 * i]);
    const int low = Nibble(hex[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<char>(high * 16 + low);
  }
  return true;
}

std::string HexOfDigest(std::string_view bytes) {
  std::string hex;
  HexOfDigest(bytes, hex);
  return hex;
}

void HexOfDigest(std::string_view bytes, std::string& hex) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  hex.resize(2 * bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto value = static_cast<unsigned char>(bytes[i]);
    hex[2 * i] = kDigits[value >> 4U];
    hex[2 * i + 1] = kDigits[value & 0xfU];
  }
}

}  // namespace bindery::store
