#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace bindery::httpd {

/// The demand for a client's certificate.
enum class ClientCertificates {
  kNone,
  kRequest,           ///< Asked for; anything is accepted, nothing too.
  kRequireAny,        ///< There must be one; its issuer is not checked.
  kVerifyIfGiven,     ///< One that is there must be signed by `client_authorities`.
  kRequireAndVerify,  ///< There must be one, signed by `client_authorities`.
};

/// How a listener speaks TLS. Texts are PEM.
struct TlsOptions {
  std::string certificates;  ///< The server's own, and those between it and the root.
  std::string key;           ///< Without a passphrase. A secret.
  std::string client_authorities;
  ClientCertificates clients = ClientCertificates::kNone;
  /// Of which a client's certificate must hold one: DNS names, IP addresses, mail addresses or
  /// URIs. Empty: any.
  std::vector<std::string> client_names;
  int least_version = 12;  ///< 10 for TLS 1.0 … 13 for TLS 1.3.
  int most_version = 13;
  std::vector<std::string> ciphers;  ///< IANA's names, up to TLS 1.2; empty: the library's choice.
  bool prefer_own_ciphers = true;
  std::vector<std::string> curves;  ///< "X25519", "CurveP256", …; empty: the library's choice.
};

/// A certificate with its key and the related settings, ready for handshakes. Immutable, and shared
/// by connections from before and after a renewal. Thread-safe.
class TlsContext {
 public:
  /// kInvalidArgument with the error: no certificate in the text, a key that belongs to another
  /// certificate, an unknown cipher. No message holds a part of the key.
  [[nodiscard]] static Expected<std::shared_ptr<const TlsContext>> Make(const TlsOptions& options);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  class Parts;
  [[nodiscard]] Parts& parts() const { return *parts_; }

 private:
  explicit TlsContext(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace bindery::httpd
