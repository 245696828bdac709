#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::identity {

/// A signed JSON Web Token (RFC 7519) in its compact form, taken apart and not believed yet.
struct Token {
  std::string algorithm;
  std::string key_id;  ///< Empty: the token names no key.
  Json claims = Json::object();
  std::string signed_part;  ///< "header.claims", as received.
  std::string signature;    ///< Decoded.
};

/// Takes a token of at most 64 KiB apart. kUnauthenticated when the text is no token, when a
/// member occurs twice, when the algorithm is neither RS256 nor ES256, and when the header demands
/// an extension (`crit`). No message holds a part of the token.
[[nodiscard]] Expected<Token> ParseToken(std::string_view text);

/// What the claims of a token must say.
struct TokenRules {
  std::string issuer;    ///< `iss`, exactly.
  std::string audience;  ///< `aud`: this one and no other.
  std::string nonce;     ///< `nonce`, exactly; empty: not asked for.
  std::chrono::seconds leeway{60};
};

/// Compares the claims with the rules (OpenID Connect Core, 3.1.3.7): `iss`, `aud`, `azp`, `exp`,
/// `iat`, `nbf`, `nonce`, and `sub` of 1 to 255 bytes. An audience beside the expected one is
/// refused: a token for several programs could come from any of them. kUnauthenticated with the
/// name of the claim, and without the value where the value may be secret.
[[nodiscard]] Expected<void> CheckClaims(const Json& claims, const TokenRules& rules, WallTime now);

/// The address in the claims, if it is verified; else empty. `unless_said`: whether it is when the
/// claims have no `email_verified`.
[[nodiscard]] std::string VerifiedEmail(const Json& claims, bool unless_said);

/// The groups at `path` in the claims: a list of texts, or one text. A member whose whole name is
/// the path goes first, as names may be URLs; else each dot of the path leads into an object
/// ("realm_access.roles"). Nothing when the claims have no such member. kPermissionDenied when the
/// provider left the groups out because there are too many (Microsoft Entra ID: `_claim_names`,
/// `hasgroups`), kUnauthenticated when the member is neither a list of texts nor a text.
[[nodiscard]] Expected<std::optional<std::vector<std::string>>> GroupsIn(const Json& claims,
                                                                         const std::string& path);

}  // namespace bindery::identity
