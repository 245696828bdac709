#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bindery {

/// The host of "host", "host:port" or "[v6]:port" in its canonical form: names in lower case
/// without a final dot, IPv6 without brackets in the shortest form, IPv4 within IPv6 as IPv4.
/// Nothing for any other text.
[[nodiscard]] std::optional<std::string> HostOfAuthority(std::string_view authority);

/// What a list of hosts may hold: a host name, an IP address, "*.domain" for all names below a
/// domain, "*" for all. No ports.
[[nodiscard]] bool IsHostPattern(std::string_view text);

/// `host` in the form of HostOfAuthority.
[[nodiscard]] bool MatchesHost(std::string_view pattern, std::string_view host);

}  // namespace bindery
