#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "httpd/message.h"

namespace bindery::server {

/// By which names a listener may be asked. A page of another site can have its own name point to
/// the machine and then reads the answers as its own (DNS rebinding); its requests still carry that
/// name.
///
/// `localhost` and what is below it, loopback addresses, the host listened on and the address that
/// the peer connected to are always allowed.
class AllowedHosts {
 public:
  /// `listen` is "host:port"; `names` are as IsHostPattern() permits.
  AllowedHosts(std::string_view listen, const std::vector<std::string>& names);

  /// Judges Request::host, whatever its port. A UNIX socket has no names: all are allowed. So is
  /// none in HTTP/1.0, which no browser speaks.
  [[nodiscard]] bool Allow(const httpd::Request& request) const;

 private:
  std::vector<std::string> patterns_;
};

}  // namespace bindery::server
