#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace bindery::store {

inline constexpr int kDigestBytes = 32;

/// The bytes 64 lower-case hex digits stand for; false when `hex` is anything else.
[[nodiscard]] bool BytesOfDigest(std::string_view hex, std::array<char, kDigestBytes>& bytes);

/// The hex digits of bytes.
[[nodiscard]] std::string HexOfDigest(std::string_view bytes);
void HexOfDigest(std::string_view bytes, std::string& hex);

}  // namespace bindery::store
