#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bindery {

/// The host of "host", "host:port" or "[v6]:port" in its one form: names in lower case without a
/// dot at the end, IPv6 without brackets and as short as it goes, IPv4 within IPv6 as IPv4. Nothing
/// when it is none.
[[nodiscard]] std::optional<std::string> HostOfAuthority(std::string_view authority);

/// What a list of hosts may hold: a host name, an IP address, "*.domain" for all names below a
/// domain, "*" for all. No ports.
[[nodiscard]] bool IsHostPattern(std::string_view text);

/// `host` as HostOfAuthority gives it.
[[nodiscard]] bool MatchesHost(std::string_view pattern, std::string_view host);

}  // namespace bindery
