#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/expected.h"

namespace bindery::httpd {

/// Where a TCP listener binds. An empty host is every address of the machine.
struct Address {
  std::string host;  ///< Without brackets: "127.0.0.1", "::1", "localhost", "".
  std::uint16_t port = 0;
  bool operator==(const Address&) const = default;

  /// "127.0.0.1:9817", "[::1]:9817"
  [[nodiscard]] std::string Text() const;
  /// True when only this machine can reach it.
  [[nodiscard]] bool IsLoopback() const;
};

/// Reads "host:port", "[v6]:port", ":port". kInvalidArgument otherwise.
[[nodiscard]] Expected<Address> ParseAddress(std::string_view text);

}  // namespace bindery::httpd
