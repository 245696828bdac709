#pragma once

// Private to src/httpd: what is behind a TlsContext.

#include <boost/asio/ssl/context.hpp>
#include <string>
#include <vector>

#include "httpd/tls.h"

namespace bindery::httpd {

class TlsContext::Parts {
 public:
  boost::asio::ssl::context context{boost::asio::ssl::context::tls_server};
};

/// The subject of the certificate that the peer showed and that was verified: "CN=ana,O=acme".
/// Empty if none exists.
[[nodiscard]] std::string VerifiedSubject(SSL* session);

}  // namespace bindery::httpd
