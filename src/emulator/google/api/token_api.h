#pragma once

#include <string>
#include <string_view>

#include "emulator/call.h"
#include "emulator/identities.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// POST /token: an access token for a JWT signed with a service account's key, or for a refresh
/// token. POST /v1/token: one for a token of an identity pool's provider.
[[nodiscard]] httpd::Response ServeOauth(Identities& identities, const Clock& clock,
                                         const Call& call, const httpd::Request& request);

/// A refusal of a token endpoint: {"error", "error_description"}.
[[nodiscard]] httpd::Response OauthError(int status, std::string_view error,
                                         const std::string& description);

/// The first field of the name in a form body; empty if none exists.
[[nodiscard]] std::string FormField(const std::string& body, std::string_view name);

inline constexpr std::string_view kJwtBearerGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
inline constexpr std::string_view kRefreshGrant = "refresh_token";

}  // namespace bindery::emulator
