#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bindery::cel {

/// An address of the Internet, of version 4 or 6. One of version 4 that is mapped into version 6
/// ("::ffff:c0a8:1") is the address of version 4.
struct IpAddress {
  bool is_v4 = false;
  std::array<std::uint8_t, 16> bytes = {};  ///< In the order of the network; of version 4: four.

  [[nodiscard]] int bits() const { return is_v4 ? 32 : 128; }
  bool operator==(const IpAddress&) const = default;
};

/// The addresses that agree with one in its first bits: "10.0.0.0/8".
struct IpRange {
  IpAddress address;  ///< Bits beyond the length may be set.
  int length = 0;
  bool operator==(const IpRange&) const = default;
};

/// "192.168.0.1", "2001:DB8::1"; neither zones ("fe80::1%eth0") nor "::ffff:192.168.0.1".
[[nodiscard]] std::optional<IpAddress> ParseIpAddress(std::string_view text);
/// An address, "/" and how many bits count.
[[nodiscard]] std::optional<IpRange> ParseIpRange(std::string_view text);

/// The canonical form (RFC 5952).
[[nodiscard]] std::string ToString(const IpAddress& address);
[[nodiscard]] std::string ToString(const IpRange& range);

/// Without the bits beyond the length.
[[nodiscard]] IpRange Masked(const IpRange& range);
/// Whether all of `inner` is in `outer`.
[[nodiscard]] bool Contains(const IpRange& outer, const IpRange& inner);

}  // namespace bindery::cel
