#include "emulator/google/accounts.h"

#include <algorithm>

namespace bindery::emulator {

bool ServiceAccount::MayBeImpersonatedBy(std::string_view principal) const {
  if (principal.empty()) return false;
  // An impersonator may be written as a bare e-mail.
  const std::string_view value = principal.substr(principal.find(':') + 1);
  return std::any_of(impersonators.begin(), impersonators.end(), [&](const std::string& glob) {
    return MatchesGlob(glob, principal) || MatchesGlob(glob, value);
  });
}

bool ServiceAccount::Signed(const Jwt& jwt) const {
  if (jwt.algorithm != "RS256") return false;
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) {
    return (jwt.key_id.empty() || jwt.key_id == key.id) &&
           key.key.Verifies(jwt.signed_part, jwt.signature);
  });
}

ServiceAccount ServiceAccountFromJson(const Json& value) {
  ServiceAccount account;
  account.email = StringMember(value, "email");
  account.project = StringMember(value, "project");
  account.unique_id = StringMember(value, "uniqueId");
  account.permissions = Permissions::FromJson(FindMember(value, "permissions"));
  if (const Json* keys = FindMember(value, "keys")) {
    for (const Json& key : *keys) {
      auto read = PublicKey::FromPem(StringMember(key, "publicKey"));
      if (read) account.keys.push_back({StringMember(key, "id"), std::move(*read)});
    }
  }
  if (const Json* impersonators = FindMember(value, "impersonators")) {
    for (const Json& who : *impersonators) account.impersonators.push_back(who.get<std::string>());
  }
  return account;
}

RefreshToken RefreshTokenFromJson(const Json& value) {
  RefreshToken token;
  token.client_id = StringMember(value, "clientId");
  token.client_secret = StringMember(value, "clientSecret");
  token.refresh_token = StringMember(value, "refreshToken");
  token.user = StringMember(value, "user");
  token.revoked = value.value("revoked", false);
  token.permissions = Permissions::FromJson(FindMember(value, "permissions"));
  return token;
}

IdentityPool IdentityPoolFromJson(const Json& value) {
  IdentityPool pool;
  pool.audience = StringMember(value, "audience");
  pool.subject_token_type = StringMember(value, "subjectTokenType");
  if (const Json* subjects = FindMember(value, "subjectTokens")) {
    for (const Json& subject : *subjects) {
      pool.subjects.push_back({StringMember(subject, "token"),
                               PoolPrincipal(pool.audience, StringMember(subject, "subject")),
                               Permissions::FromJson(FindMember(subject, "permissions"))});
    }
  }
  return pool;
}

Metadata MetadataFromJson(const Json& value) {
  return {StringMember(value, "serviceAccount"), StringMember(value, "project"),
          StringMember(value, "universeDomain")};
}

std::string PoolPrincipal(const std::string& audience, const std::string& subject) {
  if (subject.find("://") != std::string::npos) return subject;
  return "principal:" + audience.substr(0, audience.find("/providers/")) + "/subject/" + subject;
}

}  // namespace bindery::emulator
