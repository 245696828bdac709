#pragma once

#include <memory>
#include <string>

#include "cloud/transport.h"
#include "core/expected.h"

namespace bindery {

/// Puts credentials on a request. Fetching and refreshing them is its own business; the clients
/// only say when one was refused. Thread-safe. Never shows a secret in an error.
class Authorizer {
 public:
  virtual ~Authorizer() = default;

  /// Adds the headers. May block to fetch a token; kUnauthenticated when there is none to be had.
  virtual Expected<void> Authorize(HttpRequest& request) = 0;

  /// The service answered 401 to a request authorized by this. True when trying once more with
  /// fresh credentials makes sense.
  virtual bool Refused() { return false; }
};

/// Sends requests as they are.
[[nodiscard]] std::shared_ptr<Authorizer> NoCredentials();

/// `Authorization: Bearer TOKEN`.
[[nodiscard]] std::shared_ptr<Authorizer> StaticBearerToken(std::string token);

/// Reads the token from a file, again whenever the file changes.
[[nodiscard]] std::shared_ptr<Authorizer> BearerTokenFile(std::string path);

/// `DD-API-KEY` and `DD-APPLICATION-KEY` from two files, else from DD_API_KEY and DD_APP_KEY.
/// kUnauthenticated with the remedy when neither is there.
[[nodiscard]] Expected<std::shared_ptr<Authorizer>> DatadogKeys(const std::string& api_key_file,
                                                                const std::string& app_key_file);

}  // namespace bindery
