#pragma once

#include <memory>
#include <string>

#include "cloud/transport.h"
#include "core/base/expected.h"

namespace bindery::cloud {

/// Puts credentials on a request. Fetching and refreshing them is its own business; the clients
/// only say when one was refused. Thread-safe. Never shows a secret in an error.
class Authorizer {
 public:
  virtual ~Authorizer() = default;

  /// Adds the headers. May block to fetch a token, 15 s at most; kUnauthenticated if none exists to
  /// be had, kUnavailable when their issuer does not answer.
  virtual Expected<void> Authorize(HttpRequest& request) = 0;

  /// Adds the headers when they are at hand, without waiting for a network, a disk or a thread.
  /// False, with nothing added, when they are not: Authorize gets them, or returns the error.
  virtual bool TryAuthorize(HttpRequest& request);

  /// The service answered 401 to `sent`, a request authorized by this object. True when a second
  /// try makes sense: new credentials exist, or may exist. For any number of requests refused with
  /// the same credentials, new credentials are fetched once.
  virtual bool Refused(const HttpRequest& sent);
};

/// Sends requests unchanged.
[[nodiscard]] std::shared_ptr<Authorizer> NoCredentials();

/// `Authorization: Bearer TOKEN`.
[[nodiscard]] std::shared_ptr<Authorizer> StaticBearerToken(std::string token);

/// Reads the token from a file, again whenever the file changes.
[[nodiscard]] std::shared_ptr<Authorizer> BearerTokenFile(std::string path);

}  // namespace bindery::cloud
