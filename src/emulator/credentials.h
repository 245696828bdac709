#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "emulator/permissions.h"

namespace bindery::emulator {

/// A bearer token, or an API key with its application key, and the rights of its holder.
struct Credential {
  std::string token;
  std::string api_key;
  std::string app_key;
  Permissions permissions;
  std::optional<WallTime> expires;
  std::string user;       ///< Id or handle of the user it belongs to; empty: the first user.
  std::string principal;  ///< Whose token it is: "serviceAccount:a@…", "user:…"; empty: unknown.
  /// OAuth scopes of a token that was issued; empty: any.
  std::vector<std::string> scopes;

  [[nodiscard]] bool Allows(std::string_view permission, std::string_view resource = "") const {
    return permissions.Allow(permission, resource);
  }
};

/// Reads the kept form of a credential, which the seed reader has checked.
[[nodiscard]] Credential CredentialFromJson(const Json& value);

/// What a token or key pair turned out to be.
struct Access {
  enum class Kind {
    kOpen,     ///< The seed names no credentials of this sort: everything is allowed.
    kMissing,  ///< The request brought none.
    kInvalid,  ///< Unknown or expired.
    kBadJwt,   ///< A self-signed JWT that does not hold.
    kKnown,
  };
  Kind kind = Kind::kOpen;
  Credential credential;

  [[nodiscard]] bool Allows(std::string_view permission, std::string_view resource = "") const {
    return kind == Kind::kOpen || (kind == Kind::kKnown && credential.Allows(permission, resource));
  }
};

}  // namespace bindery::emulator
