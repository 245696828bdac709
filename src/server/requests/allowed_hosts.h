#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "httpd/message.h"

namespace bindery::server {

/// The host names that a listener accepts. A page of a foreign site can point its own name to the
/// machine and then read the answers as its own (DNS rebinding); the requests still carry the
/// foreign name.
///
/// Always allowed: `localhost` and names below it, loopback addresses, the listening host and the
/// address that the peer connected to.
class AllowedHosts {
 public:
  /// `listen` is "host:port"; `names` are as IsHostPattern() permits.
  AllowedHosts(std::string_view listen, const std::vector<std::string>& names);

  /// Judges Request::host, whatever the port. A UNIX socket has no names: all are allowed. An empty
  /// name is allowed in HTTP/1.0, which no browser speaks.
  [[nodiscard]] bool Allow(const httpd::Request& request) const;

 private:
  std::vector<std::string> patterns_;
};

}  // namespace bindery::server
