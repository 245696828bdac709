#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cloud/transport.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "providers/google/credentials/token_source.h"

namespace bindery::google {

/// {"error": "invalid_grant", "error_description": "…", "error_subtype": "invalid_rapt"}
struct OAuthFailure {
  std::string error;
  std::string description;
  std::string subtype;
};

/// A call to a token endpoint.
struct TokenRequest {
  cloud::HttpRequest http;
  /// The field of the credential file that gave the URL; empty: none did.
  std::string url_field = {};
  /// Secrets that a message must not repeat, should the endpoint return them.
  std::vector<std::string> secrets = {};
  /// What a person can do about a refusal; empty: nothing to say.
  std::function<std::string(const OAuthFailure&)> advice = {};
};

/// How long one attempt to talk to a token endpoint may take.
inline constexpr std::chrono::milliseconds kTokenTimeout{5'000};

/// A POST of a form.
[[nodiscard]] cloud::HttpRequest FormPost(
    const std::string& url, const std::vector<std::pair<std::string, std::string>>& fields);

/// Sends a request again when it failed for a while: no answer, HTTP 408, 429, 500, 502, 503, 504,
/// or an OAuth error that says so; 1 s after the first attempt, doubling. None is made or still
/// runs after `give_up_at`. An endpoint that asks for a longer wait is left alone. Gives the last
/// answer, of whatever status; kUnavailable without one (kCancelled at shutdown).
[[nodiscard]] Expected<cloud::HttpResponse> SendPatiently(const TokenContext& context,
                                                          cloud::HttpRequest request,
                                                          MonoTime give_up_at, int attempts = 3);

/// Sends, and reads the answer as ReadOAuthToken does.
[[nodiscard]] Expected<AccessToken> FetchOAuthToken(const TokenContext& context,
                                                    const TokenRequest& request,
                                                    MonoTime give_up_at, Json* answer = nullptr);

/// Reads {"access_token", "expires_in"}. `answer` gets the whole of it when it is not null: it may
/// hold a new refresh token. A status other than 2xx is kUnavailable when it passes by itself, else
/// kUnauthenticated. No message repeats more of the body than the OAuth error and its description.
[[nodiscard]] Expected<AccessToken> ReadOAuthToken(const TokenContext& context,
                                                   const TokenRequest& request,
                                                   const cloud::HttpResponse& response,
                                                   Json* answer = nullptr);

/// Checks what came as a token: not empty, and fit for a header. kUnauthenticated otherwise.
[[nodiscard]] Expected<AccessToken> CheckedToken(const std::string& origin, std::string value,
                                                 std::chrono::milliseconds lifetime);

}  // namespace bindery::google
