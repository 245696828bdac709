#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/expected.h"

namespace bindery {

/// Where a listener binds. An empty host means every interface.
struct ListenAddress {
  std::string host;        ///< A name or an IP address, IPv6 without brackets.
  std::uint16_t port = 0;  ///< 0: the system picks one.

  /// "127.0.0.1:9817", "[::1]:9817", ":9817".
  [[nodiscard]] std::string Text() const;
  bool operator==(const ListenAddress&) const = default;
};

/// Reads the forms ListenAddress::Text writes. kInvalidArgument otherwise.
[[nodiscard]] Expected<ListenAddress> ParseListenAddress(std::string_view text);

/// True for `localhost`, names below `.localhost`, 127.0.0.0/8 and ::1: traffic to it stays on the
/// machine.
[[nodiscard]] bool IsLoopbackHost(std::string_view host);

/// Checks the base URL of a service: `https://host[:port][/path]`; plain `http` only to a loopback
/// host, because credentials travel in it. No user, query or fragment. Gives it without trailing
/// slashes; kInvalidArgument otherwise.
[[nodiscard]] Expected<std::string> ParseServiceUrl(std::string_view text);

}  // namespace bindery
