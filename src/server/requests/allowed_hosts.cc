#include "server/requests/allowed_hosts.h"

#include <algorithm>

#include "core/settings/address.h"
#include "core/text/host.h"

namespace bindery::server {

AllowedHosts::AllowedHosts(std::string_view listen, const std::vector<std::string>& names)
    : patterns_(names) {
  const auto address = ParseListenAddress(listen);
  // Every interface is no host.
  const bool all =
      !address || address->host.empty() || address->host == "0.0.0.0" || address->host == "::";
  if (!all) patterns_.push_back(address->host);
}

bool AllowedHosts::Allow(const httpd::Request& request) const {
  if (request.peer.is_unix) return true;
  if (request.headers.Find("Host") == nullptr && request.host.empty()) return true;
  const auto host = HostOfAuthority(request.host);
  if (!host) return false;
  if (IsLoopbackHost(*host) || MatchesHost(request.peer.local, *host)) return true;
  return std::ranges::any_of(
      patterns_, [&host](const std::string& pattern) { return MatchesHost(pattern, *host); });
}

}  // namespace bindery::server
