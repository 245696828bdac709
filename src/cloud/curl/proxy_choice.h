#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/expected.h"

namespace bindery::cloud {

/// A proxy in libcurl's form, and in a form for messages.
struct Proxy {
  std::string url;    ///< With user and password where there are any: a secret.
  std::string shown;  ///< "http://proxy.example:3128".
  std::string host;
  int port = 0;
  bool secure = false;  ///< TLS to the proxy itself.
  std::string set_by;   ///< "transport.proxy" or the environment's variable.
};

using EnvironmentLookup = std::function<std::optional<std::string>(const std::string&)>;

/// The proxy for each URL. Made once: the environment is not read again.
class ProxyChoice {
 public:
  /// `proxy` and `no_proxy` as in CurlTransportOptions.
  ProxyChoice(const std::string& proxy, const std::string& no_proxy,
              const EnvironmentLookup& environment);

  /// The proxy for a URL unless its host is one of no_proxy(); null: none. kInvalidArgument,
  /// without the text, when what was given as the proxy is none.
  [[nodiscard]] Expected<const Proxy*> For(const std::string& url) const;

  /// Hosts that are reached directly, in the form of CURLOPT_NOPROXY; holds loopback.
  [[nodiscard]] const std::string& no_proxy() const { return no_proxy_; }

 private:
  using Slot = std::optional<Expected<Proxy>>;
  Slot plain_;   ///< For http:// URLs.
  Slot secure_;  ///< For https:// URLs.
  std::string no_proxy_;
};

}  // namespace bindery::cloud
