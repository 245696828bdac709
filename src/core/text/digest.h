#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace bindery {

/// SHA-256 as 64 lower-case hex digits. The name of everything stored by its content.
[[nodiscard]] std::string Sha256Hex(std::string_view bytes);

/// The same as 32 bytes: for large numbers of digests.
struct Sha256Digest {
  std::array<std::uint8_t, 32> bytes{};

  [[nodiscard]] static Sha256Digest Of(std::string_view text);
  /// Of 64 hex digits; anything else gives the empty digest.
  [[nodiscard]] static Sha256Digest FromHex(std::string_view hex);
  [[nodiscard]] std::string Hex() const;
  /// All zeros: nothing was digested.
  [[nodiscard]] bool empty() const { return *this == Sha256Digest{}; }
  auto operator<=>(const Sha256Digest&) const = default;
};

}  // namespace bindery
