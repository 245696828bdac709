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

  /// Adds the headers. May block to fetch a token, 15 s at most; kUnauthenticated when there is
  /// none to be had, kUnavailable when whoever gives them out does not answer.
  virtual Expected<void> Authorize(HttpRequest& request) = 0;

  /// Adds the headers when they are at hand, without waiting for a network, a disk or a thread.
  /// False, with nothing added, when they are not: Authorize gets them, or says what is wrong.
  virtual bool TryAuthorize(HttpRequest& request);

  /// The service answered 401 to `sent`, a request authorized by this. True when trying once more
  /// makes sense: there are other credentials now than those it was sent with, or may be. However
  /// many requests were refused with the same ones, new ones are fetched once.
  virtual bool Refused(const HttpRequest& sent);
};

/// Sends requests as they are.
[[nodiscard]] std::shared_ptr<Authorizer> NoCredentials();

/// `Authorization: Bearer TOKEN`.
[[nodiscard]] std::shared_ptr<Authorizer> StaticBearerToken(std::string token);

/// Reads the token from a file, again whenever the file changes.
[[nodiscard]] std::shared_ptr<Authorizer> BearerTokenFile(std::string path);

/// `DD-API-KEY` and `DD-APPLICATION-KEY`, each from its file, else from DD_API_KEY and DD_APP_KEY.
/// kUnauthenticated with the remedy when neither is there.
[[nodiscard]] Expected<std::shared_ptr<Authorizer>> DatadogKeys(const std::string& api_key_file,
                                                                const std::string& app_key_file);

/// A personal access token or a service account's token (`Authorization: Bearer …`) from the file,
/// else from DD_BEARER_TOKEN. kUnauthenticated with the remedy when neither is there.
[[nodiscard]] Expected<std::shared_ptr<Authorizer>> DatadogBearer(const std::string& token_file);

/// Files of Datadog credentials; empty: not given.
struct DatadogCredentialFiles {
  std::string api_key;
  std::string app_key;
  std::string bearer_token;
};

/// The credentials that were given, files before the environment and keys before tokens:
///  1. the token file, when there is one;
///  2. the keys, when there is a file for one of them, or both variables are set;
///  3. DD_BEARER_TOKEN.
/// kUnauthenticated with the ways to give some when there are none.
[[nodiscard]] Expected<std::shared_ptr<Authorizer>> DatadogCredentials(
    const DatadogCredentialFiles& files);

}  // namespace bindery
